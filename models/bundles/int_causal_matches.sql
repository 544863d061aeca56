-- A causal sentence says why: it holds an explicit connector such as "due to" or "driven by", other than in phrases
-- that merely look like one ("amounts due to affiliates").
-- depends_on: {{ ref('causal_patterns') }}
{%- set rules = label_rules('causal_patterns', 'connector') %}
with

sentences as (

    select * from {{ ref('fct_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

candidates as (

    select
        sentence_id,
        filing_id,
        sentence_text,
    from sentences
    where regexp_matches(sentence_text, {{ any_rule(rules) }})

),

connected as (

    select
        sentence_id,
        filing_id,
        list_filter([
            {%- for rule in rules %}
            case when {{ matched_phrase('sentence_text', rule) }} is not null then '{{ rule.label }}' end
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], lambda connector: connector is not null) as connectors,
    from candidates

),

causal as (

    select * from connected
    where len(connectors) > 0

)

select * from causal
