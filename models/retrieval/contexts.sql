-- The context in reading order: companies by their best hit, their years ascending, items and sentences as in the
-- filing, so that neighbours stand side by side and what belongs to whom is plain.
with

candidates as (

    select * from {{ ref('int_context_candidates') }}
    where reason is null

),

sections as (

    select
        section_id,
        row_number() over (
            order by
                try_cast(regexp_extract(item_label, '^\d+') as integer),
                item_label
        ) as section_order,
    from {{ ref('sections') }}

),

steps as (

    select * from {{ ref('int_pipeline_steps') }}

),

-- A sentence that several paths found is of the first of them: entity, global, expansion.
origins as (

    select
        run_id,
        query_id,
        sentence_id,
        min_by(path, case path when 'entity' then 1 when 'global' then 2 else 3 end) as origin,
    from steps
    where status = 'kept'
    group by run_id, query_id, sentence_id

),

final as (

    select
        candidates.run_id,
        candidates.suite,
        candidates.query_id,
        candidates.strategy,
        candidates.embedding_model,
        row_number() over (
            partition by candidates.run_id, candidates.query_id
            order by
                candidates.best_rank_of_company,
                candidates.report_year,
                sections.section_order,
                candidates.sentence_pos,
                candidates.sentence_id
        )::integer as context_position,
        candidates.sentence_id,
        candidates.cik,
        candidates.company_name,
        candidates.report_year,
        candidates.section_id,
        candidates.sentence_text,
        candidates.entity_tag,
        candidates.token_count,
        coalesce(origins.origin, 'global') as origin,
        candidates.rank,
        candidates.score,
    from (
        select
            *,
            min(rank) over (partition by run_id, query_id, cik) as best_rank_of_company,
        from candidates
    ) as candidates
    left join sections
        on candidates.section_id = sections.section_id
    left join origins
        on candidates.run_id = origins.run_id
        and candidates.query_id = origins.query_id
        and candidates.sentence_id = origins.sentence_id

)

select * from final
