-- Where V1 and the filer's tags both speak of a sentence: by each measure whether they say the same. A sentence counts once
-- for each of its labels, and once in `all` for each label.
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

-- The KPI's amount in V1, where some tag of the sentence has its value: is a concept of the KPI among the tags that do?
attributed as (

    select
        kpi_scan.kpi_label,
        kpi_scan.sentence_id,
        kpi_scan.cik_int as cik,
        'amount precision' as measure,
        bool_or(kpi_facts.fact_id is not null) as is_agreeing,
    from kpi_scan
    inner join tagged_facts
        on kpi_scan.sentence_id = tagged_facts.sentence_id
        and tagged_facts.unit != 'pure'
        -- as stated, to half of its last place; brackets are not the sign of a tag
        and abs(abs(tagged_facts.value) - abs(kpi_scan.kpi_value)) <= 1.0001 * kpi_scan.kpi_amount.rounding
    left join kpi_facts
        on tagged_facts.fact_id = kpi_facts.fact_id
        and kpi_scan.kpi_label = kpi_facts.kpi_label
    where kpi_scan.kpi_role = 'level'
    group by kpi_scan.kpi_label, kpi_scan.sentence_id, kpi_scan.cik_int

),

-- Sentences with a fact of the KPI: does V1 give them the label, and one of the facts' values as the KPI's amount?
tagged as (

    select
        kpi_facts.kpi_label,
        kpi_facts.sentence_id,
        kpi_facts.cik,
        any_value(kpi_scan.sentence_id) is not null as has_label,
        coalesce(
            bool_or(
                abs(abs(kpi_facts.value) - abs(kpi_scan.kpi_value)) <= 1.0001 * kpi_scan.kpi_amount.rounding
            ),
            false
        ) as has_amount,
    from kpi_facts
    left join kpi_scan
        on kpi_facts.sentence_id = kpi_scan.sentence_id
        and kpi_facts.kpi_label = kpi_scan.kpi_label
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
