-- What judges say of every claim. verdict is what counts: stated_verdict, unless a quote of it is not in the source.
-- is_number_conflict: the judge takes a claim for true that states a figure or year which the source nowhere has; found
-- without a model, so it tells of judges as much as of summaries.
with

verdicts as (

    select * from {{ ref('int_claim_verdicts') }}

),

requests as (

    select
        item_id,
        source_sentence_count,
        given_sentence_count,
        unnest(judged_ids) as judged_id,
    from {{ ref('int_judge_claims_requests') }}

),

texts as (

    select * from {{ ref('int_judged_texts') }}

),

claim_verdicts as (

    select
        texts.item_type,
        texts.item_id,
        texts.basis,
        texts.suite,
        texts.dataset,
        verdicts.model_id as judge_model,
        verdicts.provider as judge_provider,
        verdicts.is_baseline as judge_is_baseline,
        verdicts.replicate as judge_replicate,
        verdicts.claim_no,
        verdicts.claim_text,
        verdicts.status,
        verdicts.is_error,
        verdicts.error,
        verdicts.verdict,
        verdicts.stated_verdict,
        verdicts.is_voided,
        verdicts.reason,
        verdicts.evidence_sentence_ids,
        verdicts.quotes,
        verdicts.quote_match,
        verdicts.quote_score,
        verdicts.numbers_agree,
        verdicts.verdict = 'True' and not coalesce(verdicts.numbers_agree, true) as is_number_conflict,
        requests.source_sentence_count,
        requests.given_sentence_count,
        verdicts.call_key,
    from verdicts
    inner join requests
        on verdicts.item_id = requests.item_id
    inner join texts
        on requests.judged_id = texts.judged_id

)

select * from claim_verdicts
