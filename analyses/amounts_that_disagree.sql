-- Which sentences name a KPI and state amounts of which the company's XBRL facts confirm none?
-- Most are right and of a segment, a quarter or a cause, which the facts of the whole company do not have; some are
-- faults of the fact table; a few are wrong. Of each sentence the amount that comes nearest to a fact in its own unit:
-- how many times what both round to it lies off. A gold answer should rest on none of them.
with

fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

-- In tolerances a difference in dollars can stand beside one in percent.
unconfirmed as (

    select
        *,
        abs(difference) / tolerance as tolerances_off,
        string_agg(raw_text, ' | ') over (
            partition by sentence_id, kpi_label order by amount_index
            rows between unbounded preceding and unbounded following
        ) as amounts,
    from fact_matches
    qualify
        not bool_or(is_match) over (partition by sentence_id, kpi_label)
        and row_number() over (partition by sentence_id, kpi_label order by tolerances_off, amount_index) = 1

)

select
    sentences.company_name,
    sentences.report_year,
    unconfirmed.kpi_label,
    unconfirmed.amounts,
    unconfirmed.raw_text as nearest_amount,
    unconfirmed.unit,
    unconfirmed.match_basis as compared_with,
    unconfirmed.fact_value as nearest_fact_value,
    unconfirmed.difference,
    unconfirmed.tolerances_off,
    sentences.section_id,
    sentences.sentence_text,
from unconfirmed
inner join sentences
    on unconfirmed.sentence_id = sentences.sentence_id
order by
    sentences.company_name,
    sentences.report_year,
    unconfirmed.tolerances_off,
    unconfirmed.sentence_id
