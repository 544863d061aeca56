{#-
    Mechanics. RE2 has no lookaround, so "a number that is not part of a date" cannot be said directly. Instead one
    alternation consumes the sentence from the left, each time either an expression of amounts or something that only
    looks like one, and the replacement puts control characters around the expressions:

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
{%- set money -%} (?:{{ money_number }}(?:{{ scale }}|[kmbt]\b)?) {%- endset -%}
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
    ~ '|(' ~ line_item ~ ')?(' ~ amounts ~ '|[(]' ~ comma_number ~ '\s?[)]|' ~ comma_number ~ ')'
    ~ '|(' ~ [reference, multiple, word_with_digits, digits_with_letters, page_or_heading, code] | join('|') ~ ')'
    ~ '|([(][0-9]+(?:[.][0-9]+)?\s?[)]|[0-9]+(?:[.][0-9]+)?)' -%}
{#- How a sentence says that an amount is a change and in which direction. -#}
{%- set increase_words = [
    'increas(?:e|es|ed|ing)', 'grew', 'grow(?:s|n|ing)?', 'growth', 'rose', 'rise[ns]?', 'rising', 'higher', 'greater',
    'improv(?:e|es|ed|ing|ements?)', 'expan(?:ded|sion)', 'up', '(?:positively|favorably) (?:impacted|affected)',
] | join('|') -%}
{%- set decrease_words = [
    'decreas(?:e|es|ed|ing)', 'declin(?:e|es|ed|ing)', 'fell', 'fall(?:s|en|ing)?', 'drop(?:s|ped)?',
    'reduc(?:e|es|ed|ing|tions?)', 'lower(?:ed|ing)?', 'contract(?:ed|ion)', 'down', 'deteriorat(?:ed|ion)',
    '(?:negatively|adversely|unfavorably) (?:impacted|affected)',
] | join('|') -%}
{%- set change_words = increase_words ~ '|' ~ decrease_words ~ '|chang(?:e|es|ed)' -%}
{%- set change_nouns = [
    'increases?', 'decreases?', 'declines?', 'growth', 'reductions?', 'improvements?', 'drops?', 'rise', 'changes?',
    'higher', 'lower', 'greater',
] | join('|') -%}
{#- "Increased, offset by $5 million" states no increase of $5 million. -#}
{%- set other_agents = [
    'offset', 'driven', 'caused', 'led', 'followed', 'provided', 'generated', 'used', 'secured', 'guaranteed', 'issued',
    'represented', 'held', 'owned', 'paid', 'backed', 'divided', 'multiplied',
] | join('|') -%}
{%- set hedge -%}
    (?:(?:an?|the|approximately|about|nearly|roughly|almost|over|another|additional|further|only|just|total|slightly)\s)
{%- endset -%}
{%- set change_direct -%} (?:{{ change_words }})(?:\s[a-z]+ly)?(?:\s(?:by|was|were))? {%- endset -%}
{%- set change_of -%} (?:{{ change_nouns }})(?:\s[^;:$%]*)?\sof {%- endset -%}
{%- set change_by -%} (?:{{ change_words }})\s[^;:]*\sby|(?:{{ other_agents }})\sby {%- endset -%}
{%- set change_before -%}
    (?is)^.*\b({{ change_direct }}|{{ change_of }}|{{ change_by }})\s{{ hedge }}*\(?$
{%- endset -%}
{#- "The increase was due to payments of $5 million" puts no figure to the increase. -#}
{%- set cause -%} \b(?:due|was|were|result|because|reflect|includ|consist|compris|relat|driven|from)\w*\b {%- endset -%}
{%- set change_adjective -%}
    (?:(?:or|of|year[\s-]over[\s-]year|net|sequential|overall|annual|organic|revenue|sales|volume|price)\s)
{%- endset -%}
{%- set change_after -%}
    (?i)^\)?,?\s{{ change_adjective }}?({{ change_nouns }})\b
{%- endset -%}
{%- set per_share -%} per\s(?:[\w-]+\s){0,4}(?:share|unit|ads)\b {%- endset -%}
{%- set share_adjectives = [
    'common', 'preferred', 'ordinary', 'class', '[abc]', 'restricted', 'additional', 'outstanding', 'of', 'our', 'its',
    'the', 'company', 'stock', 'basic', 'diluted', 'weighted', 'weighted-average', 'average',
] | join('|') -%}
{%- set shares_after -%}
    (?i)^\)?(?:, respectively,)?\s(?:(?:{{ share_adjectives }})\s){0,4}shares?\b
{%- endset -%}
{#- A table row such as "weighted-average shares outstanding 925 944". -#}
{%- set share_row -%} \b[Ss]hares\b[a-z\s-]*[0-9,.\s]*$ {%- endset -%}
{%- set money_word_after -%}
    (?i)^\s(?:u\.?s\.?\s)?(dollars|euros?|yen|pounds|yuan|renminbi)\b
{%- endset -%}
{%- set currency_codes = {
    '$': 'USD', 'US$': 'USD', 'dollars': 'USD', 'cents': 'USD', 'C$': 'CAD', 'CA$': 'CAD', 'CAD$': 'CAD', 'A$': 'AUD',
    'AU$': 'AUD', 'HK$': 'HKD', 'NZ$': 'NZD', 'S$': 'SGD', 'R$': 'BRL', 'NT$': 'TWD', '€': 'EUR', 'euro': 'EUR',
    'euros': 'EUR', '£': 'GBP', 'pounds': 'GBP', '¥': 'JPY', 'yen': 'JPY', '₹': 'INR', 'RMB': 'CNY', 'yuan': 'CNY',
    'renminbi': 'CNY',
} -%}
{%- set instrument_adjectives = [
    '[0-9]+[- ]year', 'fixed', 'floating', 'rate', 'senior', 'junior', 'subordinated', 'secured', 'unsecured',
    'convertible', 'exchangeable', 'series [a-z]', 'cumulative', 'perpetual', 'redeemable', 'guaranteed', 'global',
    'medium[- ]term', 'surplus', 'first lien', 'second lien', 'mortgage', 'corporate', 'unregistered', 'registered',
] | join('|') -%}
{%- set instruments = [
    '(?-i:[Nn]otes|note)', 'bonds?', 'debentures?', 'preferred', '(?:capital|debt) securities', 'term loans?', 'coupon',
    'per annum',
] | join('|') -%}
{%- set instrument_after -%}
    (?i)^\s(?:(?:{{ instrument_adjectives }})[\s,]{1,2}){0,6}(?:{{ instruments }})\b
{%- endset -%}
{%- set rate_of -%} (?:(?:an?|the) (?:annual|fixed|weighted[- ]average) rate of\s) {%- endset -%}
{%- set rate_verb -%} (?:,? (?:payable|ranging|accruing|accrues)(?: (?:semi-?annually|quarterly))?) {%- endset -%}
{%- set instrument_before -%}
    (?i)\b(?:interest|coupon)(?: rates?)?{{ rate_verb }}? (?:at|of|from)\s{{ rate_of }}?$
{%- endset -%}
{#- "Rose 5% from $1.2 billion to $1.4 billion" names two levels, "rates from 5% to 7%" a range. -#}
{%- set moved_from -%} (?i)\b(?:{{ change_words }})\b[^;]*\sfrom\s{{ hedge }}*$ {%- endset -%}
{%- set outlook -%}
    (?i)\b(?:expect|anticipat|estimat|project|forecast|target|guidance|outlook|will|may|could|would|should|rang)
{%- endset -%}
{%- set joined -%} (?:\b(?:and|or|to|through)\b|[-–—,]) {%- endset -%}
{#- "A rate of (5%)" is negative, as in a row of bare figures; "fell by $9 million (5%)" repeats what was said. -#}
{%- set before_negative -%} (?:[0-9)%]|(?i)\b(?:was|were|is|of|to|from|and|or|versus))\s*[(]$ {%- endset -%}
{#- What may follow a bare integer of a table row; a noun would make it a count ("47 states"). -#}
{%- set row_after -%} ^(?:$|[\s)]*[^a-z\s]|\s(?:and|or|to|in|for|compared|versus|from|at|as)\b) {%- endset -%}
{#- "$25 per ton", "a price of $52.37", "$1,000 principal amount", "multiples of $1,000": prices and denominations. -#}
{%- set price_after -%}
    (?i)^\)?\s(?:in cash\s)?(?:for each|for every|each\b|(?:per|an?)\s(?:share|unit|ads|ton|tonne|barrel|gallon|acre|pound|ounce|mcf|mmbtu|mwh|square|hour|day|month|subscriber|customer|user|member|store|warrant|\$))
{%- endset -%}
{%- set price_before -%}
    (?i)\b(?:(?:price|fee|par value|rate)s?\s(?:per\s\w+\s)?(?:of|was|is|at|equal to)|(?:per|each|every|multiples of|denominations of))\s(?:approximately\s|about\s)?$
{%- endset -%}
{%- set denomination_after -%} (?i)^\s(?:in\s)?(?:aggregate\s)?(?:principal|face) amount {%- endset -%}
{#- A row of figures: a number stands right before or right after. -#}
{%- set row_neighbour_after -%} ^\)?\s+(?:[$]\s?)?(?:[(]\s?)?(?:[\d.]|[-–—]\s) {%- endset -%}
{%- set row_neighbour_before -%} [\d)%]\s+$|\s[-–—]\s+$ {%- endset -%}
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

dollar_conventions as (

    select * from {{ ref('int_dollar_conventions') }}
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

-- The caption in the sentence itself, the last one before it in its item, and how its item writes dollars.
captioned_sentences as (

    select
        sentences.*,
        coalesce(own_captions.caption_scale, '') as header_scale,
        own_captions.caption_pos as header_pos,
        earlier_captions.caption_scale as earlier_scale,
        sentences.sentence_pos - earlier_captions.sentence_pos as caption_distance,
        -- the statements of a filing are tables of up to a hundred rows
        sentences.sentence_pos < coalesce(earlier_captions.table_end_pos, sentences.sentence_pos + 1)
        and caption_distance <= 100 as is_in_captioned_table,
        dollar_conventions.row_scale,
        dollar_conventions.text_scale,
    from sentences
    left join captions as own_captions
        on sentences.sentence_id = own_captions.sentence_id
    asof left join captions as earlier_captions
        on sentences.filing_id = earlier_captions.filing_id
        and sentences.section_id = earlier_captions.section_id
        and sentences.sentence_pos > earlier_captions.sentence_pos
    left join dollar_conventions
        on sentences.filing_id = dollar_conventions.filing_id
        and sentences.section_id = dollar_conventions.section_id

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
listed_amounts as (

    select
        * exclude (pieces),
        list_transform(pieces, lambda piece: split_part(piece, chr(2), 1)) as raws,
        list_transform(pieces, lambda piece: lower(split_part(piece, chr(2), 2))) as separators,
    from split_expressions

),

described_amounts as (

    select
        *,
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
        -- Only the phrase of the last change word counts, and a cause inside it breaks the link.
        regexp_extract(text_before, '{{ change_before }}', 1) as change_phrase_before,
        regexp_extract(text_after, '{{ change_after }}', 1) as change_phrase_after,
        regexp_matches(text_after, '(?i)^\)?\s(?:in )?{{ per_share }}') as is_before_per_share,
    from listed_amounts

),

changed_amounts as (

    select
        * exclude (change_phrase_before, change_phrase_after),
        case
            when regexp_matches(change_phrase_before, '(?i)^(?:{{ other_agents }})') then ''
            when regexp_matches(change_phrase_before, '(?is)^.*{{ cause }}.*\sof$') then ''
            else change_phrase_before
        end as change_before,
        -- "$7.4 million, or 5%, increase", but not "was $5 million, lower than expected"
        case
            when regexp_matches(text_after, '^\)?,') and regexp_matches(change_phrase_after, 'er$') then ''
            else change_phrase_after
        end as change_after,
    from described_amounts

),

-- "Rose from $5 to $7 million" and "rose $2 million to $7 million" name levels; "rates from 5% to 7%" and "expected to
-- rise 5% to 7%" name a range.
framed_amounts as (

    select
        *,
        (
            change_before != ''
            and (suffixes[1] != '' or contains(number_texts[1], ','))
            and not regexp_matches(text_before, '{{ outlook }}')
        )
        or regexp_matches(text_before, '{{ moved_from }}') as names_levels,
        regexp_matches(text_before, '(?i)\bbetween\s{{ hedge }}*$') as is_after_between,
    from changed_amounts

),

ranged_amounts as (

    select
        *,
        list_transform(
            range(1, len(raws)),
            lambda i: (
                kinds[i] = kinds[i + 1] or kinds[i + 1] = 'plain'
                -- "5-7%", but not the table cells "1,150 - 4.446 %"
                or (kinds[i] = 'plain' and kinds[i + 1] = 'percent' and numbers[i] <= numbers[i + 1])
            ) and (
                regexp_matches(separators[i], '[-–—]|through')
                -- "rose 18%, or $695 million, to $4.5 billion": a restatement in between changes nothing
                or (
                    regexp_matches(separators[i], '\bto\b')
                    and not (names_levels and (i = 1 or regexp_matches(separators[i - 1], '\bor\b|[(]')))
                )
                or (regexp_matches(separators[i], '\band\b') and i = 1 and is_after_between)
            )
        ) as are_range,
    from framed_amounts

),

amount_structs as (

    select
        * exclude (
            expression, raws, separators, currencies, number_texts, numbers, suffixes, kinds, are_range, names_levels,
            is_after_between
        ),
        unnest(list_transform(
            range(1, len(raws) + 1),
            lambda i: struct_pack(
                raw := raws[i],
                raw_pos := expression_pos + length(array_to_string(list_slice(raws, 1, i - 1), ''))
                + length(array_to_string(list_slice(separators, 1, i - 1), '')),
                is_first := i = 1,
                is_last := i = len(raws),
                number_text := number_texts[i],
                number := numbers[i],
                suffix := suffixes[i],
                currency := currencies[i],
                kind := kinds[i],
                separator_before := case when i > 1 then separators[i - 1] else '' end,
                separator_after := separators[i],
                previous_suffix := case when i > 1 then suffixes[i - 1] else '' end,
                previous_currency := case when i > 1 then currencies[i - 1] else '' end,
                next_currency := coalesce(currencies[i + 1], ''),
                next_number := numbers[i + 1],
                later_suffix := coalesce(
                    list_filter(list_slice(suffixes, i + 1, len(suffixes)), lambda suffix: suffix != '')[1], ''
                ),
                is_first_kind := kinds[i] in (kinds[1], 'plain') or kinds[1] = 'plain',
                is_last_kind := kinds[i] in (kinds[len(kinds)], 'plain'),
                is_after_to := list_bool_or(list_transform(
                    range(1, i), lambda j: regexp_matches(separators[j], '\bto\b') and not are_range[j]
                )),
                is_low := coalesce(are_range[i], false),
                is_high := i > 1 and coalesce(are_range[i - 1], false)
            )
        )) as amount,
    from ranged_amounts

),

single_amounts as (

    select
        * exclude (amount),
        unnest(amount) as amount_fields,
    from amount_structs

),

-- "$1.2 to $1.4 billion" and "5, 7 and 9 percent": the last number's scale or percent sign is that of all. Not so where
-- the number is complete as it stands ("$1,250 and $3 billion") or a figure per share ("$2.71 and $22.1 billion").
completed_amounts as (

    select
        * exclude (suffix, currency),
        suffix in ('', 'cent', 'cents') and number < 1000 and (
            (is_before_per_share and (is_last or contains(number_text, '.')))
            or (
                regexp_matches(number_text, '[.][0-9]{2,3}$')
                and regexp_matches(
                    case
                        when header_scale = '' then text_before
                        else regexp_replace(text_before, '(?i)except[^():;]*', '')
                    end,
                    '(?i)\b(?:eps|{{ per_share }})'
                )
            )
        ) as is_per_share,
        case
            when suffix != '' or later_suffix = '' or is_per_share or number >= 1000 then suffix
            when contains(separator_after, '(') or not regexp_matches(separator_after, '{{ joined }}') then suffix
            when kind = 'plain' and next_currency = '' then later_suffix
            when
                kind = 'money' and (next_currency != '' or is_low) and number < 100 * next_number
                and not regexp_matches(later_suffix, '[%]|per|point|bps|ppt')
                then later_suffix
            else suffix
        end as suffix,
        case
            when currency != '' or kind = 'percent' then currency
            when is_high or (previous_suffix = '' and regexp_matches(separator_before, '{{ joined }}'))
                then previous_currency
            else ''
        end as currency,
    from single_amounts

),

scaled_amounts as (

    select
        *,
        regexp_matches(suffix, '[%]|per|point|bps|ppt') as is_percent,
        case
            when suffix = '' then null
            when regexp_matches(suffix, 'basis|bps') then 'basis points'
            when starts_with(suffix, 'k') or starts_with(suffix, 'thousand') then 'thousand'
            when starts_with(suffix, 'm') then 'million'
            when starts_with(suffix, 'b') then 'billion'
            when starts_with(suffix, 't') then 'trillion'
        end as stated_scale,
        header_scale != '' and suffix = '' and not is_per_share and currency in ('', '$', 'US$') as is_scaled_by_header,
        case
            when header_scale != '' and regexp_matches(text_before, '{{ share_row }}') then true
            -- a capital letter begins the next row's name
            when is_scaled_by_header and regexp_matches(text_after, '^\s[A-Z]') then false
            else regexp_matches(text_after, '{{ shares_after }}')
        end as is_share_count,
        sentence_kind = 'table_row'
        or regexp_matches(text_after, '{{ row_neighbour_after }}')
        or regexp_matches(text_before, '{{ row_neighbour_before }}') as is_in_row,
        regexp_matches(text_after, '{{ price_after }}')
        or (regexp_matches(text_before, '{{ price_before }}') and (number < 1000 or number % 1000 = 0))
        or (regexp_matches(text_after, '{{ denomination_after }}') and number <= 10000) as is_price,
        case
            when suffix like 'cent%' then 'cents'
            when currency != '' then translate(currency, '. ', '')
            else lower(regexp_extract(text_after, '{{ money_word_after }}', 1))
        end as money_name,
    from completed_amounts

),

-- What a dollar amount without a scale of its own is counted in. `exact`: it stands for itself. Null: nobody can tell.
dollar_scales as (

    select
        *,
        case
            when suffix != '' or is_per_share or is_percent or is_scaled_by_header then null
            -- "1,577" in the row under "(Millions)"
            when currency = ''
                then case
                        when
                            is_in_row and (caption_distance <= 3 or is_in_captioned_table)
                            and contains(number_text, ',') and not is_share_count
                            and not regexp_matches(text_before, '(?i)\bshares?\b')
                            then earlier_scale
                    end
            when currency not in ('$', 'US$', 'USD') then null
            when is_price then 'exact'
            -- a row of figures per share in a table of millions
            when is_in_row and regexp_matches(number_text, '^[0-9]{0,2}[.][0-9]{2}$') then null
            when is_in_row and caption_distance <= 10 and coalesce(row_scale, '') != 'exact' then earlier_scale
            when is_in_row and (caption_distance <= 3 or is_in_captioned_table) then earlier_scale
            when is_in_row then row_scale
            when number >= 1000000 then 'exact'
            when text_scale = 'exact' and coalesce(
                    row_scale, ''
                ) != 'exact'
                then case
                        -- "$455,000" beside "$2.6 million"; not "$97", nor "$1,174" where tables are in millions
                        when number % 1000 = 0 or (number >= 1000 and coalesce(row_scale, '') != 'million') then 'exact'
                    end
            -- "$69,000" where text is in millions is more likely exact
            when text_scale = 'million' and number >= 10000 and number % 1000 = 0 then null
            else text_scale
        end as found_scale,
        case
            when found_scale in ('million', 'billion') and number >= 1000000 then 'exact'
            else found_scale
        end as dollar_scale,
        coalesce(stated_scale, if(is_scaled_by_header, header_scale, dollar_scale)) as known_scale,
    from scaled_amounts

),

valued_amounts as (

    select
        *,
        case
            when is_percent then '%'
            {% for name, code in currency_codes.items() -%}
                when money_name = '{{ name }}' then '{{ code }}'
            {% endfor -%}
            when money_name != '' then money_name
            when is_per_share then 'USD'
            when is_share_count then 'shares'
            when is_scaled_by_header or dollar_scale is not null then 'USD'
            else 'number'
        end as base_unit,
        case
            when is_percent then 1
            when known_scale = 'thousand' then 1000
            when known_scale = 'million' then 1000000
            when known_scale = 'billion' then 1000000000
            when known_scale = 'trillion' then 1000000000000
            else 1
        end as scale_factor,
        case
            when stated_scale = 'basis points' or suffix like 'cent%' then 100
            else 1
        end as divisor,
        suffix = '' and money_name in ('$', 'US$', 'USD') and not is_per_share and known_scale is null as is_scale_unknown,
        contains(raw, ')') or (
            is_percent and starts_with(coalesce(nullif(ltrim(separator_after), ''), ltrim(text_after)), ')')
            and change_before = ''
            and case
                when is_first then regexp_matches(text_before, '{{ before_negative }}')
                else ends_with(separator_before, '(') and previous_suffix in ('', '%')
            end
        ) as is_negative,
        is_first and regexp_matches(text_before, '(?:^|[\s(])[-−]$') as has_minus,
    from dollar_scales
    where
        number is not null
        and (
            currency != '' or suffix != '' or regexp_matches(raw, '[,.]') or regexp_matches(raw, '^[(][0-9]{3,}')
            or (
                is_scaled_by_header and raw_pos > header_pos and number >= 10
                and (not is_last or regexp_matches(text_after, '{{ row_after }}'))
            )
        )

),

directed_amounts as (

    select
        *,
        case
            when regexp_matches(separator_before, 'creased') then regexp_extract(separator_before, '(in|de)creased')
            when is_high and is_low = false and regexp_matches(separator_before, '\bto\b') and change_before != ''
                then change_before
            when
                change_before != ''
                and not coalesce(is_after_to, false)
                and (is_first or is_high or is_first_kind or regexp_matches(separator_before, '\bor\b|[(]'))
                then change_before
            when
                change_after != ''
                and (is_last or is_low or is_last_kind or regexp_matches(separator_after, '\bor\b|[(]'))
                then change_after
        end as change_phrase,
    from valued_amounts

),

kpi_amounts as (

    select
        sentence_id,
        filing_id,
        cast(row_number() over sentence_amounts - 1 as integer) as amount_index,
        case when has_minus then substr(sentence_text, raw_pos - 1, 1) || raw else raw end as raw_text,
        cast(case when has_minus then raw_pos - 1 else raw_pos end as integer) as start_pos,
        cast(number * scale_factor as double) / divisor * if(is_negative or has_minus, -1, 1) as value,
        case
            when is_scale_unknown then null
            else base_unit || case when is_per_share and not is_percent then ' per share' else '' end
        end as unit,
        if(is_scale_unknown, 'scale unknown', null) as unit_reason,
        nullif(known_scale, 'exact') as scale_word,
        case
            when regexp_matches(suffix, '^(?:[kmbt]|mm|bn)$') then 'suffix'
            when stated_scale is not null then 'word'
            when is_scaled_by_header then 'header'
            when dollar_scale = 'exact' then 'exact'
            when dollar_scale is not null and is_in_row and (caption_distance <= 10 or is_in_captioned_table) then 'caption'
            when dollar_scale is not null then 'convention'
        end as scale_source,
        0.5 * scale_factor / pow(10, length(split_part(number_text, '.', 2))) / divisor as rounding,
        change_phrase is not null as is_change,
        case
            when regexp_matches(change_phrase, '(?i)^(?:{{ increase_words }})') then 'increase'
            when regexp_matches(change_phrase, '(?i)^(?:{{ decrease_words }})') then 'decrease'
        end as change_direction,
        case when is_low then 'low' when is_high then 'high' end as range_role,
        is_percent and (
            (is_last and regexp_matches(text_after, '{{ instrument_after }}'))
            or regexp_matches(text_before, '{{ instrument_before }}')
        ) as is_instrument_rate,
    from directed_amounts
    window sentence_amounts as (
        partition by sentence_id
        order by raw_pos
    )

)

select * from kpi_amounts
