-- The questions that are in the draw of their category and difficulty, each with its place in it.
-- The draw is the same in every build: best evidence first, then by a hash of seed and candidate. Within a shape a
-- company and a year take at most their share (seeds.question_quotas), and topics take turns, as do no and yes; then the
-- shapes of a category take turns (seeds.question_shapes), before the quota cuts the draw. So neither a company, nor a
-- topic, nor an answer, nor a shape with many candidates makes up a category.
with

pool as (

    select * from {{ ref('int_question_pool') }}

),

quotas as (

    select * from {{ ref('question_quotas') }}

),

shapes as (

    select * from {{ ref('question_shapes') }}

),

company_names as (

    select map(list(cik), list(question_name)) as name_of
    from {{ ref('int_company_names') }}

),

company_ranked as (

    select
        pool.*,
        shapes.turn,
        row_number() over (
            partition by pool.shape, pool.difficulty, pool.cik_ints[1]
            order by pool.has_repeated_evidence, pool.is_in_short_section, pool.quality desc, pool.draw_hash
        ) as company_rank,
    from pool
    inner join shapes
        on pool.shape = shapes.shape

),

year_ranked as (

    select
        company_ranked.*,
        quotas.category_name,
        quotas.questions,
        row_number() over (
            partition by company_ranked.shape, company_ranked.difficulty, list_max(company_ranked.years)
            order by
                company_ranked.has_repeated_evidence,
                company_ranked.is_in_short_section,
                company_ranked.company_rank,
                company_ranked.draw_hash
        ) as year_rank,
        quotas.per_year,
    from company_ranked
    inner join quotas
        on company_ranked.category = quotas.category
        and company_ranked.difficulty = quotas.difficulty
    where company_ranked.company_rank <= quotas.per_company

),

topic_ranked as (

    select
        *,
        row_number() over (
            partition by shape, difficulty, topic_label
            order by has_repeated_evidence, is_in_short_section, company_rank, quality desc, draw_hash
        ) as topic_rank,
    from year_ranked
    where year_rank <= per_year

),

-- no and yes apart; what is not answered by them is one group
answer_ranked as (

    select
        *,
        row_number() over (
            partition by shape, difficulty, answer_boolean
            order by has_repeated_evidence, is_in_short_section, topic_rank, company_rank, quality desc, draw_hash
        ) as answer_rank,
    from topic_ranked

),

shape_ranked as (

    select
        *,
        row_number() over (
            partition by shape, difficulty
            order by
                has_repeated_evidence,
                is_in_short_section,
                answer_rank,
                answer_boolean,
                topic_rank,
                company_rank,
                quality desc,
                draw_hash
        ) as shape_rank,
    from answer_ranked

),

final as (

    select
        shape_ranked.* exclude (turn, company_rank, year_rank, per_year, topic_rank, answer_rank, shape_rank),
        list_transform(shape_ranked.cik_ints, lambda cik: company_names.name_of[cik]) as company_names,
        row_number() over (
            partition by shape_ranked.category, shape_ranked.difficulty
            order by
                shape_ranked.has_repeated_evidence,
                shape_ranked.is_in_short_section,
                shape_ranked.shape_rank,
                shape_ranked.turn,
                shape_ranked.draw_hash
        ) as draw_rank,
    from shape_ranked
    cross join company_names

)

select * from final
