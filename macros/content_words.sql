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


{# A text without the days by which it names fiscal years: "the fiscal year ended February 2, 2025". #}
{% macro without_year_ends(text) -%}
    regexp_replace({{ text }}, '(?i)\bfiscal years? ended (?:in|\pL+ \d{1,2},) \d{4}\b', 'fiscal', 'g')
{%- endmacro %}


{# Share of the words of two lists that both hold, of those that either holds; 0 when both are empty. #}
{% macro jaccard(words, other_words) -%}
    coalesce(
        len(list_intersect({{ words }}, {{ other_words }}))
        / nullif(len(list_distinct(list_concat({{ words }}, {{ other_words }}))), 0),
        0
    )
{%- endmacro %}


{#
    A text without the numbers that are no figures: the "(1) … (2) …" of a list, and those of items, notes and forms.
    "(12) million" and "(5)%" are negative figures and stay.
#}
{% macro without_references(text) -%}
    regexp_replace(
        regexp_replace({{ text }}, '\((\d[\d,.]*)\) ?(%|(?:thousand|million|billion|percent)\b)', '\1 \2', 'g'),
        '\(\d{1,2}\)(?: |$)|(?i:\b(?:items?|notes?|parts?|form) \d+[A-C]?\b|\b10-[KQ]\b)', ' ', 'g'
    )
{%- endmacro %}


{#
    The figures in a text in base units: "$2.4067 billion" and "2,406.7 million" are both 2406700000, "50 basis points"
    is 0.5 as 0.5% is. Numbers that are no figures (without_references) are left out.
#}
{% macro stated_values(text) -%}
    list_distinct(list_transform(
        regexp_extract_all(
            {{ without_references(text) }},
            '\d(?:[\d,]*\d)?(?:\.\d+)?(?: ?(?:(?i:thousands?|millions?|billions?|trillions?|basis points?|bps|mm|mn|bn)\b|[MBK]\b))?'
        ),
        lambda figure: round(
            replace(regexp_extract(figure, '^[\d,.]+\d|^\d'), ',', '')::double
            * case
                when regexp_matches(figure, '(?i)thousand|\dK$| K$') then 1e3
                when regexp_matches(figure, '(?i)million|mm|mn|M$') then 1e6
                when regexp_matches(figure, '(?i)trillion') then 1e12
                when regexp_matches(figure, '(?i)billion|bn|B$') then 1e9
                when regexp_matches(figure, '(?i)basis|bps') then 0.01
                else 1
            end, 6
        )
    ))
{%- endmacro %}
