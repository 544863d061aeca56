-- Sentences of Item 1A by risk topic. The topic with the most cues is the primary one, a cue before the first modal verb
-- counting twice: in "Defects in our ovens could lead to fines and litigation" what stands before "could" is the risk and
-- what follows is its harm. Ties go to the topic listed first in the registry; general_risk only where no other topic has
-- a cue. A further topic is tagged when it has two cues and a verb of risk (role verb of general_risk) stands near the
-- first, within 55 characters and in the same clause. Elsewhere it is named in passing ("…, our suppliers, competitors
-- and lawsuits"). A topic with words of consequence (role verb) needs one of them, or a word of risk, in its sentence:
-- "Our wafers are manufactured in Taiwan." is a fact. So is a loss that was made: a sentence of general_risk that is no
-- item of a list has a word of what may come, and one with words of a topic that are too weak for a cue of it (role
-- blank: systems, buyers, staff) has no topic at all; nor has one that speaks of no theme of general risks (role theme:
-- shares, deals, currencies, plans), since most of what is left is of a topic in words that no cue has. What ends in a
-- colon only leads to its list. The first cue of a primary topic stands in the first 110 characters unless it has four; so
-- does every single cue, or the sentence is about something else. Up to character 165 it may stand where a verb of risk is
-- beside it, a single one only where no other topic has a cue and one or two words speak of risk, and never of lawsuits or
-- rules: so late they are the harm of something else ("… and expose us to a lawsuit"). Anywhere it may stand amid three
-- sentences of its topic, and four to each of another, where its sentence speaks of no other topic and looks ahead. Over
-- 700 characters a sentence is a list that its source runs together, of several topics, and has none.
{%- set rules = label_rules('risk_patterns', 'risk_topic') %}
with

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_1A'
        and report_year is distinct from 0
        and length(sentence_text) <= 700
        and sentence_kind not in ('heading', 'index_line', 'written_row')
        and not {{ is_cross_reference('sentence_text') }}
    {% if is_incremental() %}and filing_id in ({{ unprocessed_filings() }}){% endif %}

),

-- All topics together, so that most text is passed over once or twice. Whatever reads these would match the text anew, so
-- that only the cues do.
candidates as (

    select
        *,
        regexp_extract(sentence_text, '(?i)^(.*?)\b(?:could|may|might|would)\b', 1) as head,
    from sentences
    where {{ matches_any_rule('sentence_text', rules) }}

),

cues_by_topic as (

    select
        sentence_id,
        head,
        unnest([
            {%- for rule in rules %}
            {
                'topic_order': {{ loop.index }},
                'risk_topic': '{{ rule.label }}',
                'cues': {{ phrases('sentence_text', rule) }}
            }
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], max_depth := 2),
    from candidates

),

topics_with_cues as (

    select
        * exclude (cues, head),
        len(cues) as topic_cue_count,
        cues[1] as matched_phrase,
        case risk_topic
        {%- for rule in rules %}
            when '{{ rule.label }}'
                then len({{ phrases('head', rule) }})
            {%- endfor %}
        end as topic_head_count,
        sum(topic_cue_count) over (partition by sentence_id)::bigint as risk_cue_count,
        coalesce(
            sum(topic_cue_count) filter (where risk_topic != 'general_risk') over (partition by sentence_id),
            0
        ) as specific_cue_count,
        count(*) filter (where risk_topic != 'general_risk') over (partition by sentence_id) as specific_topic_count,
    from cues_by_topic
    where topic_cue_count > 0

),

-- The clause around a topic's first cue, cut at 55 characters to either side.
placed as (

    select
        topics_with_cues.*,
        sentences.filing_id,
        sentences.sentence_pos,
        sentences.sentence_text,
        strpos(sentences.sentence_text, topics_with_cues.matched_phrase) as cue_pos,
        cue_pos + length(topics_with_cues.matched_phrase) as after_pos,
        regexp_extract(substr(sentences.sentence_text, greatest(cue_pos - 55, 1), least(cue_pos - 1, 55)), '[^;:,•()]*$')
        || ' # '
        || regexp_extract(substr(sentences.sentence_text, after_pos, 55), '^[^;:,•()]*') as clause,
    from topics_with_cues
    inner join sentences
        on topics_with_cues.sentence_id = sentences.sentence_id
    where not regexp_matches(sentences.sentence_text, ':\W*$')

),

at_risk as (

    select
        *,
        cue_pos > 0 and {{ has_consequence('clause', "'general_risk'") }} as has_risk_verb,
        risk_topic = 'general_risk' or topic_cue_count > 3 or cue_pos <= 110 as is_early,
        not is_early
        and cue_pos <= 165
        and has_risk_verb
        and (
            topic_cue_count > 1
            or (
                specific_topic_count = 1
                and risk_topic not in ('legal_ip_litigation', 'regulatory')
                and risk_cue_count - specific_cue_count between 1 and 2
            )
        ) as is_late_risk,
    from placed

),

speaking as (

    select * from at_risk
    where
        (
            risk_topic != 'general_risk'
            or (
                specific_topic_count = 0
                {% for rule in rules if rule.label == 'general_risk' and rule.blank -%}
                    and not regexp_matches(sentence_text, {{ rule.blank }})
                {%- endfor %}
                {% for rule in rules if rule.label == 'general_risk' and rule.theme -%}
                    and regexp_matches(sentence_text, {{ rule.theme }})
                {%- endfor %}
                and regexp_matches(
                    sentence_text,
                    '^\W*[•·●○▪–-]|^\W*[a-z]|[;,]\W*(?:and|or)?\W*$'
                    || '|(?i)\b(?:could|may|might|would|can|cannot|will|if|unless|when|no assurance|unpredict\w+|'
                    || 'volatil\w+|exposed to|fluctuates?|(?:is|are|remains?) (?:[\w-]+ ){0,2}uncertain|'
                    || '(?:subject to|fac(?:e|es|ing)|involves?|expos(?:e|es|ed) \w+ to|poses?|presents?|more) '
                    || '(?:[\w-]+ ){0,4}(?:risks?|uncertain\w+|challenges?|difficult\w+|losses))\b'
                )
            )
        )
        and (topic_cue_count > 1 or specific_topic_count = 1 or is_early)
        and (
            risk_cue_count > specific_cue_count
            or {{ has_consequence('sentence_text', 'risk_topic') }}
        )

),

ranked as (

    select
        *,
        row_number() over (
            partition by sentence_id
            order by is_early desc, topic_cue_count + topic_head_count desc, topic_order
        ) = 1 as is_primary,
    from speaking

),

-- How many sentences within four places share the topic, this one included, and how many have one at all. Those that say
-- it late do not count.
passages as (

    select
        *,
        count(*) filter (where is_early) over (
            partition by filing_id, risk_topic
            order by sentence_pos
            range between 4 preceding and 4 following
        ) as like_count,
        count(*) filter (where is_early and risk_topic != 'general_risk') over (
            partition by filing_id
            order by sentence_pos
            range between 4 preceding and 4 following
        ) as topic_count,
    from ranked
    where is_primary

),

-- Where sentences of other topics outnumber those that share the topic and its cues here together, a sentence of over
-- 120 characters names it in passing; a general risk amid three or more is one of theirs. It is no mention in passing
-- where no other topic has a cue and this one has two, or one before the first modal verb with a verb of risk beside it. A
-- topic whose cues come later than that has to be that of its passage.
in_passage as (

    select sentence_id
    from passages
    where
        case
            when is_early or is_late_risk
                then
                    length(sentence_text) <= 120
                    or case
                        when risk_topic = 'general_risk' then topic_count < 3
                        else topic_cue_count + like_count - 1 >= topic_count - like_count
                    end
                    or (
                        risk_topic != 'general_risk'
                        and specific_topic_count = 1
                        and (topic_cue_count > 1 or (topic_head_count > 0 and has_risk_verb))
                    )
            else
                specific_topic_count = 1
                and like_count > 2
                and like_count >= 4 * (topic_count - like_count)
                and (
                    risk_cue_count > specific_cue_count
                    or regexp_matches(sentence_text, '(?i)\b(?:could|may|might|would|can|cannot|will|if|unless)\b')
                )
        end

),

tagged as (

    select * from ranked
    where
        sentence_id in (select sentence_id from in_passage)
        and (is_primary or (topic_cue_count > 1 and has_risk_verb))

),

final as (

    select
        sentences.sentence_id,
        sentences.sentence_id as sentenceID,
        sentences.filing_id,
        sentences.cik as cik_int,
        sentences.company_name as name,
        sentences.report_year,
        sentences.section_id as section_name,
        sentences.sentence_pos,
        tagged.risk_topic,
        tagged.matched_phrase,
        tagged.topic_cue_count,
        tagged.risk_cue_count,
        tagged.is_primary,
        sentences.sentence_text,
    from tagged
    inner join sentences
        on tagged.sentence_id = sentences.sentence_id

)

select * from final
