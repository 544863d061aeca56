-- Which hits of a question become its context: by rank, no text twice within a company's year, until the sentences or
-- the tokens are used up. A token is counted for every four characters of tag and text, the usual estimate for English.
-- A sentence that does not fit ends the list, so that a context never holds a sentence and lacks a better one.
-- Ranking by lot is left out: it is there to be beaten as retrieval.
with

runs as (

    select * from {{ ref('int_question_runs') }}
    where
        is_current
        and method != 'random'

),

hits as (

    select * from {{ ref('int_question_hits') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

companies as (

    select * from {{ ref('dim_companies') }}

),

sections as (

    select * from {{ ref('sections') }}

),

tagged as (

    select
        runs.run_id,
        runs.suite,
        runs.strategy,
        runs.embedding_model,
        hits.query_id,
        hits.rank,
        hits.score,
        sentences.sentence_id,
        sentences.text_hash,
        sentences.cik,
        companies.company_name,
        sentences.report_year,
        sentences.section_id,
        sentences.sentence_pos,
        sentences.sentence_text,
        {{ entity_tag(
            'companies.company_name', 'sentences.report_year', 'sections.item_label', 'sentences.section_id',
            'sentences.section_heading'
        ) }} as entity_tag,
        ceil((len(entity_tag) + 1 + len(sentences.sentence_text)) / 4)::integer as token_count,
        row_number() over (
            partition by runs.run_id, hits.query_id, sentences.text_hash, sentences.cik, sentences.report_year
            order by hits.rank
        ) as copy_number,
    from runs
    inner join hits
        on runs.run_id = hits.run_id
    inner join sentences
        on hits.sentence_id = sentences.sentence_id
    inner join companies
        on sentences.cik = companies.cik
    left join sections
        on sentences.section_id = sections.section_id
    where hits.rank is not null

),

counted as (

    select
        *,
        count(*) filter (where copy_number = 1) over by_rank as sentence_count_so_far,
        sum(token_count) filter (where copy_number = 1) over by_rank as token_count_so_far,
    from tagged
    window by_rank as (partition by run_id, query_id order by rank rows between unbounded preceding and current row)

),

final as (

    select
        *,
        case
            when copy_number > 1 then 'duplicate text'
            when token_count_so_far > {{ setting('context_token_budget') }} then 'beyond token budget'
            when sentence_count_so_far > {{ setting('context_max_sentences') }} then 'beyond sentence limit'
        end as reason,
    from counted

)

select * from final
