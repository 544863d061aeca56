-- Every question that the warehouse could ask, with its place in the draw of its category and difficulty.
-- The draw is the same in every build: best evidence first, then by a hash of seed and candidate. Before that, a
-- company and a year take at most their share (seeds.question_quotas), so that no company's filings make up a category.
with

from_amounts as (

    select * from {{ ref('int_questions_from_amounts') }}

),

from_causes as (

    select * from {{ ref('int_questions_from_causes') }}

),

from_risks as (

    select * from {{ ref('int_questions_from_risks') }}

),

from_definitions as (

    select * from {{ ref('int_questions_from_definitions') }}

),

from_periods as (

    select * from {{ ref('int_questions_from_periods') }}

),

from_absence as (

    select * from {{ ref('int_questions_from_absence') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

quotas as (

    select * from {{ ref('question_quotas') }}

),

candidates as (

    select * from from_amounts

    union all by name

    select * from from_causes

    union all by name

    select * from from_risks

    union all by name

    select * from from_definitions

    union all by name

    select * from from_periods

    union all by name

    select * from from_absence

),

-- Texts that a company repeats in another year cannot tell the years apart; they are drawn last, and gated.
repeated_texts as (

    select
        cik,
        text_hash,
    from sentences
    where duplicate_count > 1
    group by cik, text_hash
    having min(report_year) != max(report_year)

),

evidence as (

    select
        candidate_id,
        unnest(evidence_ids) as sentence_id,
    from candidates

),

candidates_with_repeated_evidence as (

    select distinct evidence.candidate_id
    from evidence
    inner join sentences
        on evidence.sentence_id = sentences.sentence_id
    inner join repeated_texts
        on sentences.cik = repeated_texts.cik
        and sentences.text_hash = repeated_texts.text_hash

),

hashed as (

    select
        candidates.*,
        candidates_with_repeated_evidence.candidate_id is not null as has_repeated_evidence,
        md5('{{ var("gold_seed") }}|' || candidates.candidate_id) as draw_hash,
    from candidates
    left join candidates_with_repeated_evidence
        on candidates.candidate_id = candidates_with_repeated_evidence.candidate_id

),

company_ranked as (

    select
        *,
        row_number() over (
            partition by category, difficulty, cik_ints[1]
            order by has_repeated_evidence, quality desc, draw_hash
        ) as company_rank,
    from hashed

),

year_ranked as (

    select
        company_ranked.*,
        quotas.category_name,
        quotas.questions,
        row_number() over (
            partition by company_ranked.category, company_ranked.difficulty, list_max(company_ranked.years)
            order by company_ranked.has_repeated_evidence, company_ranked.company_rank, company_ranked.draw_hash
        ) as year_rank,
        quotas.per_year,
    from company_ranked
    inner join quotas
        on company_ranked.category = quotas.category
        and company_ranked.difficulty = quotas.difficulty
    where company_ranked.company_rank <= quotas.per_company

),

-- Shapes of a category take turns, so that one with many candidates does not fill it.
shape_ranked as (

    select
        *,
        row_number() over (
            partition by category, difficulty, shape
            order by has_repeated_evidence, company_rank, quality desc, draw_hash
        ) as shape_rank,
    from year_ranked
    where year_rank <= per_year

),

final as (

    select
        * exclude (company_rank, year_rank, per_year, shape_rank),
        row_number() over (
            partition by category, difficulty
            order by shape_rank, draw_hash
        ) as draw_rank,
    from shape_ranked

)

select * from final
