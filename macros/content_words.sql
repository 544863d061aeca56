{#
    The distinct words of a text that carry its content: in lower case, without numbers, words of up to two letters and
    the words that every question and answer about a filing holds.
#}
{% macro content_words(text) -%}
    list_distinct(list_filter(
        regexp_extract_all(lower({{ text }}), '\pL{3,}'),
        lambda word: not list_contains(
            ['the', 'and', 'for', 'its', 'was', 'were', 'with', 'that', 'this', 'from', 'due', 'are', 'has', 'have', 'our',
            'which', 'fiscal', 'year', 'company', 'may', 'could', 'also', 'into', 'than', 'not', 'any', 'other', 'their',
            'primarily', 'million', 'billion', 'thousand', 'inc', 'corporation', 'yes', 'did', 'does', 'what', 'how'],
            word
        )
    ))
{%- endmacro %}


{# Share of the words of two lists that both hold, of those that either holds; 0 when both are empty. #}
{% macro jaccard(words, other_words) -%}
    coalesce(
        len(list_intersect({{ words }}, {{ other_words }}))
        / nullif(len(list_distinct(list_concat({{ words }}, {{ other_words }}))), 0),
        0
    )
{%- endmacro %}


{# The numbers in a text, without thousands separators: "$1,234.50 in 2019" gives 1234.50 and 2019. #}
{% macro stated_numbers(text) -%}
    list_distinct(list_transform(
        regexp_extract_all({{ text }}, '\d(?:[\d,]*\d)?(?:\.\d+)?'), lambda number: replace(number, ',', '')
    ))
{%- endmacro %}
