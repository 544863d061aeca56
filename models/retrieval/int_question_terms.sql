-- KPI and risk terms of a question, by the same rules that label sentences. As for sentences, general_risk is what is
-- left where no other topic is named.
{%- set kpi_rules = label_rules('kpi_patterns', 'kpi_label') %}
{%- set risk_rules = label_rules('risk_patterns', 'risk_topic') %}
with

questions as (

    select * from {{ ref('int_p3_queries') }}

),

matched as (

    select
        *,
        [
            {%- for rule in kpi_rules %}
                case when {{ matched_phrase('query_text', rule) }} is not null then '{{ rule.label }}' end
                {{- ',' if not loop.last }}
            {%- endfor %}
        ]::varchar[] as kpi_matches,
        [
            {%- for rule in risk_rules %}
                case when {{ matched_phrase('query_text', rule) }} is not null then '{{ rule.label }}' end
                {{- ',' if not loop.last }}
            {%- endfor %}
        ]::varchar[] as risk_matches,
    from questions

),

final as (

    select
        suite,
        query_id,
        query_text,
        list_filter(kpi_matches, lambda label: label is not null) as kpi_labels,
        list_filter(
            risk_matches,
            lambda topic: topic is not null
            and (topic != 'general_risk' or len(list_filter(risk_matches, lambda each: each is not null)) = 1)
        ) as risk_topics,
    from matched

)

select * from final
