-- Sentences that define a term, and sentences that name a driver whose effect could be verified.
-- definition: any of the definition phrases, in Items 1, 6, 7, 7A or 8, that is more than a pointer to a definition or
-- the lead to one ("We calculate free cash flow as follows:", also with the heading that comes next).
-- verification: a driver named after a causal connector ("fell due to exchange rates"), or said to have contributed
-- or to have had an effect, in Items 1A, 7 or 7A. What stands between the connector and the driver may not lead to a
-- consequence ("because we sell abroad, we are exposed to exchange rates", "lower demand due to the pandemic led to a
-- fall in oil prices"): then the driver is the effect. What a hypothetical change would do has not happened.
{%- set rules = label_rules('definition_patterns', 'candidate_type, topic_label') %}
with

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where
        sentence_kind in ('prose', 'list_item')
        and section_id in ('ITEM_1', 'ITEM_1A', 'ITEM_6', 'ITEM_7', 'ITEM_7A', 'ITEM_8', 'DOCUMENT')
        and report_year is distinct from 0
    {% if is_incremental() %}and filing_id in ({{ unprocessed_filings() }}){% endif %}

),

causal_matches as (

    select * from {{ ref('int_causal_matches') }}

),

candidates as (

    select
        sentence_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        sentence_pos,
        sentence_text,
        word_count,
    from sentences
    where
        {{ matches_any_rule('sentence_text', rules) }}
        and not {{ is_cross_reference('sentence_text') }}

),

labelled as (

    select
        *,
        unnest([
            {%- for rule in rules %}
            {
                'candidate_type': '{{ rule.label.split(":")[0] }}',
                'topic_label': '{{ rule.label.split(":")[1] }}',
                'topic_order': {{ loop.index }},
                'matched_phrase': {{ matched_phrase('sentence_text', rule) }}
            }
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], recursive := true),
    from candidates

),

matches as (

    select
        labelled.*,
        causal_matches.connectors,
        strpos(labelled.sentence_text, labelled.matched_phrase) as phrase_pos,
        substr(
            labelled.sentence_text, causal_matches.first_connector_pos, phrase_pos - causal_matches.first_connector_pos
        ) as text_between,
    from labelled
    left join causal_matches
        on labelled.sentence_id = causal_matches.sentence_id
    where
        labelled.matched_phrase is not null
        and (
            (
                labelled.candidate_type = 'definition'
                and labelled.section_id in ('ITEM_1', 'ITEM_6', 'ITEM_7', 'ITEM_7A', 'ITEM_8')
                and not regexp_matches(labelled.sentence_text, '\b(?i:as follows)\W*(?:\p{Lu}[\w&’-]*\W*){0,5}$')
            )
            or (
                labelled.candidate_type = 'verification'
                and labelled.section_id in ('ITEM_1A', 'ITEM_7', 'ITEM_7A')
                and not regexp_matches(
                    labelled.sentence_text,
                    '(?i)\bhypothetical|\bsensitivity analys|\bassuming\b|\bwould only\b'
                )
                and (
                    (
                        phrase_pos > causal_matches.first_connector_pos
                        and causal_matches.connectors != ['led_to']
                        and not regexp_matches(
                            text_between,
                            '(?i)\b(?:led|leads?|leading) to\b|\b(?:resulted|results?|resulting) in\b|\bcausing\b'
                            || '|\bcaused (?:an?|the|our|us|some|many)\b|\bexpos\w+\b|\brisks? (?:of|that|from)\b'
                        )
                        -- behind a connector that opens the sentence the reason ends where the main clause begins
                        and not (
                            regexp_matches(
                                substr(labelled.sentence_text, 1, causal_matches.first_connector_pos - 1),
                                '(?i)^\W*(?:(?:\w+ly|also|and|but|however|moreover|for example|in (?:large )?part'
                                || '|in addition),? )*$'
                            )
                            and regexp_matches(
                                text_between,
                                '(?i), (?:(?:and|but) )?(?:we|our|it|its|the|this|these|those|they|their|there|such'
                                || '|any|some|if)\b'
                            )
                        )
                    )
                    or list_has_any(causal_matches.connectors, ['contributed_to', 'had_effect'])
                )
            )
        )

),

-- A sentence is one definition: of the term named first in the registry. It can verify several drivers.
chosen as (

    select
        *,
        case
            when candidate_type = 'definition'
                then {{ captures('sentence_text', 'definition_term_patterns') }}
        end as captured_terms,
    from matches
    qualify
        candidate_type = 'verification'
        or row_number() over (partition by sentence_id, candidate_type order by topic_order) = 1

),

-- What was captured may be a pronoun, a clause or a heading: then the next pattern may name the term ("leverage, which we
-- define as": no term stands behind "define"), or no term can be named.
final as (

    select
        * exclude (captured_terms),
        list_filter(
            captured_terms,
            lambda captured: not {{ never_captured('captured', 'definition_term_patterns') }}
        )[1] as defined_term,
    from chosen

)

select * from final
