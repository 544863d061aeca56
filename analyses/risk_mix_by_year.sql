-- How has the mix of a company's risk disclosure shifted from one year to the next?
-- The share of risk sentences whose primary topic is each topic, and its change in percentage points; 0 where a year has
-- none of a topic that another of the company's years has.
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}
    where is_primary

),

years as (

    select
        cik_int,
        report_year,
        count(*) as all_sentence_count,
    from risk_atlas
    group by cik_int, report_year

),

topics as (

    select
        cik_int,
        risk_topic,
        any_value(name) as name,
    from risk_atlas
    group by cik_int, risk_topic

),

topic_counts as (

    select
        cik_int,
        report_year,
        risk_topic,
        count(*) as sentence_count,
    from risk_atlas
    group by cik_int, report_year, risk_topic

),

shares as (

    select
        topics.cik_int,
        topics.name,
        topics.risk_topic,
        years.report_year,
        coalesce(topic_counts.sentence_count, 0) as sentence_count,
        100.0 * coalesce(topic_counts.sentence_count, 0) / years.all_sentence_count as share_percent,
    from topics
    inner join years
        on topics.cik_int = years.cik_int
    left join topic_counts
        on topics.cik_int = topic_counts.cik_int
        and topics.risk_topic = topic_counts.risk_topic
        and years.report_year = topic_counts.report_year

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
