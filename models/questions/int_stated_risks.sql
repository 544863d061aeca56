-- Risk sentences taken apart: what might happen and what it could do. "If we fail to renew our leases, we may have to
-- close stores." gives condition "we fail to renew our leases" and effect "we may have to close stores"; "Changes in
-- trade policy could raise our costs." gives cause "changes in trade policy", verb "could" and effect "raise our
-- costs". Left out is what points back ("such events"), and effects that every company names ("harm our business").
{#- Verbs that are no nouns. After "that", "we" or "to" they are part of a cause; elsewhere they make a clause of it. -#}
{%- set verbs -%}
    is|are|was|were|has|have|had|does|do|operates?|depends?|rel(?:y|ies)|competes?|provides?|requires?|contains?|includes? {#- -#}
    |sells?|maintains?|consists?|remains?|continues?|participates?|becomes?|exists? {#- -#}
{%- endset %}
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}
    where
        is_primary
        and risk_topic != 'general_risk'

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where word_count between 12 and 60

),

parsed as (

    select
        risk_atlas.sentence_id,
        risk_atlas.filing_id,
        risk_atlas.cik_int as cik,
        risk_atlas.report_year,
        risk_atlas.risk_topic,
        risk_atlas.topic_cue_count,
        risk_atlas.risk_cue_count,
        sentences.sentence_text,
        regexp_extract(
            risk_atlas.sentence_text,
            '^[^\pL]*If ((?:we|our|one or more|the|any|a|an)\b[^,;:]{8,140}), (?:then )?((?:we|our|it'
            || '|the)\b[^;:]{0,200}?\b(?:could|may|might|would|will)\b[^;:]+)[.]$',
            ['condition', 'effect']
        ) as conditional,
        regexp_extract(
            risk_atlas.sentence_text,
            '^[^\pL]*(\p{Lu}[^,;:]{12,130}?) (?:also )?(could|may|might) (?:also )?((?:(?:materially|adversely'
            || '|significantly|negatively|and|seriously|substantially) )*'
            || '(?:harm|affect|impact|result in|lead to|reduce|impair|subject us|expose us|cause|disrupt|damage'
            || '|limit|delay|prevent|decrease|increase|require us|interrupt|raise|force us) ?[^;:]+)[.]$',
            ['cause', 'modal', 'effect']
        ) as causal,
    from risk_atlas
    inner join sentences
        on risk_atlas.sentence_id = sentences.sentence_id

),

stated as (

    select
        sentence_id,
        filing_id,
        cik,
        report_year,
        risk_topic,
        topic_cue_count,
        risk_cue_count,
        nullif(conditional.condition, '') as condition,
        case when conditional.condition = '' then causal.cause end as cause,
        case when conditional.condition = '' then causal.modal end as modal,
        case when conditional.condition != '' then conditional.effect else causal.effect end as effect,
        sentence_text,
    from parsed
    where
        conditional.condition != ''
        or causal.cause != ''

),

final as (

    select * from stated
    where
        not regexp_matches(
            coalesce(condition, cause),
            '(?i)\b(?:such|this|these|those|above|below|foregoing|following)\b'
            || '|\bany of (?:these|the)\b|\b(?:either|do(?:ing)? so)\b'
            || '|\blike\b'
        )
        -- of whom, of what or with what stands in the sentence before
        and not regexp_matches(
            coalesce(condition, cause),
            '(?i)^an?y? (?:\w+ )?(?:decision|determination|finding|outcome|ruling)s?$|\bfound not to comply$'
        )
        and not regexp_matches(
            coalesce(cause, ''),
            '(?i)^(?:its?|they|their|his|her|any of|many of|some of|each|if|as|in|for|to|there|although|while|because|we|he'
            || '|our business|and|but|which)\b|\b(?:and|that|which|have|has|also|we|who|or)$|[.] \p{Lu}'
        )
        -- "Our businesses operate in competitive markets and pressure could …": nothing results from a clause
        and regexp_matches(
            coalesce(nullif(regexp_extract(cause, '(?i)^(.+?) (?:{{ verbs }})\b', 1), ''), 'that'),
            '(?i)\b(?:that|which|who|whose|where|when|how|whether|what|we|they|it|you)\b'
            || '|\bto(?: \w+ly)?(?: \w+(?:,| and| or))*$'
        )
        -- who else acts, or when, is said between "we" and its verb, which then cannot be told
        and not regexp_matches(
            concat_ws(' ', condition, effect),
            '(?i)\bwe (?:at|for|from|in|on|by|of|to|as|with|under|over|after|before|during)\b'
        )
        and not regexp_matches(
            effect,
            '(?i)\b(?:such|these|those|this)\b|^(?:it|they) |\bthe following\b|\babove\b'
            -- a list cut at its comma: "If the loan, the notes or the bonds are called, we may", and a second sentence
            || '|^(?:the|our)\b[^,]*\b(?:is|are|was|were|fails?|becomes?|has|have)\b[^,]*, (?:we|our|it|the)\b'
            || '|\w[.]\p{Lu}\p{Ll}'
            -- what rises or falls itself, and brings nothing about
            || '|^(?:increase|decrease)(?: (?:as|because|due|if|when|over|significantly|substantially|by|from|in|and)\b|,|$)'
        )
        -- "could harm our business, financial condition and results of operations" is no answer
        and not regexp_matches(
            effect,
            '(?i)^(?:(?:lead|to|in|our|the company[’'']s|business|financial|condition|conditions|results?|of|operations?'
            || '|operating|and|or|cash|flows?|position|performance|prospects|reputation|brands?|,|could|may|might'
            || '|would|will|be|have|an?|materially|material|adversely|adverse|negatively|negative|seriously'
            || '|significantly|significant|effect|impact|on|affect|affected|impact|impacted|harm|harmed|suffer|also'
            || '|liquidity|growth|company|overall|revenues?|profitability|stock|price|decline|reduce|reduced|damage'
            || '|damaged|impair|impaired|disrupt|disrupted|interrupt|us|it|them|businesses|brand|competitive|ability'
            || '|competitiveness)[ ,]*)+$'
        )

)

select * from final
