-- How one company explains one topic over the years: only sentences that say why of it, not those in which it is the
-- reason for something else ("cash rose due to higher net income" in a trend of net income) and none of a part of the
-- company, since the year after tells of another part; of one filing a year, the amended one where it says why (macro
-- superseding_filing), each text once (in the first year that has it, since a paragraph repeated word for word tells no
-- trend), the best few per year, two fiscal years or more. A risk repeated with a few words changed, added or cut is no
-- trend either: it is left out where a sentence of an earlier year, up to twice as long or half, shares six in seven words
-- of the shorter of the two. A KPI sentence is kept: its figures are those of its year.
with

topic_sentences as (

    select * from {{ ref('int_topic_sentences') }}
    where
        is_causal
        and is_explained
        and not is_of_a_part
    qualify filing_id is not distinct from {{ superseding_filing() }}

),

first_occurrences as (

    select *
    from topic_sentences
    qualify row_number() over (partition by cik, topic_label, text_hash order by report_year, sentence_id) = 1

),

risk_words as (

    select
        sentence_id,
        cik,
        topic_label,
        report_year,
        list_distinct(regexp_extract_all(lower(sentence_text), '[a-z]+')) as words,
        len(words) as word_count,
    from first_occurrences
    where topic_type = 'risk'

),

reworded as (

    select distinct later.sentence_id
    from risk_words as later
    inner join risk_words as earlier
        on later.cik = earlier.cik
        and later.topic_label = earlier.topic_label
        and later.report_year > earlier.report_year
        and earlier.word_count between later.word_count / 2 and later.word_count * 2
    where len(list_intersect(later.words, earlier.words)) * 7 >= least(later.word_count, earlier.word_count) * 6

),

told_once as (

    select first_occurrences.*
    from first_occurrences
    left join reworded
        on first_occurrences.sentence_id = reworded.sentence_id
        and first_occurrences.topic_type = 'risk'
    where reworded.sentence_id is null

),

ranked as (

    select
        *,
        row_number() over (
            partition by cik, topic_label, report_year
            order by evidence_score desc, sentence_id
        ) as year_rank,
        count(distinct report_year) over (partition by cik, topic_label) as year_count,
    from told_once

),

chosen as (

    select * from ranked
    where
        year_count >= 2
        and year_rank <= {{ setting('v3_sentences_per_year') }}

),

final as (

    select
        'v3_trend_' || lpad(cik::varchar, 10, '0') || '_' || topic_label as bundle_id,
        topic_type || '_trend' as bundle_type,
        cik as cik_int,
        last_value(company_name) over (
            partition by cik
            order by report_year, sentence_id
            rows between unbounded preceding and unbounded following
        ) as name,
        topic_label,
        report_year,
        year_rank,
        sentence_id,
        sentence_id as sentenceID,
        filing_id,
        section_id as section_name,
        connectors,
        evidence_score,
        sentence_text,
    from chosen

)

select * from final
