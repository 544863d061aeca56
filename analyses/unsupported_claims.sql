-- Which claims of answers does the evidence or the context not bear out, and why? Contradictions come first, then claims
-- that the judge took for true although a figure of them is nowhere in the source.
with

claim_verdicts as (

    select * from {{ ref('claim_verdicts') }}
    where item_type = 'answer' and not is_error

),

answers as (

    select * from {{ ref('answers') }}

)

select
    claim_verdicts.basis,
    answers.strategy,
    answers.query_id,
    claim_verdicts.verdict,
    claim_verdicts.is_number_conflict,
    claim_verdicts.claim_text,
    claim_verdicts.reason,
    claim_verdicts.quotes,
    claim_verdicts.judge_model,
from claim_verdicts
inner join answers
    on claim_verdicts.item_id = answers.answer_id
where claim_verdicts.verdict != 'True' or claim_verdicts.is_number_conflict
order by
    claim_verdicts.verdict = 'False' desc,
    claim_verdicts.is_number_conflict desc,
    claim_verdicts.basis,
    answers.query_id,
    answers.strategy,
    claim_verdicts.claim_no
