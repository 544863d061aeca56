with

sections as (

    select * from {{ ref('sections') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind is distinct from 'written_row'

),

sentence_counts as (

    select
        section_id,
        count(*) as sentence_count,
        count(distinct filing_id) as filing_count,
    from sentences
    group by section_id

),

final as (

    select
        sections.section_id,
        sections.section_name,
        sections.part,
        sections.section_code,
        coalesce(sentence_counts.filing_count, 0) as filing_count,
        coalesce(sentence_counts.sentence_count, 0) as sentence_count,
    from sections
    left join sentence_counts
        on sections.section_id = sentence_counts.section_id

)

select * from final
