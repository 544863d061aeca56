-- Counts by risk topic add up to sentences only if every tagged sentence has exactly one primary topic, and the
-- fallback topic never stands beside a specific one.
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

)

select
    sentence_id,
    count(*) filter (where is_primary) as primary_count,
    count(*) as topic_count,
from risk_atlas
group by sentence_id
having
    count(*) filter (where is_primary) != 1
    or (count(*) > 1 and bool_or(risk_topic = 'general_risk'))
