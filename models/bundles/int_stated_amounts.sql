{#-
    What an amount's own expression and the words around it say: which number a scale or percent sign goes with, whether two
    numbers are a range, whether an amount is a change and in which direction, and its sign.
-#}
{#- How a sentence says that an amount is a change and in which direction. -#}
{%- set increase_words = change_words('increase') -%}
{%- set decrease_words = change_words('decrease') -%}
{%- set changed = increase_words ~ '|' ~ decrease_words ~ '|chang(?:e|es|ed)' -%}
{%- set change_nouns = change_words('noun') -%}
{#- "Increased, offset by $5 million" states no increase of $5 million. -#}
{%- set other_agents = [
    'offset', 'driven', 'caused', 'led', 'followed', 'provided', 'generated', 'used', 'secured', 'guaranteed', 'issued',
    'represented', 'held', 'owned', 'paid', 'backed', 'divided', 'multiplied',
] | join('|') -%}
{%- set hedge -%}
    (?:(?:an?|the|approximately|about|nearly|roughly|almost|over|another|additional|further|only|just|total|slightly)\s)
{%- endset -%}
{%- set change_direct -%} (?:{{ changed }})(?:\s[a-z]+ly)?(?:\s(?:by|was|were))? {%- endset -%}
{%- set change_of -%} (?:{{ change_nouns }})(?:\s[^;:$%]*)?\sof {%- endset -%}
{%- set change_by -%} (?:{{ changed }})\s[^;:]*\sby|(?:{{ other_agents }})\sby {%- endset -%}
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
{%- set per_share -%} (?:per\s(?:[\w-]+\s){0,4}(?:share|unit|ads)|a\sshare)\b {%- endset -%}
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
{%- set moved_from -%} (?i)\b(?:{{ changed }})\b[^;]*\sfrom\s{{ hedge }}*$ {%- endset -%}
{%- set outlook -%}
    (?i)\b(?:expect|anticipat|estimat|project|forecast|target|guidance|outlook|will|may|could|would|should|rang)
{%- endset -%}
{%- set joined -%} (?:\b(?:and|or|to|through)\b|[-–—,]) {%- endset -%}
{#- "A rate of (5%)" is negative, as in a row of bare figures; "fell by $9 million (5%)" repeats what was said. -#}
{%- set before_negative -%} (?:[0-9)%]|(?i)\b(?:was|were|is|of|to|from|and|or|versus))\s*[(]$ {%- endset -%}
with

expressions as (

    select * from {{ ref('int_amount_expressions') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

described_expressions as (

    select
        *,
        -- Only the phrase of the last change word counts, and a cause inside it breaks the link.
        regexp_extract(text_before, '{{ change_before }}', 1) as change_phrase_before,
        regexp_extract(text_after, '{{ change_after }}', 1) as change_phrase_after,
        regexp_matches(text_after, '(?i)^\)?\s(?:in )?{{ per_share }}') as is_before_per_share,
    from expressions

),

changed_expressions as (

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
    from described_expressions

),

-- "Rose from $5 to $7 million" and "rose $2 million to $7 million" name levels; "rates from 5% to 7%" and "expected to
-- rise 5% to 7%" name a range.
framed_expressions as (

    select
        *,
        (
            change_before != ''
            and (suffixes[1] != '' or contains(number_texts[1], ','))
            and not regexp_matches(text_before, '{{ outlook }}')
        )
        or regexp_matches(text_before, '{{ moved_from }}') as names_levels,
        regexp_matches(text_before, '(?i)\bbetween\s{{ hedge }}*$') as is_after_between,
    from changed_expressions

),

ranged_expressions as (

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
    from framed_expressions

),

amounts_of_expressions as (

    select
        * exclude (
            raws, separators, currencies, number_texts, numbers, suffixes, kinds, are_range, names_levels, is_after_between
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
    from ranged_expressions

),

single_amounts as (

    select
        * exclude (amount),
        unnest(amount) as amount_fields,
    from amounts_of_expressions

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

directed_amounts as (

    select
        *,
        regexp_matches(suffix, '[%]|per|point|bps|ppt') as is_percent,
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
    from completed_amounts

),

stated_amounts as (

    select
        sentence_id,
        filing_id,
        section_id,
        sentence_pos,
        sentence_kind,
        header_scale,
        header_pos,
        text_before,
        text_after,
        raw,
        raw_pos,
        number_text,
        number,
        suffix,
        currency,
        is_last,
        is_per_share,
        is_percent,
        contains(raw, ')') or (
            is_percent and starts_with(coalesce(nullif(ltrim(separator_after), ''), ltrim(text_after)), ')')
            and change_before = ''
            and case
                when is_first then regexp_matches(text_before, '{{ before_negative }}')
                else ends_with(separator_before, '(') and previous_suffix in ('', '%')
            end
        ) as is_in_brackets,
        if(is_first, regexp_extract(text_before, '(?:^|[\s(])([-−])$', 1), '') as minus_sign,
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

)

select * from stated_amounts
