-- Sentences of Item 1A by risk topic. A topic is tagged when one of its cues occurs; general_risk only when no other
-- topic is. The topic with the most cues is the primary one, ties going to the topic listed first in the registry.
-- depends_on: {{ ref('risk_patterns') }}
{%- set rules = label_rules('risk_patterns', 'risk_topic') %}
with

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_1A'
        and sentence_kind not in ('heading', 'index_line')
    {% if is_incremental() %}and filing_id in ({{ unprocessed_filings() }}){% endif %}

),

-- One pass over the text for all topics together.
candidates as (

    select *
    from sentences
    where regexp_matches(sentence_text, {{ any_rule(rules) }})

),

cue_counts as (

    select
        sentence_id,
        unnest([
            {%- for rule in rules %}
            {
                'topic_order': {{ loop.index }},
                'risk_topic': '{{ rule.label }}',
                'topic_cue_count': {{ phrase_count('sentence_text', rule) }},
                'matched_phrase': {{ matched_phrase('sentence_text', rule) }}
            }
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], recursive := true),
    from candidates

),

topics_with_cues as (

    select
        *,
        sum(topic_cue_count) over (partition by sentence_id)::bigint as risk_cue_count,
        count(*) filter (where risk_topic != 'general_risk') over (partition by sentence_id) as specific_topic_count,
    from cue_counts
    where topic_cue_count > 0

),

tagged as (

    select
        sentence_id,
        risk_topic,
        matched_phrase,
        topic_cue_count,
        risk_cue_count,
        row_number() over (
            partition by sentence_id
            order by topic_cue_count desc, topic_order
        ) = 1 as is_primary,
    from topics_with_cues
    where risk_topic != 'general_risk' or specific_topic_count = 0

),

final as (

    select
        candidates.sentence_id,
        candidates.sentence_id as sentenceID,
        candidates.filing_id,
        candidates.cik as cik_int,
        candidates.company_name as name,
        candidates.report_year,
        candidates.section_id as section_name,
        candidates.sentence_pos,
        tagged.risk_topic,
        tagged.matched_phrase,
        tagged.topic_cue_count,
        tagged.risk_cue_count,
        tagged.is_primary,
        candidates.sentence_text,
    from tagged
    inner join candidates
        on tagged.sentence_id = candidates.sentence_id

)

select * from final
