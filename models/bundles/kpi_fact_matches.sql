-- A KPI amount agrees with XBRL when it equals a fact of its company and KPI within the precision that both state.
--
-- Checkable: the company has a fact of the KPI for the report year in the amount's unit or, for an amount stated as a
-- change, for the report year and the year before. Not checkable are ends of ranges, coupons, percentages that are no
-- margin where the facts are margins, and dollar amounts whose scale is unknown, which have no unit.
--
-- Candidates: levels of the report year and of the two years before it, which annual reports state as comparatives; for
-- changes the difference between consecutive years, relative for percentages, absolute for basis and percentage points.
-- Fact tables hold several values for one company, year and KPI, some of them of single quarters or of parts: every
-- distinct value is a candidate. Shown is the candidate that agrees, else the nearest one of the report year.
--
-- Tolerance: a number stated to a digit stands for plus or minus half of that digit, and XBRL facts are rounded too.
-- Two statements of one level differ by at most the coarser of the two halves; in a difference the roundings add up.
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}

),

kpi_amounts as (

    select * from {{ ref('int_kpi_amounts') }}

),

company_facts as (

    select * from {{ ref('stg_xbrl__company_facts') }}
    where reason is null

),

kpi_fact_metrics as (

    select * from {{ ref('kpi_fact_metrics') }}

),

kpi_facts as (

    select distinct
        company_facts.cik,
        kpi_fact_metrics.kpi_label,
        kpi_fact_metrics.unit,
        company_facts.fiscal_year as fact_year,
        company_facts.metric_key as fact_metric_key,
        kpi_fact_metrics.priority,
        company_facts.value as fact_value,
        -- Money is reported in millions or thousands, which the trailing zeros tell; ratios are computed, not rounded.
        case
            when kpi_fact_metrics.unit = '%' then 0.0
            when kpi_fact_metrics.unit = 'USD per share' then 0.005
            when company_facts.value % 1000000 = 0 then 500000
            when company_facts.value % 1000 = 0 then 500
            else 0.5
        end as fact_rounding,
    from company_facts
    inner join kpi_fact_metrics
        on company_facts.metric_key = kpi_fact_metrics.metric_key
        and company_facts.unit = kpi_fact_metrics.unit

),

-- Years one after the other in the same metric.
fact_pairs as (

    select
        later_facts.cik,
        later_facts.kpi_label,
        later_facts.unit,
        later_facts.fact_year,
        later_facts.fact_metric_key,
        later_facts.priority,
        later_facts.fact_value,
        later_facts.fact_rounding,
        earlier_facts.fact_value as earlier_value,
        earlier_facts.fact_rounding as earlier_rounding,
    from kpi_facts as later_facts
    inner join kpi_facts as earlier_facts
        on later_facts.cik = earlier_facts.cik
        and later_facts.fact_metric_key = earlier_facts.fact_metric_key
        and later_facts.kpi_label = earlier_facts.kpi_label
        and later_facts.fact_year = earlier_facts.fact_year + 1

),

levels as (

    select
        cik,
        kpi_label,
        unit,
        fact_year,
        fact_metric_key,
        priority,
        'level' as candidate_basis,
        fact_value,
        fact_rounding as candidate_rounding,
    from kpi_facts

),

changes as (

    select
        cik,
        kpi_label,
        unit,
        fact_year,
        fact_metric_key,
        priority,
        'change' as candidate_basis,
        fact_value - earlier_value as fact_value,
        fact_rounding + earlier_rounding as candidate_rounding,
    from fact_pairs

),

percent_changes as (

    select
        cik,
        kpi_label,
        '%' as unit,
        fact_year,
        fact_metric_key,
        priority,
        'percent_change' as candidate_basis,
        100 * (fact_value - earlier_value) / earlier_value as fact_value,
        100 * (fact_rounding + earlier_rounding * abs(fact_value / earlier_value)) / earlier_value
            as candidate_rounding,
    from fact_pairs
    where
        earlier_value > 0
        and unit != '%'

),

candidates as (

    select * from levels

    union all

    select * from changes

    union all

    select * from percent_changes

),

-- What an amount can be compared with follows from how it is stated.
stated_amounts as (

    select
        kpi_matches.sentence_id,
        kpi_matches.kpi_label,
        kpi_amounts.amount_index,
        kpi_matches.filing_id,
        kpi_matches.cik,
        kpi_matches.report_year,
        kpi_amounts.raw_text,
        kpi_amounts.value,
        kpi_amounts.unit,
        kpi_amounts.rounding,
        kpi_amounts.change_direction,
        case
            when not kpi_amounts.is_change then 'level'
            when kpi_amounts.unit != '%' then 'change'
            when kpi_amounts.scale_word = 'basis points' then 'change'
            when regexp_matches(kpi_amounts.raw_text, '(?i)point|ppt') then 'change'
            else 'percent_change'
        end as candidate_basis,
        regexp_matches(kpi_matches.sentence_text, '(?i)\bmargins?\b|\bpercentage of\b') as has_margin_cue,
        regexp_matches(kpi_matches.sentence_text, '(?i)\b(?:{{ loss_words("loss") }})\b') as has_sign_cue,
    from kpi_matches
    inner join kpi_amounts
        on kpi_matches.sentence_id = kpi_amounts.sentence_id
    where
        kpi_amounts.range_role is null
        and not kpi_amounts.is_instrument_rate
        and kpi_amounts.unit is not null

),

checkable_amounts as (

    select * from stated_amounts
    where unit != '%' or candidate_basis = 'percent_change' or has_margin_cue

),

-- Sign and direction count, except where the figure's name carries the sign ("net loss of", "cash used in"), where
-- payments are stated either way, and for a change without a direction.
compared_amounts as (

    select
        checkable_amounts.sentence_id,
        checkable_amounts.kpi_label,
        checkable_amounts.amount_index,
        checkable_amounts.filing_id,
        checkable_amounts.cik,
        checkable_amounts.report_year,
        checkable_amounts.raw_text,
        checkable_amounts.value,
        checkable_amounts.unit,
        checkable_amounts.rounding,
        candidates.fact_year,
        candidates.fact_metric_key,
        candidates.priority,
        candidates.fact_value,
        case
            when candidates.candidate_basis = 'level' and candidates.fact_year < checkable_amounts.report_year
                then 'prior_year_level'
            else candidates.candidate_basis
        end as match_basis,
        case
            when
                checkable_amounts.has_sign_cue
                or checkable_amounts.kpi_label in ('capex', 'interest_expense')
                or (candidates.candidate_basis != 'level' and checkable_amounts.change_direction is null)
                then abs(checkable_amounts.value) - abs(candidates.fact_value)
            when checkable_amounts.change_direction = 'decrease' then -checkable_amounts.value - candidates.fact_value
            else checkable_amounts.value - candidates.fact_value
        end as difference,
        case
            when candidates.candidate_basis = 'level'
                then greatest(checkable_amounts.rounding, candidates.candidate_rounding)
            else checkable_amounts.rounding + candidates.candidate_rounding
        end as tolerance,
    from checkable_amounts
    inner join candidates
        on checkable_amounts.cik = candidates.cik
        and checkable_amounts.kpi_label = candidates.kpi_label
        and checkable_amounts.unit = candidates.unit
        and checkable_amounts.candidate_basis = candidates.candidate_basis
        and candidates.fact_year between checkable_amounts.report_year - 2 and checkable_amounts.report_year

),

judged_amounts as (

    select
        *,
        -- The slack is for binary fractions: 0.455 - 0.45 is a hair over 0.005.
        abs(difference) <= tolerance * (1 + 1e-9) + 1e-12 * abs(fact_value) as is_match,
    from compared_amounts

),

-- A total order, so that the choice between equally good candidates is the same in every build.
ranked_candidates as (

    select
        *,
        bool_or(fact_year = report_year) over (
            partition by sentence_id, kpi_label, amount_index
        ) as has_report_year_fact,
        row_number() over (
            partition by sentence_id, kpi_label, amount_index
            order by
                is_match desc,
                fact_year desc,
                abs(difference) asc,
                priority asc,
                fact_metric_key asc,
                fact_value asc
        ) as candidate_rank,
        tolerance / nullif(abs(fact_value), 0) as relative_tolerance,
    from judged_amounts

),

kpi_fact_matches as (

    select
        sentence_id,
        kpi_label,
        amount_index,
        filing_id,
        cik,
        report_year,
        raw_text,
        value,
        unit,
        rounding,
        match_basis,
        fact_year,
        fact_metric_key,
        fact_value,
        difference,
        tolerance,
        relative_tolerance,
        is_match,
    from ranked_candidates
    where
        has_report_year_fact
        and candidate_rank = 1

)

select * from kpi_fact_matches
