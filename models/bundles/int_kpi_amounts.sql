{#-
    What an amount is worth: its unit, and the scale that it is counted in, which stands with it, in a header or caption of
    its table, or in how the filing writes dollars elsewhere.
-#}
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
    'US$': 'USD', 'C$': 'CAD', 'CA$': 'CAD', 'CAD$': 'CAD', 'A$': 'AUD',
    'AU$': 'AUD', 'HK$': 'HKD', 'NZ$': 'NZD', 'S$': 'SGD', 'R$': 'BRL', 'NT$': 'TWD', '€': 'EUR', 'euro': 'EUR',
    'euros': 'EUR', '£': 'GBP', 'pounds': 'GBP', '¥': 'JPY', 'yen': 'JPY', '₹': 'INR', 'RMB': 'CNY', 'yuan': 'CNY',
    'renminbi': 'CNY',
} -%}
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

stated_amounts as (

    select * from {{ ref('int_stated_amounts') }}
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

-- The last caption before the amount's sentence in its item, and how its item writes dollars.
captioned_amounts as (

    select
        stated_amounts.*,
        captions.caption_scale as earlier_scale,
        stated_amounts.sentence_pos - captions.sentence_pos as caption_distance,
        -- the statements of a filing are tables of up to a hundred rows
        stated_amounts.sentence_pos < coalesce(captions.table_end_pos, stated_amounts.sentence_pos + 1)
        and caption_distance <= 100 as is_in_captioned_table,
        dollar_conventions.row_scale,
        dollar_conventions.text_scale,
        dollar_conventions.dollar_code,
    from stated_amounts
    asof left join captions
        on stated_amounts.filing_id = captions.filing_id
        and stated_amounts.section_id = captions.section_id
        and stated_amounts.sentence_pos > captions.sentence_pos
    left join dollar_conventions
        on stated_amounts.filing_id = dollar_conventions.filing_id
        and stated_amounts.section_id = dollar_conventions.section_id

),

scaled_amounts as (

    select
        *,
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
    from captioned_amounts

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
            when money_name in ('$', 'dollars', 'cents') then coalesce(dollar_code, 'USD')
            {% for name, code in currency_codes.items() -%}
                when money_name = '{{ name }}' then '{{ code }}'
            {% endfor -%}
            when money_name != '' then money_name
            when is_per_share then coalesce(dollar_code, 'USD')
            when is_share_count then 'shares'
            when is_scaled_by_header or dollar_scale is not null then coalesce(dollar_code, 'USD')
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

kpi_amounts as (

    select
        sentence_id,
        filing_id,
        cast(row_number() over sentence_amounts - 1 as integer) as amount_index,
        minus_sign || raw as raw_text,
        cast(raw_pos - length(minus_sign) as integer) as start_pos,
        cast(number * scale_factor as double) / divisor * if(is_in_brackets or minus_sign != '', -1, 1) as value,
        case
            when is_scale_unknown then null
            else base_unit || case when is_per_share and not is_percent then ' per share' else '' end
        end as unit,
        if(is_scale_unknown, 'scale unknown', null) as unit_reason,
        nullif(known_scale, 'exact') as scale_word,
        case
            when regexp_matches(suffix, '^(?:[kmbt]|mm|mil|mln|mio|mn|bn|bln)$') then 'suffix'
            when stated_scale is not null then 'word'
            when is_scaled_by_header then 'header'
            when dollar_scale = 'exact' then 'exact'
            when dollar_scale is not null and is_in_row and (caption_distance <= 10 or is_in_captioned_table) then 'caption'
            when dollar_scale is not null then 'convention'
        end as scale_source,
        0.5 * scale_factor / pow(10, length(split_part(number_text, '.', 2))) / divisor as rounding,
        is_change,
        change_direction,
        range_role,
        is_instrument_rate,
    from valued_amounts
    window sentence_amounts as (
        partition by sentence_id
        order by raw_pos
    )

)

select * from kpi_amounts
