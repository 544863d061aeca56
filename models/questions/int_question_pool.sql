-- Every question that the warehouse could ask, of whatever shape. Its evidence is prose or an item of a list, of a tagged
-- figure also a row of a table, never a heading or a line of an index; and it stands in sections of some length, as the
-- framework has it: none of under 10 sentences, and those of under 20 are drawn after the others.
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

final as (

    select
        candidates.*,
        coalesce(evidence_places.shortest_section < 20, false) as is_in_short_section,
        candidates_with_repeated_evidence.candidate_id is not null as has_repeated_evidence,
        md5('{{ setting("gold_seed") }}|' || candidates.candidate_id) as draw_hash,
    from candidates
    left join evidence_places
        on candidates.candidate_id = evidence_places.candidate_id
    left join candidates_with_repeated_evidence
        on candidates.candidate_id = candidates_with_repeated_evidence.candidate_id
    where
        evidence_places.candidate_id is null
        or (
            if(candidates.fact_ids is null, evidence_places.is_quotable, evidence_places.is_stated)
            and evidence_places.shortest_section >= 10
        )

)

select * from final
