-- Where does a search within the right company, year and item still miss what stands next to the sentence, and why?
-- The hardest cases of dense search under the filter, by item and reason, with the first of each as an example.
with

hardest_cases as (

    select * from {{ ref('hardest_cases') }}
    where
        strategy = 'dense'
        and regime = 'filtered'
        and gold_predicate = 'positional'
        and gold_window in ('{{ var("p1_windows") | max }}', 'adaptive')

)

select
    suite,
    section_id,
    reason_class,
    count(*) as case_count,
    count(*) filter (where first_gold_rank is null) as never_found_count,
    count(distinct company_name) as company_count,
    min_by(query_text, hardness_rank) as query_text,
    min_by(nearest_text, hardness_rank) as nearest_text,
from hardest_cases
group by
    suite,
    section_id,
    reason_class
order by
    case_count desc,
    suite,
    section_id,
    reason_class
