-- A causal sentence says why: it holds an explicit connector such as "due to" or "driven by", other than in phrases
-- that merely look like one ("amounts due to affiliates"). Some connectors say why only behind a change or a figure ("the
-- increase in fees relates to"; role before of the registry, matched to what stands before the phrase).
{%- set rules = label_rules('causal_patterns', 'connector') %}
with

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where
        sentence_kind is distinct from 'written_row'
        and report_year is distinct from 0
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

candidates as (

    select
        sentence_id,
        filing_id,
        sentence_text,
    from sentences
    where {{ matches_any_rule('sentence_text', rules) }}

),

-- Materialized, or the filter on the list of matches would look for them a second time.
matched as materialized (

    select
        sentence_id,
        filing_id,
        sentence_text,
        list_filter([
            {%- for rule in rules %}
            {%- set phrase = matched_phrase('sentence_text', rule) %}
            {
                'connector': '{{ rule.label }}',
                'phrase': {% if rule.before -%}
                    case
                        when
                            regexp_matches(
                                substr(sentence_text, 1, strpos(sentence_text, {{ phrase }}) - 1), {{ rule.before }}
                            )
                            then {{ phrase }}
                    end
                {%- else %}{{ phrase }}{% endif %}
            }
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], lambda match: match.phrase is not null) as matches,
    from candidates

),

causal as (

    select
        sentence_id,
        filing_id,
        list_transform(matches, lambda match: match.connector) as connectors,
        list_min(list_transform(matches, lambda match: strpos(sentence_text, match.phrase))) as first_connector_pos,
    from matched
    where len(matches) > 0

)

select * from causal
