-- What stands where a suite says that its evidence does: of a page every sentence that begins there, of a document that is
-- judged as a whole every sentence, each with the grade of the place, the highest of several. Of a document that is only
-- named, by a suite that quotes, nothing but what is quoted of it is evidence.
with

named_places as (

    select * from {{ ref('int_named_places') }}
    where
        page_no is not null
        or is_judged

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind not in ('heading', 'index_line')

),

final as (

    select
        named_places.question_key,
        named_places.suite,
        sentences.sentence_id,
        max(named_places.grade) as grade,
    from named_places
    inner join sentences
        on named_places.filing_id = sentences.filing_id
        and (named_places.page_no is null or named_places.page_no = sentences.page_no)
    group by
        named_places.question_key,
        named_places.suite,
        sentences.sentence_id

)

select * from final
