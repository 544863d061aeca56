-- A context above its budget is cut by the model that reads it, at its end and unseen. Positions run from 1 without a
-- gap, and no text stands twice within a company's year.
with

contexts as (

    select * from {{ ref('contexts') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

)

select
    contexts.run_id,
    contexts.query_id,
    sum(contexts.token_count) as token_count,
    count(*) as sentence_count,
from contexts
inner join sentences
    on contexts.sentence_id = sentences.sentence_id
group by contexts.run_id, contexts.query_id
having
    sum(contexts.token_count) > {{ setting('context_token_budget') }}
    or count(*) > {{ setting('context_max_sentences') }}
    or min(contexts.context_position) != 1
    or max(contexts.context_position) != count(*)
    or count(distinct { 't': sentences.text_hash, 'c': contexts.cik, 'y': contexts.report_year }) != count(*)
