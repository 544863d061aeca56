-- Gates that hold a question against its evidence; each finding is a row.
--   evidence_outside_corpus     a sentence named as evidence is not in the corpus, by id or by text
--   cross_reference_or_heading  the gold answer only points elsewhere, or is a heading or the opening of a table
--   answer_not_in_evidence      a number of the answer, or too much of its wording, is not in the evidence; a numeric
--                               answer is neither an amount of the evidence nor the difference of two
--   evidence_off_topic          a yes-or-no question's evidence holds too few of the words that say what it asks about
--   shared_by_year              the evidence stands word for word in another year's filing of the company
--   answer_exists               a question that should have no answer has one in the warehouse
with

questions as (

    select * from {{ ref('int_suite_questions') }}

),

evidence as (

    select * from {{ ref('int_suite_evidence') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

kpi_amounts as (

    select * from {{ ref('int_kpi_amounts') }}

),

fact_sentences as (

    select * from {{ ref('int_fact_sentences') }}

),

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

outside_corpus as (

    select
        question_key,
        'evidence_outside_corpus' as gate,
        'Evidence is not in the corpus, under its id or by its text' as reason,
        string_agg(stated_sentence_id, ', ' order by evidence_rank) as detail,
    from evidence
    where sentence_id is null
    group by question_key

),

pointers as (

    select
        question_key,
        'cross_reference_or_heading' as gate,
        case
            when {{ is_cross_reference('answer_text') }} then 'The gold answer only points elsewhere'
            else 'The gold answer is a heading or introduces a table'
        end as reason,
        answer_text[:200] as detail,
    from questions
    where
        answer_type = 'span'
        and (
            {{ is_cross_reference('answer_text') }}
            or regexp_matches(
                answer_text,
                '(?i)^\W*(?:notes? \d+\b|notes to |report of independent|item \d|part i|table of contents'
                || '|\pL[\pL &]*notes to consolidated)'
                || '|\bfollowing tables? (?:shows?|presents?|sets?|summari[sz]es?|provides?)\b|:$'
            )
            or (
                upper(answer_text) = answer_text
                and regexp_matches(answer_text, '\pL{4}')
            )
        )

),

known_evidence as (

    select
        question_key,
        string_agg(sentence_text, ' ' order by evidence_rank) as evidence_text,
        list(distinct report_year) as report_years,
    from evidence
    where sentence_id is not null
    group by question_key

),

-- Only where all evidence is known; of an answer to a yes-or-no question the reason is held against it.
answers as (

    select
        questions.question_key,
        questions.answer_type,
        -- a suite may state its numbers in millions, say; amounts of the evidence are in base units
        {{ unit_scale('questions.answer_unit') }} as unit_scale,
        questions.answer_numeric * unit_scale as answer_numeric,
        questions.answer_unit,
        questions.tolerance * unit_scale as tolerance,
        {{ stated_values("known_evidence.evidence_text") }} as evidence_values,
        {{ stated_values('questions.answer_text') }} as answer_values,
        list_concat(
            evidence_values,
            list_concat(
                {{ stated_values('questions.question_text') }},
                list_transform(
                    list_concat(questions.years, known_evidence.report_years), lambda named_year: named_year::double
                )
            )
        ) as known_values,
        {{ content_words('questions.answer_text') }} as answer_words,
        {{ content_words(
            "concat_ws(' ', known_evidence.evidence_text, questions.question_text, "
            ~ "array_to_string(questions.company_names, ' '))"
        ) }} as known_words,
    from questions
    inner join known_evidence
        on questions.question_key = known_evidence.question_key
    left join outside_corpus
        on questions.question_key = outside_corpus.question_key
    where outside_corpus.question_key is null

),

-- A figure is known that the evidence states, in whatever unit; a table's scale stands elsewhere. The amount of a change
-- is computed, so it stands in no sentence; it must be the numeric answer.
unknown_numbers as (

    select
        question_key,
        list_transform(
            list_filter(answer_values, lambda figure: not (
                coalesce(list_bool_or(list_transform(
                    known_values,
                    lambda known: abs(figure - known) <= 1e-9 * abs(known)
                    or (known < 1e6 and list_bool_or(list_transform(
                        [1e3, 1e6, 1e9], lambda scale: abs(figure - known * scale) <= 1e-9 * abs(known * scale)
                    )))
                )), false)
                or coalesce(list_bool_or(list_transform(
                    [1, 1e3, 1e6, 1e9],
                    lambda scale: abs(figure * scale - abs(answer_numeric))
                    <= coalesce(tolerance, 0) + 1e-9 * abs(answer_numeric)
                )), false)
            )),
            lambda figure: printf('%.12g', figure)
        ) as numbers,
    from answers

),

unsupported_text as (

    select
        answers.question_key,
        'answer_not_in_evidence' as gate,
        case
            when len(unknown_numbers.numbers) > 0 then 'A number of the answer is not in the evidence'
            else 'Too little of the answer''s wording is in the evidence'
        end as reason,
        case
            when len(unknown_numbers.numbers) > 0 then array_to_string(unknown_numbers.numbers, ', ')
            else round(
                    len(list_intersect(answers.answer_words, answers.known_words)) / len(answers.answer_words), 2
                )::varchar
        end as detail,
    from answers
    inner join unknown_numbers
        on answers.question_key = unknown_numbers.question_key
    where
        len(unknown_numbers.numbers) > 0
        or len(list_intersect(answers.answer_words, answers.known_words))
        < {{ setting('question_min_support') }} * len(answers.answer_words)

),

-- What a yes-or-no question asks about: its words without the companies' names and the vocabulary of such questions.
-- Words count as the same from their first five letters on, since a question conjugates.
asked_words as (

    select
        questions.question_key,
        list_distinct(list_transform(
            list_filter(
                {{ content_words(without_year_ends('questions.question_text')) }},
                lambda word: not list_contains(
                    {{ content_words("array_to_string(questions.company_names, ' ')") }}, word
                )
                and not regexp_matches(
                    word, '^(?:attribut.*|least|part|report.*|contribut.*|according|explain.*|explicit.*|names?'
                    || '|causes?|items?|form|filings?|there|compar.*|higher|lower|rise|increas.*|decreas.*|chang.*)$'
                )
            ), lambda word: word[:5]
        )) as asked,
        list_transform({{ content_words('known_evidence.evidence_text') }}, lambda word: word[:5]) as known,
    from questions
    inner join known_evidence
        on questions.question_key = known_evidence.question_key
    where questions.answer_type = 'boolean'

),

off_topic as (

    select
        question_key,
        'evidence_off_topic' as gate,
        'The evidence of a yes or no is about something else' as reason,
        array_to_string(list_sort(asked), ', ') as detail,
    from asked_words
    where len(list_intersect(asked, known)) < {{ setting('question_min_asked') }} * len(asked)

),

evidence_amounts as (

    select distinct
        evidence.question_key,
        evidence.sentence_id,
        abs(kpi_amounts.value) as amount,
        false as is_tagged,
    from evidence
    inner join kpi_amounts
        on evidence.sentence_id = kpi_amounts.sentence_id

    union

    select
        evidence.question_key,
        evidence.sentence_id,
        abs(fact_sentences.value) as amount,
        true as is_tagged,
    from evidence
    inner join fact_sentences
        on evidence.sentence_id = fact_sentences.sentence_id

),

explained_amounts as (

    select
        question_key,
        amount,
    from evidence_amounts

    union all

    select
        one.question_key,
        abs(one.amount - other.amount) as amount,
    from evidence_amounts as one
    inner join evidence_amounts as other
        on one.question_key = other.question_key
        -- a row of a table holds both years
        and (one.sentence_id < other.sentence_id or (one.is_tagged and other.is_tagged and one.amount < other.amount))

),

unsupported_numeric as (

    select
        answers.question_key,
        'answer_not_in_evidence' as gate,
        'The numeric answer is no amount of the evidence and no difference of two' as reason,
        answers.answer_numeric::varchar as detail,
    from answers
    where
        answers.answer_type = 'numeric'
        -- a year is no amount
        and not (
            answers.answer_unit in ('year', 'calendar year', 'fiscal year', 'YYYY')
            and list_contains(answers.evidence_values, answers.answer_numeric)
        )
        and not exists (
            select 1
            from explained_amounts
            where
                explained_amounts.question_key = answers.question_key
                and abs(explained_amounts.amount - abs(answers.answer_numeric))
                <= coalesce(answers.tolerance, 0) + 1e-9 * abs(answers.answer_numeric)
        )

),

shared_texts as (

    select
        evidence.question_key,
        'shared_by_year' as gate,
        'The evidence stands word for word in another year''s filing of the company' as reason,
        string_agg(distinct sentences.sentence_id, ', ' order by sentences.sentence_id) as detail,
    from evidence
    inner join questions
        on evidence.question_key = questions.question_key
    inner join sentences
        on evidence.text_hash = sentences.text_hash
        and evidence.cik = sentences.cik
        and not list_contains(questions.years, sentences.report_year)
    where evidence.duplicate_count > 1
    group by evidence.question_key

),

answerable as (

    select
        questions.question_key,
        'answer_exists' as gate,
        'The warehouse holds what should be absent' as reason,
        coalesce(min(kpi_scan.sentence_id), min(risk_atlas.sentence_id)) as detail,
    from questions
    left join kpi_scan
        on questions.shape = 'absent_kpi'
        and questions.topic_label = kpi_scan.kpi_label
        and questions.cik_ints[1] = kpi_scan.cik_int
        and questions.years[1] = kpi_scan.report_year
    left join risk_atlas
        on questions.shape = 'absent_risk'
        and questions.topic_label = risk_atlas.risk_topic
        and questions.cik_ints[1] = risk_atlas.cik_int
        and questions.years[1] = risk_atlas.report_year
    where
        questions.answer_type = 'no_answer'
        and (kpi_scan.sentence_id is not null or risk_atlas.sentence_id is not null)
    group by questions.question_key

),

final as (

    select * from outside_corpus

    union all

    select * from pointers

    union all

    select * from unsupported_text

    union all

    select * from unsupported_numeric

    union all

    select * from off_topic

    union all

    select * from shared_texts

    union all

    select * from answerable

)

select * from final
