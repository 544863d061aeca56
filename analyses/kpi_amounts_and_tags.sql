-- Where do V1 and the filer's own tags disagree about a KPI, and what does the tag say?
with

agreement as (

    select * from {{ ref('int_kpi_tag_sentences') }}
    where
        not is_agreeing
        and kpi_label != 'all'

),

tagged_facts as (

    select * from {{ ref('fct_tagged_facts') }}

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

tags as (

    select
        sentence_id,
        string_agg(distinct concat_ws(' ', split_part(concept, ':', -1), period_end), ', ') as concepts,
    from tagged_facts
    group by sentence_id

),

final as (

    select
        agreement.measure,
        agreement.kpi_label,
        sentences.company_name,
        kpi_scan.kpi_amount.raw_text as kpi_amount,
        kpi_scan.value_year,
        tags.concepts,
        sentences.sentence_text,
    from agreement
    inner join sentences
        on agreement.sentence_id = sentences.sentence_id
    left join tags
        on agreement.sentence_id = tags.sentence_id
    left join kpi_scan
        on agreement.sentence_id = kpi_scan.sentence_id
        and agreement.kpi_label = kpi_scan.kpi_label

)

select * from final
order by measure, kpi_label, company_name, sentence_text
