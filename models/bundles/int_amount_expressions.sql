{#-
    Where a sentence states amounts. RE2 has no lookaround, so "a number that is not part of a date" cannot be said
    directly. Instead one alternation consumes the sentence from the left, each time either an expression of amounts or
    something that only looks like one, and the replacement puts control characters around the expressions:

        text before \1 expression \2 text after

    The same is done once more inside an expression ("$1.2 to $1.4 billion") to find its single amounts. No character
    of the sentence is lost, so a position is a sum of lengths. All patterns are constants at run time, which DuckDB
    compiles once; they are put together here so that each part has a name.
-#}
{%- set comma_number -%} (?:\d{1,3}(?:,\d{3})+(?:\.\d+)?) {%- endset -%}
{%- set number -%} (?:{{ comma_number }}|\d+(?:\.\d+)?|\.\d+) {%- endset -%}
{%- set currency_code -%} (?-i:\b(?:USD|EUR|GBP|CAD|AUD|JPY|CHF|RMB|CNY|INR)) {%- endset -%}
{%- set currency -%}
    (?:(?-i:\b(?:US|U\.S\.\s?|CAD?|C|A|AU|HK|NZ|S|R|NT))?\$|[€£¥₹]|{{ currency_code }})
{%- endset -%}
{%- set scale -%} (?:[\s-]{0,2}(?:thousand|million|billion|trillion|cent|mm|bn)s?\b) {%- endset -%}
{%- set percent -%}
    (?:\s?%|[\s-]?per\s?cent(?:age[\s-]points?)?\b|[\s-]basis[\s-]points?\b|\s?(?:bps|ppts?)\b)
{%- endset -%}
{%- set money_number -%}
    (?:\({{ currency }}\s?{{ number }}\)|{{ currency }}\s{0,2}(?:\(\s?{{ number }}\s?\)|{{ number }}))
{%- endset -%}
{%- set money -%} (?:{{ money_number }}(?:{{ scale }}|\s?(?:mil|mln|mio|mn|bln)\b|[kmbt]\b)?) {%- endset -%}
{%- set plain_number -%} (?:\({{ number }}\s?\)|{{ number }}) {%- endset -%}
{#- Self-explaining amounts: a currency, a scale word or a percent sign stands with the number. -#}
{%- set strong_amount -%} (?:{{ money }}|{{ plain_number }}(?:{{ scale }}{{ percent }}?|{{ percent }})) {%- endset -%}
{%- set any_amount -%} (?:{{ money }}|{{ plain_number }}{{ scale }}?{{ percent }}?) {%- endset -%}
{%- set connector_word -%} (?:,?\s(?:and|or|to|through|versus|vs\.?)\s|,?\s?[-–—]\s?|,\s) {%- endset -%}
{%- set connector -%}
    (?:\)?{{ connector_word }}(?:(?:approximately|about|nearly|roughly|over|by|an?|(?:in|de)creased)\s)?)
{%- endset -%}
{#- "$9 million (5%)": the brackets hold the same thing said otherwise, no negative. -#}
{%- set in_brackets -%}
    (?:\s\((?:or\s)?(?:{{ number }}{{ percent }}|{{ currency }}\s?{{ number }}{{ scale }}))
{%- endset -%}
{%- set amounts -%}
    (?:{{ plain_number }}{{ connector }})*{{ strong_amount }}(?:{{ connector }}{{ strong_amount }}|{{ in_brackets }})*
{%- endset -%}
{#- What only looks like an amount. "Note 12" is a reference, but "Notes 1,250" is a table row. -#}
{%- set line_item -%} \b(?:notes?|items?|parts?|forms?|levels?|types?|class|series|number)\s {%- endset -%}
{%- set reference_words = [
    'items?', 'notes?', 'footnotes?', 'sections?', 'pages?', 'exhibits?', 'rules?', 'topics?', 'subtopics?', 'parts?',
    'articles?', 'chapters?', 'forms?', 'schedules?', 'appendix', 'figures?', 'tables?', 'paragraphs?', 'levels?',
    'tiers?', 'phases?', 'steps?', 'class', 'series', 'types?', 'versions?', 'releases?', 'windows', 'numbers?',
    'nos?[.]', 'asus?', 'asc', 'sfas', 'fas', 'fin', 'eitf', 'sab', 'sop', 'fsp', 'ias', 'ifrs', 'issues?',
    'statements?', 'interpretations?', 'regulations?',
] | join('|') -%}
{%- set reference_number -%}
    (?:nos?\.?\s?|numbers?\s)?(?:[a-z]{1,3}-?)?\d[\w.,-]*(?:\(\w{1,4}\))*
{%- endset -%}
{%- set reference -%}
    \b(?:{{ reference_words }})\s?{{ reference_number }}(?:,?\s(?:and|or|through|to)\s\d{1,3}[a-z]?\b)*
{%- endset -%}
{%- set months = [
    'Jan(?:uary)?', 'Feb(?:ruary)?', 'Mar(?:ch)?', 'Apr(?:il)?', 'May', 'June?', 'July?', 'Aug(?:ust)?',
    'Sept?(?:ember)?', 'Oct(?:ober)?', 'Nov(?:ember)?', 'Dec(?:ember)?', 'JANUARY', 'FEBRUARY', 'MARCH', 'APRIL',
    'MAY', 'JUNE', 'JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER',
] | join('|') -%}
{%- set month_and_day -%} \b(?-i:{{ months }})\.?\s?\d{1,2}(?:st|nd|rd|th)?\b {%- endset -%}
{%- set year -%} \b(?:19|20)\d\d(?:\s?[-–/]\s?(?:\d\d){1,2})?\b {%- endset -%}
{%- set time_unit -%} (?:years?|months?|days?|weeks?|hours?|minutes?|seconds?|quarters?|decades?)\b {%- endset -%}
{%- set time_adjective -%} (?:(?:calendar|business|consecutive|trading|fiscal|full|additional|more)\s) {%- endset -%}
{%- set duration -%}
    {{ number }}(?:(?:\s(?:to|and|or|through)\s|\s?[-–]\s?){{ number }})?[\s-]{{ time_adjective }}?{{ time_unit }}
{%- endset -%}
{%- set multiple -%} {{ number }}\s?(?:x|times)\b|{{ number }}\s?(?:to|:)\s?1(?:\.0+)?\b {%- endset -%}
{%- set word_with_digits -%} \b[a-z]\w*-\d[\w-]*|\b[a-z]\w*\d[\w-]* {%- endset -%}
{%- set digits_with_letters -%}
    \d[\d,.]*(?:st|nd|rd|th)\b|\d+\([a-z]\)|(?:8-K|10-[KQ])(?:/A)?\s\d{1,2}\.\d{1,3}\b|\d[\d,.]*[-–]?[a-z][\w/-]*
{%- endset -%}
{%- set page_or_heading -%} ^\d{1,2}\.\d+[*†+]?\s|\|\s?\d{1,3}\b {%- endset -%}
{%- set code -%}
    \(\d{3}\)\s?\d{3}[-.]\d{4}|\d+(?:-\d+){2,}|\d+-\d{5,}|\d+(?:\.\d+){2,}|\d{1,2}:\d\d|\d+/\d+(?:/\d+)?
{%- endset -%}
{%- set expression -%}
    ({{ month_and_day }}|{{ year }}|{{ duration }})
{%- endset -%}
{%- set expression = expression
    ~ '|(' ~ line_item ~ ')?(' ~ amounts ~ '|[(]' ~ comma_number ~ '\\s?[)]|' ~ comma_number ~ ')'
    ~ '|(' ~ [reference, multiple, word_with_digits, digits_with_letters, page_or_heading, code] | join('|') ~ ')'
    ~ '|([(][0-9]+(?:[.][0-9]+)?\\s?[)]|[0-9]+(?:[.][0-9]+)?)' -%}
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

captions as (

    select * from {{ ref('int_scale_captions') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

sentences as (

    select
        sentence_id,
        any_value(filing_id) as filing_id,
        any_value(section_id) as section_id,
        any_value(sentence_pos) as sentence_pos,
        any_value(sentence_kind) as sentence_kind,
        -- No-break and thin spaces read as spaces: one character for one, so that positions hold.
        translate(any_value(sentence_text), chr(160) || chr(8201) || chr(8239), '   ') as sentence_text,
    from kpi_matches
    where regexp_matches(sentence_text, '[0-9]')
    group by sentence_id

),

captioned_sentences as (

    select
        sentences.*,
        coalesce(captions.caption_scale, '') as header_scale,
        captions.caption_pos as header_pos,
    from sentences
    left join captions
        on sentences.sentence_id = captions.sentence_id

),

marked_sentences as (

    select
        *,
        string_split(
            regexp_replace(
                sentence_text, '(?i){{ expression }}', '\2' || chr(1) || '\3\5' || chr(2) || '\1\4', 'g'
            ),
            chr(1)
        ) as pieces,
    from captioned_sentences

),

located_pieces as (

    select
        * exclude (pieces),
        unnest(pieces) as piece,
        unnest(
            list_transform(
                range(len(pieces)),
                lambda i: length(array_to_string(list_slice(pieces, 1, i), '')) - i + 2
            )
        ) as expression_pos,
    from marked_sentences

),

-- A bare integer says nothing of its unit ("47 states", "(1)"): an amount only where a header gives it a scale.
expressions as (

    select
        * exclude (piece),
        split_part(piece, chr(2), 1) as expression,
        substr(sentence_text, greatest(1, expression_pos - 160), least(160, expression_pos - 1)) as text_before,
        substr(sentence_text, expression_pos + length(expression), 80) as text_after,
    from located_pieces
    where
        contains(piece, chr(2))
        and not starts_with(piece, chr(2))
        and (header_scale != '' or not regexp_matches(piece, '^([0-9]+|[(][0-9]{1,2}[)])' || chr(2)))

),

split_expressions as (

    select
        *,
        string_split(
            regexp_replace(expression, '(?i){{ any_amount }}', chr(1) || '\0' || chr(2), 'g'), chr(1)
        )[2:] as pieces,
    from expressions

),

-- Lists run parallel: amount i stands before separator i.
listed_expressions as (

    select
        * exclude (pieces),
        list_transform(pieces, lambda piece: split_part(piece, chr(2), 1)) as raws,
        list_transform(pieces, lambda piece: lower(split_part(piece, chr(2), 2))) as separators,
    from split_expressions

),

read_expressions as (

    select
        * exclude (sentence_text, expression),
        list_transform(raws, lambda raw: regexp_extract(raw, '^[(]?({{ currency }})', 1)) as currencies,
        list_transform(raws, lambda raw: regexp_extract(raw, '{{ number }}')) as number_texts,
        list_transform(
            raws, lambda raw: try_cast(replace(regexp_extract(raw, '{{ number }}'), ',', '') as decimal(20, 6))
        ) as numbers,
        list_transform(raws, lambda raw: lower(regexp_extract(raw, '[0-9][\s)]*[\s-]*([A-Za-z%].*)$', 1))) as suffixes,
        list_transform(
            raws, lambda raw: case
                when regexp_matches(raw, '(?i)(%|per|points?|bps|ppt)') then 'percent'
                when regexp_matches(raw, '{{ currency }}') then 'money'
                else 'plain'
            end
        ) as kinds,
    from listed_expressions

)

select * from read_expressions
