-- Every question that the warehouse could ask, of whatever shape. Its evidence is prose or an item of a list, of a tagged
-- figure also a row of a table, never a heading or a line of an index; and it stands in sections of some length, as the
-- framework has it: none of under 10 sentences, and those of under 20 are drawn after the others.
--
-- A company that calls its years otherwise than report_year does (int_fiscal_year_names) is asked by their ends, which are
-- true for everyone: year_names, "the fiscal year ended February 2, 2025". Of several companies, where the day is the answer
-- and where none is stated it is "ended in 2025". Left out are questions to several companies of which one is not known to
-- have ended its year in that one.
with

from_amounts as (

    select * from {{ ref('int_questions_from_amounts') }}

),

from_causes as (

    select * from {{ ref('int_questions_from_causes') }}

),

from_risks as (

    select * from {{ ref('int_questions_from_risks') }}

),

from_definitions as (

    select * from {{ ref('int_questions_from_definitions') }}

),

from_periods as (

    select * from {{ ref('int_questions_from_periods') }}

),

from_tags as (

    select * from {{ ref('int_questions_from_tags') }}

),

from_absence as (

    select * from {{ ref('int_questions_from_absence') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

fiscal_year_names as (

    select * from {{ ref('int_fiscal_year_names') }}

),

tagged_facts as (

    select * from {{ ref('fct_tagged_facts') }}

),

candidates as (

    select * from from_amounts

    union all by name

    select * from from_causes

    union all by name

    select * from from_risks

    union all by name

    select * from from_definitions

    union all by name

    select * from from_periods

    union all by name

    select * from from_absence

    union all by name

    select * from from_tags

),

-- Texts that a company repeats in another year cannot tell the years apart; they are drawn last, and gated, unless the
-- question is about every year that has them.
repeated_texts as (

    select
        cik,
        text_hash,
        list(distinct report_year) as report_years,
    from sentences
    where duplicate_count > 1
    group by cik, text_hash
    having min(report_year) != max(report_year)

),

evidence as (

    select
        candidate_id,
        years,
        unnest(evidence_ids) as sentence_id,
    from candidates

),

candidates_with_repeated_evidence as (

    select distinct evidence.candidate_id
    from evidence
    inner join sentences
        on evidence.sentence_id = sentences.sentence_id
    inner join repeated_texts
        on sentences.cik = repeated_texts.cik
        and sentences.text_hash = repeated_texts.text_hash
        and not list_has_all(evidence.years, repeated_texts.report_years)

),

evidence_places as (

    select
        evidence.candidate_id,
        bool_and(sentences.sentence_kind in ('prose', 'list_item')) as is_quotable,
        bool_and(sentences.sentence_kind in ('prose', 'list_item', 'table_row')) as is_stated,
        min(sentences.section_sentence_count) as shortest_section,
    from evidence
    inner join sentences
        on evidence.sentence_id = sentences.sentence_id
    group by evidence.candidate_id

),

companies_named_otherwise as (

    select distinct cik
    from fiscal_year_names
    where is_named_otherwise

),

-- Two filings of a year that ends on two days state none.
stated_ends as (

    select
        cik,
        report_year,
        if(min(period_end) = max(period_end), min(period_end), null) as year_end,
    from fiscal_year_names
    group by cik, report_year

),

-- Of years before a company's first filing: they stand beside its own.
tagged_ends as (

    select
        tagged_facts.cik,
        {{ fiscal_year_of('tagged_facts.period_end') }} as report_year,
        mode(tagged_facts.period_end) as year_end,
    from tagged_facts
    inner join companies_named_otherwise
        on tagged_facts.cik = companies_named_otherwise.cik
    where date_diff('day', tagged_facts.period_start, tagged_facts.period_end) between 350 and 380
    group by all

),

asked_companies as (

    select
        candidate_id,
        len(cik_ints) > 1 as is_of_several,
        shape = 'year_end' as asks_day,
        years,
        unnest(cik_ints) as cik,
    from candidates

),

asked_years as (

    select
        * exclude (years),
        unnest(years) as asked_year,
    from asked_companies

),

named_years as (

    select
        asked_years.candidate_id,
        asked_years.asked_year,
        asked_years.is_of_several,
        bool_or(companies_named_otherwise.cik is not null) as is_named_otherwise,
        bool_and(coalesce(year(stated_ends.year_end) = asked_years.asked_year, false)) as is_of_one_year,
        max(if(
            asked_years.is_of_several or asked_years.asks_day,
            null,
            coalesce(stated_ends.year_end, tagged_ends.year_end)
        )) as year_end,
    from asked_years
    left join companies_named_otherwise
        on asked_years.cik = companies_named_otherwise.cik
    left join stated_ends
        on asked_years.cik = stated_ends.cik
        and asked_years.asked_year = stated_ends.report_year
    left join tagged_ends
        on asked_years.cik = tagged_ends.cik
        and asked_years.asked_year = tagged_ends.report_year
    group by all

),

named_by_end as (

    select
        candidate_id,
        bool_and(not is_of_several or is_of_one_year) as is_nameable,
        list(
            'the fiscal year' || if(is_of_several, 's', '') || ' ended '
            || coalesce(strftime(year_end, '%B %-d, %Y'), 'in ' || asked_year)
            order by asked_year
        ) as year_names,
    from named_years
    group by candidate_id
    having bool_or(is_named_otherwise)

),

final as (

    select
        candidates.*,
        named_by_end.year_names,
        coalesce(evidence_places.shortest_section < 20, false) as is_in_short_section,
        candidates_with_repeated_evidence.candidate_id is not null as has_repeated_evidence,
        md5('{{ setting("gold_seed") }}|' || candidates.candidate_id) as draw_hash,
    from candidates
    left join evidence_places
        on candidates.candidate_id = evidence_places.candidate_id
    left join candidates_with_repeated_evidence
        on candidates.candidate_id = candidates_with_repeated_evidence.candidate_id
    left join named_by_end
        on candidates.candidate_id = named_by_end.candidate_id
    where
        (
            evidence_places.candidate_id is null
            or (
                if(candidates.fact_ids is null, evidence_places.is_quotable, evidence_places.is_stated)
                and evidence_places.shortest_section >= 10
            )
        )
        and (named_by_end.candidate_id is null or named_by_end.is_nameable)

)

select * from final
