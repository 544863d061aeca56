-- Sentences that answer a question as well as the evidence it was made from: of the same company and year, and stating
-- the same fact. Index lines, contents, signatures and headings answer nothing.
--   same_text        the evidence word for word, or nearly: the same numbers, in whatever order, and sets of words with a
--                    Jaccard similarity of at least `equal_wording_similarity`
--   same_amount      the amount asked about, as the amount of the same KPI, within the coarser of the two roundings; both
--                    must be stated to `question_max_relative_tolerance`, since round figures meet by chance. Earnings per
--                    share are diluted in both or in neither, and debt goes by one name.
--   same_fact        the fact that the filer tagged: the same concept, period and part of the same company, within the
--                    coarser of the two roundings, neither coarser than `question_max_relative_tolerance`
--   same_figure      the figure of such a fact without its tag, in the same filing, beside words of its name
--   same_date        a sentence with the date that the fiscal year ends on, where that is the answer (category I); a row
--                    of a table under that date is about its figures
--   same_definition  the same defined term (category H)
--   same_cause       a change of the same measure in the same direction by the same cause: the KPI of the whole company, or
--                    the same subject of the same part, with causes of a Jaccard similarity of at least
--                    `equal_wording_similarity`; or the cause word for word beside its subject, for the same year and under
--                    no other part's heading (int_part_headings)
with

evidence as (

    select * from {{ ref('int_suite_evidence') }}
    where sentence_id is not null

),

questions as (

    select * from {{ ref('int_suite_questions') }}

),

candidates as (

    select * from {{ ref('int_question_candidates') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind not in ('heading', 'index_line')

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

definitions as (

    select * from {{ ref('int_definition_matches') }}
    where
        candidate_type = 'definition'
        and defined_term is not null

),

stated_causes as (

    select * from {{ ref('int_stated_causes') }}

),

part_headings as (

    select * from {{ ref('int_part_headings') }}

),

fact_sentences as (

    select * from {{ ref('int_fact_sentences') }}

),

asked as (

    select
        evidence.question_key,
        evidence.sentence_id,
        evidence.cik,
        evidence.report_year,
        evidence.text_hash,
        evidence.word_count,
        evidence.sentence_text,
        questions.is_own,
        questions.category,
        questions.topic_label,
        questions.answer_type,
        questions.answer_text,
        {{ unit_scale('questions.answer_unit') }} as unit_scale,
        questions.answer_numeric * unit_scale as answer_numeric,
        questions.tolerance * unit_scale as tolerance,
        coalesce(candidates.details::varchar, '') as details,
        {{ word_set('evidence.sentence_text') }} as words,
        list_sort(regexp_extract_all(evidence.sentence_text, '\d(?:[\d.,]*\d)?')) as numbers,
    from evidence
    inner join questions
        on evidence.question_key = questions.question_key
    left join candidates
        on questions.candidate_id = candidates.candidate_id

),

peers as (

    select
        sentence_id,
        cik,
        report_year,
        text_hash,
        word_count,
        sentence_kind,
        sentence_text,
        list_sort(regexp_extract_all(sentence_text, '\d(?:[\d.,]*\d)?')) as numbers,
    from sentences
    where (cik, report_year) in (select (asked.cik, asked.report_year) from asked)

),

-- Few sentences have the numbers of another one, so that only theirs are taken apart into words.
like_texts as (

    select
        asked.question_key,
        asked.sentence_id as stands_for,
        peers.sentence_id,
        asked.text_hash = peers.text_hash as has_same_hash,
        asked.words,
        {{ word_set('peers.sentence_text') }} as peer_words,
    from asked
    inner join peers
        on asked.cik = peers.cik
        and asked.report_year = peers.report_year
        and peers.word_count between 0.8 * asked.word_count and 1.25 * asked.word_count
    where
        asked.text_hash = peers.text_hash
        or asked.numbers = peers.numbers

),

same_texts as (

    select
        question_key,
        sentence_id,
        stands_for,
        'same_text' as same_by,
    from like_texts
    where
        has_same_hash
        or len(list_intersect(words, peer_words)) >= {{ setting('equal_wording_similarity') }} * (
            len(words) + len(peer_words) - len(list_intersect(words, peer_words))
        )

),

kpi_amounts as (

    select
        sentence_id,
        cik_int as cik,
        report_year,
        kpi_label,
        lower(matched_phrase) as phrase,
        regexp_matches(sentence_text, '(?i)\bdilut') as is_diluted,
        kpi_amount.raw_text as kpi_raw_text,
        kpi_value,
        unnest(amounts) as amount,
    from kpi_scan

),

-- our questions name the amount in their details; of others it is the KPI's amount that the answer gives
asked_amounts as (

    select
        asked.question_key,
        kpi_amounts.*,
        -- with the sign of its words, where it is the KPI's
        if(
            kpi_amounts.amount.raw_text = kpi_amounts.kpi_raw_text, kpi_amounts.kpi_value, kpi_amounts.amount.value
        ) as value,
    from asked
    inner join kpi_amounts
        on asked.sentence_id = kpi_amounts.sentence_id
    where
        not kpi_amounts.amount.is_change
        and kpi_amounts.amount.rounding
        <= {{ setting('question_max_relative_tolerance') }} * abs(kpi_amounts.amount.value)
        and case
            when asked.is_own
                then asked.topic_label = kpi_amounts.kpi_label
                    and contains(asked.details, '"' || kpi_amounts.amount.raw_text || '"')
            else asked.answer_type = 'numeric'
                and kpi_amounts.amount.raw_text = kpi_amounts.kpi_raw_text
                and abs(abs(kpi_amounts.amount.value) - abs(asked.answer_numeric))
                <= coalesce(asked.tolerance, 0) + 1e-9 * abs(asked.answer_numeric)
        end

),

same_amounts as (

    select
        asked_amounts.question_key,
        kpi_scan.sentence_id,
        asked_amounts.sentence_id as stands_for,
        'same_amount' as same_by,
    from asked_amounts
    inner join kpi_scan
        on asked_amounts.cik = kpi_scan.cik_int
        and asked_amounts.report_year = kpi_scan.report_year
        and asked_amounts.kpi_label = kpi_scan.kpi_label
        and asked_amounts.amount.unit = kpi_scan.kpi_unit
    where
        kpi_scan.kpi_role = 'level'
        and kpi_scan.kpi_amount.rounding
        <= {{ setting('question_max_relative_tolerance') }} * abs(kpi_scan.kpi_value)
        and abs(kpi_scan.kpi_value - asked_amounts.value)
        <= greatest(kpi_scan.kpi_amount.rounding, asked_amounts.amount.rounding) * (1 + 1e-9)
        and (
            asked_amounts.kpi_label != 'eps'
            or asked_amounts.is_diluted = regexp_matches(kpi_scan.sentence_text, '(?i)\bdilut')
        )
        and (asked_amounts.kpi_label != 'debt' or asked_amounts.phrase = lower(kpi_scan.matched_phrase))

),

-- those that a question was made from, and the amount asked about where its filer tagged it in the evidence
asked_facts as (

    select
        questions.question_key,
        unnest(candidates.fact_ids) as fact_id,
    from questions
    inner join candidates
        on questions.candidate_id = candidates.candidate_id
    where candidates.fact_ids is not null

    union

    select
        asked_amounts.question_key,
        fact_sentences.fact_id,
    from asked_amounts
    inner join fact_sentences
        on asked_amounts.sentence_id = fact_sentences.sentence_id
        and contains(asked_amounts.amount.raw_text, fact_sentences.value_text)
        -- some tag a loss in words with its sign, others without
        and abs(abs(asked_amounts.value) - abs(fact_sentences.value)) <= 1e-9 * abs(fact_sentences.value)

),

facts as (

    select distinct
        fact_id,
        cik,
        filing_id,
        concept,
        dimensions,
        period_start,
        period_end,
        unit,
        value,
        rounding,
        value_text,
        label,
    from fact_sentences

),

-- A restated figure is another one, the same figure at another rounding ("$12.3 billion" and "12,308" million) is not.
facts_in_sentences as (

    select
        asked_facts.question_key,
        asked_facts.fact_id,
        fact_sentences.sentence_id,
    from asked_facts
    inner join facts
        on asked_facts.fact_id = facts.fact_id
    inner join fact_sentences
        on facts.cik = fact_sentences.cik
        and facts.concept = fact_sentences.concept
        and facts.dimensions is not distinct from fact_sentences.dimensions
        and facts.period_start is not distinct from fact_sentences.period_start
        and facts.period_end = fact_sentences.period_end
        and facts.unit = fact_sentences.unit
    where
        facts.value = fact_sentences.value
        or (
            abs(facts.value - fact_sentences.value) <= greatest(facts.rounding, fact_sentences.rounding) * (1 + 1e-9)
            and greatest(facts.rounding, fact_sentences.rounding)
            <= {{ setting('question_max_relative_tolerance') }} * abs(facts.value)
        )

),

named_facts as (

    select
        facts_in_sentences.question_key,
        facts_in_sentences.fact_id,
        evidence.sentence_id,
    from facts_in_sentences
    inner join evidence
        on facts_in_sentences.question_key = evidence.question_key
        and facts_in_sentences.sentence_id = evidence.sentence_id

),

same_facts as (

    select
        facts_in_sentences.question_key,
        facts_in_sentences.sentence_id,
        named_facts.sentence_id as stands_for,
        'same_fact' as same_by,
    from facts_in_sentences
    inner join named_facts
        on facts_in_sentences.question_key = named_facts.question_key
        and facts_in_sentences.fact_id = named_facts.fact_id

),

-- Four digits or more do not meet by chance; half of the words of the concept's name, or two, say that it is meant.
same_figures as (

    select
        named_facts.question_key,
        sentences.sentence_id,
        named_facts.sentence_id as stands_for,
        'same_figure' as same_by,
    from named_facts
    inner join facts
        on named_facts.fact_id = facts.fact_id
    inner join sentences
        on facts.filing_id = sentences.filing_id
    -- tagged there, it is this fact or another one of the same figure
    anti join fact_sentences
        on sentences.sentence_id = fact_sentences.sentence_id
        and facts.value_text = fact_sentences.value_text
    where
        length(regexp_replace(facts.value_text, '\D', '', 'g')) >= 4
        -- a pattern for each figure is dear, so only where its digits are
        and if(
            contains(sentences.sentence_text, facts.value_text),
            regexp_matches(
                sentences.sentence_text, '(?:^|[^\d.,])' || regexp_escape(facts.value_text) || '(?:$|[^\d.,]|[.,](?:\D|$))'
            )
            and len(list_intersect({{ word_set('sentences.sentence_text') }}, {{ word_set('facts.label') }}))
            >= least(2, 0.5 * len({{ word_set('facts.label') }})),
            false
        )

),

year_ends as (

    select
        sentence_id,
        cik,
        report_year,
        lower(regexp_extract(
            sentence_text,
            '(?i)\b(?:years?|fiscal (?:19|20)\d\d),? (?:which |that )?(?:ended|ending|ends) (?:on )?((?:January'
            || '|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, (?:19'
            || '|20)\d\d)\b',
            1
        )) as year_end,
    from peers
    where
        sentence_kind in ('prose', 'list_item')
        -- the title of a statement, in a contents list or above the statement
        and not regexp_matches(sentence_text, '(?i)^(?:\W*|[^.]{0,60} )(?:consolidated )?statements? of [^.]*\d{4}[.]?$')

),

same_dates as (

    select
        asked.question_key,
        other.sentence_id,
        asked.sentence_id as stands_for,
        'same_date' as same_by,
    from asked
    inner join year_ends as one
        on asked.sentence_id = one.sentence_id
    inner join year_ends as other
        on asked.cik = other.cik
        and asked.report_year = other.report_year
        and one.year_end = other.year_end
    where
        asked.category = 'I'
        and one.year_end != ''
        and contains(lower(asked.answer_text), one.year_end)

),

terms as (

    select
        sentence_id,
        cik,
        report_year,
        trim(regexp_replace(lower(defined_term), '^(?:the|an?|our|company[’'']s|its) ', ''), ' “”",') as term,
    from definitions

),

same_definitions as (

    select
        asked.question_key,
        other.sentence_id,
        asked.sentence_id as stands_for,
        'same_definition' as same_by,
    from asked
    inner join terms as one
        on asked.sentence_id = one.sentence_id
    inner join terms as other
        on one.cik = other.cik
        and one.report_year = other.report_year
        and one.term = other.term
    where asked.category = 'H'

),

asked_causes as (

    select
        asked.question_key,
        stated_causes.*,
        {{ word_set('stated_causes.cause') }} as cause_words,
    from asked
    inner join stated_causes
        on asked.sentence_id = stated_causes.sentence_id
    where asked.category in ('B', 'D', 'E', 'F', 'G')

),

same_causes as (

    select
        one.question_key,
        other.sentence_id,
        one.sentence_id as stands_for,
        'same_cause' as same_by,
    from asked_causes as one
    inner join stated_causes as other
        on one.cik = other.cik
        and one.report_year = other.report_year
        and one.kpi_label = other.kpi_label
        and one.direction = other.direction
    where
        (
            (one.is_company_wide and other.is_company_wide)
            -- "revenue", if not the company's, is that of a part which only its heading tells
            or (
                lower(one.named_subject) = lower(other.named_subject)
                and (not other.is_plain_subject or other.part_name is not null)
            )
        )
        and len(list_intersect(one.cause_words, {{ word_set('other.cause') }}))
        >= {{ setting('equal_wording_similarity') }} * len(list_distinct(one.cause_words || {{ word_set('other.cause') }}))

    union all

    select
        asked_causes.question_key,
        kpi_scan.sentence_id,
        asked_causes.sentence_id as stands_for,
        'same_cause' as same_by,
    from asked_causes
    inner join kpi_scan
        on asked_causes.cik = kpi_scan.cik_int
        and asked_causes.report_year = kpi_scan.report_year
        and asked_causes.kpi_label = kpi_scan.kpi_label
    left join part_headings
        on kpi_scan.sentence_id = part_headings.sentence_id
    -- a sentence that could be taken apart is compared above, with its subject
    anti join stated_causes
        on kpi_scan.sentence_id = stated_causes.sentence_id
    where
        len(asked_causes.cause_words) >= 5
        and coalesce(part_headings.part_name = asked_causes.part_name, part_headings.part_name is null)
        -- filings repeat last year's explanation beside this year's
        and coalesce(
            list_max(list_transform(
                regexp_extract_all(kpi_scan.sentence_text, '\b(?:19|20)\d\d\b'), lambda year: year::integer
            )),
            asked_causes.report_year
        ) = asked_causes.report_year
        and contains(lower(kpi_scan.sentence_text), lower(asked_causes.cause))
        and contains(lower(kpi_scan.sentence_text), lower(asked_causes.subject))

),

united as (

    select * from same_texts

    union all

    select * from same_amounts

    union all

    select * from same_facts

    union all

    select * from same_figures

    union all

    select * from same_dates

    union all

    select * from same_definitions

    union all

    select * from same_causes

),

final as (

    select
        united.question_key,
        united.sentence_id,
        -- a fact's own tag is that first, then a word-for-word copy
        arg_min(united.same_by, list_position(
            ['same_fact', 'same_text', 'same_amount', 'same_figure', 'same_date', 'same_definition', 'same_cause'],
            united.same_by
        )) as same_by,
        list(distinct united.stands_for order by united.stands_for) as stands_for,
    from united
    semi join sentences
        on united.sentence_id = sentences.sentence_id
    anti join evidence
        on united.question_key = evidence.question_key
        and united.sentence_id = evidence.sentence_id
    group by united.question_key, united.sentence_id

)

select * from final
