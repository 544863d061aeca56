-- Where does a search within the right company, year and item still miss what stands next to the sentence, and why?
-- Misses of dense search under the filter: queries without gold among the first five, by model, item and reason, with the
-- hardest of each as an example. Of how many queries of the suite, model and item they are stands beside them.
--
-- Reasons are known of the hardest of each run, `hardest_cases_per_run` of them: the others are "not looked into". "none"
-- is a miss that no reason which can be computed explains.
with

items as (

    select * from {{ ref('retrieval_items') }}
    where
        strategy = 'dense'
        and regime = 'filtered'
        and gold_predicate = 'positional'
        and gold_window in ('{{ var("p1_windows") | max }}', 'adaptive')
        and is_covered
        and not is_error

),

runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

hardest_cases as (

    select * from {{ ref('hardest_cases') }}

),

asked as (

    select
        items.run_id,
        items.suite,
        items.embedding_model,
        items.query_id,
        items.gold_window,
        items.gold_predicate,
        items.first_gold_rank,
        items.hit_at_5,
        queries.section_id,
        queries.company_name,
        queries.query_text,
        count(*) over (partition by items.run_id, queries.section_id) as query_count,
    from items
    inner join runs
        on items.run_id = runs.run_id
    inner join queries
        on items.query_id = queries.query_id

)

select
    asked.suite,
    asked.embedding_model,
    asked.section_id,
    coalesce(hardest_cases.reason_class, 'not looked into') as reason_class,
    count(*) as miss_count,
    asked.query_count,
    count(*) filter (where asked.first_gold_rank is null) as never_found_count,
    count(distinct asked.company_name) as company_count,
    min_by(asked.query_text, hardest_cases.hardness_rank) as query_text,
    min_by(hardest_cases.nearest_text, hardest_cases.hardness_rank) as nearest_text,
from asked
left join hardest_cases
    on asked.run_id = hardest_cases.run_id
    and asked.query_id = hardest_cases.query_id
    and asked.gold_window = hardest_cases.gold_window
    and asked.gold_predicate = hardest_cases.gold_predicate
where not asked.hit_at_5
group by all
order by
    miss_count desc,
    asked.suite,
    asked.embedding_model,
    asked.section_id,
    reason_class
