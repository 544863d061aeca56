-- Where V1 and the filer's tags both speak of a sentence: by each measure whether they say the same. A sentence counts once
-- for each of its labels, and once in `all` for each label.
--
-- A tag says what V1 says only if it is of the same year: of the year that the sentence states for the value, else of the
-- filing's own fiscal year, whole and with its last day, or, of debt, whose issues and repayments are events, within it.
-- Fiscal years are called by the year they end in or by the one they begin in; a first or last day may be a few days off.
with

kpi_facts as (

    select * from {{ ref('int_kpi_tagged_facts') }}

),

tagged_facts as (

    select * from {{ ref('fct_tagged_facts') }}

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

valued as (

    select
        kpi_scan.*,
        filings.period_end as year_end,
    from kpi_scan
    inner join filings
        on kpi_scan.filing_id = filings.filing_id

),

-- V1's amount and every tag of its sentence with that value.
same_values as (

    select
        valued.kpi_label,
        valued.sentence_id,
        valued.cik_int as cik,
        valued.kpi_role,
        tagged_facts.fact_id,
        case
            when valued.value_year is not null
                then valued.value_year between year(coalesce(tagged_facts.period_start + 31, tagged_facts.period_end - 31))
                    and year(tagged_facts.period_end)
            when valued.kpi_label = 'debt'
                then date_diff('day', tagged_facts.period_end, valued.year_end) between -8 and 350
            else date_diff('day', tagged_facts.period_end, valued.year_end) between -8 and 8
                and coalesce(date_diff('day', tagged_facts.period_start, tagged_facts.period_end) >= 340, true)
        end as is_of_year,
    from valued
    inner join tagged_facts
        on valued.sentence_id = tagged_facts.sentence_id
        and tagged_facts.unit != 'pure'
        -- as stated, to half of its last place; brackets are not the sign of a tag
        and abs(abs(tagged_facts.value) - abs(valued.kpi_value)) <= 1.0001 * valued.kpi_amount.rounding

),

-- The KPI's amount in V1, where some tag of the sentence has its value: is one of the KPI and of that year among those?
attributed as (

    select
        same_values.kpi_label,
        same_values.sentence_id,
        same_values.cik,
        'amount precision' as measure,
        bool_or(kpi_facts.fact_id is not null and coalesce(same_values.is_of_year, false)) as is_agreeing,
    from same_values
    left join kpi_facts
        on same_values.fact_id = kpi_facts.fact_id
        and same_values.kpi_label = kpi_facts.kpi_label
    where same_values.kpi_role = 'level'
    group by same_values.kpi_label, same_values.sentence_id, same_values.cik

),

-- Sentences with a fact of the KPI: does V1 give them the label, and a fact's value as the KPI's amount of that year?
tagged as (

    select
        kpi_facts.kpi_label,
        kpi_facts.sentence_id,
        kpi_facts.cik,
        any_value(kpi_scan.sentence_id) is not null as has_label,
        coalesce(bool_or(same_values.is_of_year), false) as has_amount,
    from kpi_facts
    left join kpi_scan
        on kpi_facts.sentence_id = kpi_scan.sentence_id
        and kpi_facts.kpi_label = kpi_scan.kpi_label
    left join same_values
        on kpi_facts.fact_id = same_values.fact_id
        and kpi_facts.kpi_label = same_values.kpi_label
    group by kpi_facts.kpi_label, kpi_facts.sentence_id, kpi_facts.cik

),

measured as (

    select * from attributed

    union all by name

    select
        * exclude (has_label, has_amount),
        'label recall' as measure,
        has_label as is_agreeing,
    from tagged

    union all by name

    select
        * exclude (has_label, has_amount),
        'amount recall' as measure,
        has_amount as is_agreeing,
    from tagged

),

by_label as (

    select
        * exclude (kpi_label),
        unnest([kpi_label, 'all']) as kpi_label,
    from measured

)

select * from by_label
