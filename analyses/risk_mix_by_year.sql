-- How has the mix of a company's risk disclosure shifted from one year to the next?
-- The share of risk sentences whose primary topic is each topic, and its change in percentage points.
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

topic_counts as (

    select
        cik_int,
        name,
        report_year,
        risk_topic,
        count(*) as sentence_count,
        sum(count(*)) over (partition by cik_int, report_year) as all_sentence_count,
    from risk_atlas
    where is_primary
    group by cik_int, name, report_year, risk_topic

),

shares as (

    select
        *,
        100.0 * sentence_count / all_sentence_count as share_percent,
    from topic_counts

)

select
    name,
    risk_topic,
    report_year,
    sentence_count,
    round(share_percent, 1) as share_percent,
    round(
        share_percent - lag(share_percent) over (partition by cik_int, risk_topic order by report_year), 1
    ) as change_in_points,
    lag(report_year) over (partition by cik_int, risk_topic order by report_year) as compared_with_year,
from shares
order by
    name,
    risk_topic,
    report_year
