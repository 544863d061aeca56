-- Gates that hold a question against its own words and against the other questions of its suite; each finding is a row.
--   ambiguous_entity   a company that the question is about is not named in it, or another company answers to the name
--   ambiguous_year     the first and the last year that it is about are not both named in it; or one that goes by its end
--                      (int_question_pool) is called "fiscal 2025", by the question or the answer
--   near_duplicate     an earlier question of the suite, about the same companies and years, has nearly the same words
--   shared_by_year     a question about the same company and another year has nearly the same gold answer
--   answer_leaked      the question holds an amount of the answer or, if the answer states none, most of its words; that
--                      there is an increase or a decrease is what both are about
--   trivial            the answer is too short to say anything
--   unreadable         the answer is longer than anybody would give it
with

questions as (

    select * from {{ ref('int_suite_questions') }}

),

candidates as (

    select * from {{ ref('int_question_candidates') }}

),

companies as (

    select
        cik,
        lower(regexp_replace({{ core_company_name('company_name') }}, '[^\pL\pN]', '', 'g')) as bare_name,
    from {{ ref('dim_companies') }}

),

measured as (

    select
        question_key,
        suite,
        question_id,
        coalesce(paraphrase_group_id, question_key) as paraphrase_group_id,
        draw_rank,
        cik_ints,
        years,
        question_text,
        answer_type,
        answer_text,
        {{ content_words('question_text') }} as question_words,
        {{ content_words(without_year_ends('question_text')) }} as topic_words,
        {{ content_words('answer_text') }} as answer_words,
        list_filter(
            {{ content_words('answer_text') }},
            lambda word: not regexp_matches(word, '^(?:in|de)crease[sd]?$')
        ) as telling_words,
        len(regexp_extract_all(answer_text, '\S+')) as answer_length,
        regexp_extract_all(
            answer_text, '\$ ?\d(?:[\d,.]*\d)?(?: (?:thousand|million|billion))?'
            || '|\d(?:[\d,.]*\d)?%'
        ) as answer_amounts,
    from questions

),

asked_companies as (

    select
        question_key,
        lower(regexp_replace(question_text, '[^\pL\pN]', '', 'g')) as bare_question,
        lower(question_text) as lower_question,
        unnest(cik_ints) as cik,
        unnest(company_names) as company_name,
    from questions

),

named_companies as (

    select
        *,
        lower(regexp_replace({{ core_company_name('company_name') }}, '[^\pL\pN]', '', 'g')) as bare_name,
        lower(regexp_extract(company_name, '^[\pL\pN]+')) as first_word,
    from asked_companies

),

-- A first word of four letters or more stands for a company, as analysts write it ("Genworth", "Netflix").
unnamed_companies as (

    select
        question_key,
        'ambiguous_entity' as gate,
        'The question does not name the company' as reason,
        string_agg(company_name, ', ' order by company_name) as detail,
    from named_companies
    where
        not contains(bare_question, bare_name)
        and not (len(first_word) >= 4 and regexp_matches(lower_question, '\b' || first_word || '\b'))
    group by question_key

),

shared_names as (

    select
        named_companies.question_key,
        'ambiguous_entity' as gate,
        'Another company in the corpus answers to the name' as reason,
        string_agg(companies.bare_name || ' (' || companies.cik || ')', ', ' order by companies.cik) as detail,
    from named_companies
    inner join companies
        on named_companies.cik != companies.cik
        and starts_with(companies.bare_name, named_companies.bare_name)
        and not contains(named_companies.bare_question, companies.bare_name)
    group by named_companies.question_key

),

missing_years as (

    select
        question_key,
        'ambiguous_year' as gate,
        'The question does not name its first and its last year' as reason,
        array_to_string(years, ', ') as detail,
    from measured
    where
        not contains(question_text, list_min(years)::varchar)
        or not contains(question_text, list_max(years)::varchar)

),

-- A retailer's fiscal 2024 ends in 2025, and its "fiscal 2025" is another year.
misnamed_years as (

    select
        questions.question_key,
        'ambiguous_year' as gate,
        'The question or its answer calls a year otherwise than the company does' as reason,
        array_to_string(candidates.year_names, ', ') as detail,
    from questions
    inner join candidates
        on questions.candidate_id = candidates.candidate_id
    where
        candidates.year_names is not null
        and (
            regexp_matches(questions.question_text, '(?i)\b(?:fiscal(?: years?)? |FY ?)(?:20|19)?\d\d\b')
            or contains(lower(questions.answer_text), 'fiscal ' || list_max(questions.years))
        )

),

near_duplicates as (

    select
        later.question_key,
        'near_duplicate' as gate,
        'Nearly the words of an earlier question about the same companies and years' as reason,
        string_agg(earlier.question_id, ', ' order by earlier.question_id) as detail,
    from measured as later
    inner join measured as earlier
        on later.suite = earlier.suite
        and later.paraphrase_group_id != earlier.paraphrase_group_id
        and list_sort(later.cik_ints) = list_sort(earlier.cik_ints)
        and list_sort(later.years) = list_sort(earlier.years)
        and (earlier.draw_rank, earlier.question_id) < (later.draw_rank, later.question_id)
    where {{ jaccard('later.topic_words', 'earlier.topic_words') }} >= {{ setting('question_duplicate_jaccard') }}
    group by later.question_key

),

shared_gold as (

    select
        one.question_key,
        'shared_by_year' as gate,
        'A question about another year has nearly the same gold answer' as reason,
        string_agg(other.question_id, ', ' order by other.question_id) as detail,
    from measured as one
    inner join measured as other
        on one.suite = other.suite
        and one.question_key != other.question_key
        and list_sort(one.cik_ints) = list_sort(other.cik_ints)
        and not list_has_any(one.years, other.years)
        and one.answer_type in ('span', 'list')
        and other.answer_type in ('span', 'list')
        and len(one.answer_words) >= 3
        -- different amounts are different answers
        and (list_sort(one.answer_amounts) = list_sort(other.answer_amounts) or len(one.answer_amounts) = 0)
    where {{ jaccard('one.answer_words', 'other.answer_words') }} >= {{ setting('question_shared_gold_jaccard') }}
    group by one.question_key

),

leaks as (

    select
        question_key,
        'answer_leaked' as gate,
        case
            when len(list_filter(answer_amounts, lambda amount: contains(question_text, amount))) > 0
                then 'The question holds an amount of the answer'
            else 'The question holds most of the answer''s words'
        end as reason,
        array_to_string(list_sort(list_intersect(telling_words, question_words)), ', ') as detail,
    from measured
    where
        answer_type in ('span', 'list', 'numeric')
        and (
            len(list_filter(answer_amounts, lambda amount: contains(question_text, amount))) > 0
            or (
                len(answer_amounts) = 0
                and len(telling_words) > 0
                and len(list_intersect(telling_words, question_words))
                >= {{ setting('question_max_leak') }} * len(telling_words)
            )
        )

),

trivial as (

    select
        question_key,
        'trivial' as gate,
        'The answer says too little' as reason,
        answer_text as detail,
    from measured
    where
        answer_type in ('span', 'list')
        and answer_length < {{ setting('question_min_answer_words') }}

),

unreadable as (

    select
        question_key,
        'unreadable' as gate,
        'The answer is too long' as reason,
        answer_length || ' words' as detail,
    from measured
    where answer_length > {{ setting('question_max_answer_words') }}

),

final as (

    select * from unnamed_companies

    union all

    select * from shared_names

    union all

    select * from missing_years

    union all

    select * from misnamed_years

    union all

    select * from near_duplicates

    union all

    select * from shared_gold

    union all

    select * from leaks

    union all

    select * from trivial

    union all

    select * from unreadable

)

select * from final
