-- Faithfulness of every summary and answer, judge by judge:
--   faithfulness        claims that the source bears out / all claims; False and Unclear count 0
--   null, not 1 and not 0, where nothing is claimed
--   is_error            the call for the summary or the answer failed, or the judge did on any claim: no score
-- run_id: a hash of what decides the scores, the judged texts (whose ids are hashes of model, prompt and source) and
-- the judge's calls with their verdicts.
with

texts as (

    select * from {{ ref('int_judged_texts') }}

),

verdicts as (

    select * from {{ ref('claim_verdicts') }}

),

judges as (

    select distinct
        model_id as judge_model,
        provider as judge_provider,
        is_baseline as judge_is_baseline,
        replicate as judge_replicate,
    from {{ ref('int_judge_claims_responses') }}

),

judge_calls as (

    select distinct on (call_key)
        call_key,
        cost_usd,
    from {{ ref('int_judge_claims_responses') }}

),

summaries as (

    select * from {{ ref('summaries') }}

),

sources as (

    select * from {{ ref('sources') }}

),

answers as (

    select * from {{ ref('answers') }}

),

answer_items as (

    select * from {{ ref('answer_items') }}

),

counts as (

    select
        item_type,
        item_id,
        basis,
        judge_model,
        judge_replicate,
        bool_or(is_error) as is_judge_error,
        arg_min(status, claim_no) filter (where is_error) as judge_failure,
        count(*) as n_claims,
        count(*) filter (where verdict = 'True') as n_true,
        count(*) filter (where verdict = 'False') as n_false,
        count(*) filter (where verdict = 'Unclear') as n_unclear,
        count(*) filter (where is_voided) as n_voided,
        count(*) filter (where numbers_agree is not null) as n_with_numbers,
        count(*) filter (where numbers_agree) as n_numbers_agree,
        count(*) filter (where is_number_conflict) as n_number_conflicts,
        any_value(call_key) as call_key,
        any_value(given_sentence_count < source_sentence_count) as is_source_cut,
        md5(string_agg(
            concat_ws('|', claim_no, verdict, stated_verdict, status, numbers_agree), ';' order by claim_no
        )) as verdict_hash,
    from verdicts
    group by
        item_type,
        item_id,
        basis,
        judge_model,
        judge_replicate

),

-- Equal texts can share a call of the judge, which is paid once: each has its part of it.
shares as (

    select
        call_key,
        count(*) as n_texts,
    from counts
    group by call_key

),

described as (

    select
        texts.judged_id,
        texts.item_type,
        texts.item_id,
        texts.basis,
        texts.suite,
        texts.dataset,
        texts.is_error as is_text_error,
        coalesce(summaries.system, answers.model_id) as system,
        coalesce(summaries.provider, answers.provider) as provider,
        coalesce(summaries.is_baseline, answers.is_baseline) as is_baseline,
        coalesce(summaries.replicate, if(answers.source = 'warehouse', answers.replicate, 0)) as replicate,
        coalesce(answers.strategy, 'none') as strategy,
        coalesce(answers.embedding_model, 'none') as embedding_model,
        answers.run_id as answer_run_id,
        answers.query_id,
        summaries.theme,
        sources.length_stratum,
        coalesce(summaries.source_id, answer_items.cluster_id) as cluster_id,
        coalesce(summaries.cost_usd, answers.cost_usd) as cost_usd,
        coalesce(summaries.status, answers.status) as text_status,
    from texts
    left join summaries
        on texts.item_type = 'summary'
        and texts.item_id = summaries.summary_id
    left join sources
        on summaries.source_id = sources.source_id
    left join answers
        on texts.item_type = 'answer'
        and texts.item_id = answers.answer_id
    left join answer_items
        on answers.answer_id = answer_items.answer_id

),

scored as (

    select
        described.*,
        judges.*,
        coalesce(described.is_text_error or counts.is_judge_error, described.is_text_error) as is_error,
        case
            when described.is_text_error then described.text_status
            when counts.is_judge_error then 'judge: ' || counts.judge_failure
            when counts.n_claims is null then 'no_claims'
            else 'ok'
        end as status,
        coalesce(counts.n_claims, 0) as n_claims,
        counts.n_true,
        counts.n_false,
        counts.n_unclear,
        counts.n_voided,
        counts.n_with_numbers,
        counts.n_numbers_agree,
        counts.n_number_conflicts,
        coalesce(counts.is_source_cut, false) as is_source_cut,
        judge_calls.cost_usd / shares.n_texts as judge_cost_usd,
        counts.call_key as judge_call_key,
        counts.verdict_hash,
    from described
    cross join judges
    left join counts
        on described.item_type = counts.item_type
        and described.item_id = counts.item_id
        and described.basis = counts.basis
        and judges.judge_model = counts.judge_model
        and judges.judge_replicate = counts.judge_replicate
    left join judge_calls
        on counts.call_key = judge_calls.call_key
    left join shares
        on counts.call_key = shares.call_key

),

items as (

    select
        md5(concat_ws(
            '|',
            if(item_type = 'summary', dataset, suite),
            item_type,
            basis,
            system,
            replicate,
            strategy,
            embedding_model,
            answer_run_id,
            judge_model,
            judge_replicate,
            bit_xor(hash(judged_id, judge_call_key, status, verdict_hash)) over (
                partition by
                    suite,
                    dataset,
                    item_type,
                    basis,
                    system,
                    provider,
                    replicate,
                    strategy,
                    embedding_model,
                    answer_run_id,
                    judge_model,
                    judge_replicate
            )
        ))[:16] as run_id,
        suite,
        dataset,
        item_type,
        item_id,
        basis,
        system,
        provider,
        is_baseline,
        replicate::integer as replicate,
        strategy,
        embedding_model,
        answer_run_id,
        query_id,
        theme,
        length_stratum,
        cluster_id,
        judge_model,
        judge_provider,
        judge_is_baseline,
        judge_replicate,
        status,
        is_error,
        true as is_covered,
        n_claims,
        if(is_error, null, n_true) as n_true,
        if(is_error, null, n_false) as n_false,
        if(is_error, null, n_unclear) as n_unclear,
        if(is_error, null, n_voided) as n_voided,
        if(is_error, null, n_with_numbers) as n_with_numbers,
        if(is_error, null, n_numbers_agree) as n_numbers_agree,
        if(is_error, null, n_number_conflicts) as n_number_conflicts,
        if(is_error, null, n_true / nullif(n_claims, 0)) as faithfulness,
        if(is_error, null, n_false / nullif(n_claims, 0)) as contradicted_share,
        if(is_error, null, n_unclear / nullif(n_claims, 0)) as unclear_share,
        if(is_error, null, n_voided / nullif(n_claims, 0)) as voided_share,
        if(is_error, null, n_numbers_agree / nullif(n_with_numbers, 0)) as numbers_agree_share,
        if(is_error, null, n_number_conflicts / nullif(n_claims, 0)) as number_conflict_share,
        if(is_error, null, n_claims::double) as claim_count,
        if(is_error, null, n_claims > 0) as has_claims,
        is_source_cut,
        cost_usd,
        judge_cost_usd,
    from scored

),

versioned as (

    select
        *,
        md5(bit_xor(hash(items)) over (partition by run_id)::varchar) as metrics_version,
    from items

)

select * from versioned
