-- In which items can retrieval be judged by neighbours at all, and how far must the window reach to find them?
-- An item with a low share is measured on the few anchors that have neighbours; read its figures with their n. What
-- positional gold has and content gold lacks is headings, pointers and repetitions.
with

anchors as (

    select * from {{ ref('p2_anchors') }}

)

select
    section_id,
    count(*) as anchor_count,
    count(distinct cik) as company_count,
    round(median(section_sentence_count)) as median_section_length,
    round(100.0 * count(*) filter (where is_covered) / count(*), 1) as covered_percent,
    round(100.0 * count(*) filter (where content_gold_count > 0) / count(*), 1) as content_covered_percent,
    round(avg(positional_gold_count), 1) as gold_per_anchor,
    round(avg(content_gold_count), 1) as content_gold_per_anchor,
    round(100.0 * count(*) filter (where content_window > {{ var('p2_window_base') }}) / count(*), 1)
        as grown_window_percent,
from anchors
group by section_id
order by
    content_covered_percent,
    section_id
