-- How two to five companies speak of one topic in one year, each in one filing, the amended one where it speaks of the
-- topic (macro superseding_filing). A sentence that names the KPI as the reason for something else speaks of that, and one
-- of a part of the company compares with no other company.
-- Companies whose best sentence says most come first; where they are equal, a hash of year, topic and company decides, so
-- that the choice is the same on every build and no company is favoured for its name or number.
with

topic_sentences as (

    select * from {{ ref('int_topic_sentences') }}
    where
        (not is_causal or is_explained)
        and not is_of_a_part
    qualify filing_id is not distinct from {{ superseding_filing() }}

),

-- A sentence that several companies share word for word compares nothing; one that a company repeats counts once.
distinctive_sentences as (

    select *
    from topic_sentences
    window same_text as (partition by report_year, topic_label, text_hash)
    qualify
        min(cik) over same_text = max(cik) over same_text
        and row_number() over (same_text order by sentence_id) = 1

),

ranked_sentences as (

    select
        *,
        row_number() over (
            partition by report_year, topic_label, cik
            order by evidence_score desc, sentence_id
        ) as company_sentence_rank,
    from distinctive_sentences

),

ranked_companies as (

    select
        report_year,
        topic_label,
        cik,
        row_number() over (
            partition by report_year, topic_label
            order by evidence_score desc, md5(concat_ws('|', report_year, topic_label, cik))
        ) as company_rank,
        count(*) over (partition by report_year, topic_label) as candidate_company_count,
    from ranked_sentences
    where company_sentence_rank = 1

),

chosen as (

    select
        ranked_sentences.*,
        ranked_companies.company_rank,
        ranked_companies.candidate_company_count,
    from ranked_sentences
    inner join ranked_companies
        on ranked_sentences.report_year = ranked_companies.report_year
        and ranked_sentences.topic_label = ranked_companies.topic_label
        and ranked_sentences.cik = ranked_companies.cik
    where
        ranked_companies.candidate_company_count >= 2
        and ranked_companies.company_rank <= least({{ setting('v4_max_companies') }}, 5)
        and ranked_sentences.company_sentence_rank <= {{ setting('v4_sentences_per_company') }}

),

final as (

    select
        'v4_cross_company_' || report_year || '_' || topic_label as bundle_id,
        topic_type || '_cross_company' as bundle_type,
        report_year,
        topic_label,
        candidate_company_count,
        company_rank,
        company_sentence_rank,
        cik as cik_int,
        company_name as name,
        sentence_id,
        sentence_id as sentenceID,
        filing_id,
        section_id as section_name,
        is_causal,
        evidence_score,
        sentence_text,
    from chosen

)

select * from final
