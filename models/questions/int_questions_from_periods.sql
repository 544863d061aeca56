-- I year_end: which date the fiscal year of a filing ends on, from a sentence that names a full date of the report
-- year. Whoever takes the wrong one of two filings, or a comparative for the year itself, answers with another date.
-- Left out are filings whose sentences name two year ends for the report year, and exhibit lists.
-- Which year a filing compares itself with is not asked: it is the one before, whoever reads it or not.
with

-- As they read without the heading that their source runs into them.
sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}

),

dated as (

    select
        sentence_id,
        filing_id,
        cik,
        report_year,
        section_id,
        word_count,
        sentence_text,
        regexp_extract(
            sentence_text,
            '(?i)(?:fiscal |52-week |53-week )*years? (?:ended|ending|ends on|that ended) ((?:on )?(?:January'
            || '|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, (?:19'
            || '|20)\d\d)\b',
            1
        ) as stated_date,
    from sentences
    where
        section_id in ('ITEM_1', 'ITEM_6', 'ITEM_7', 'ITEM_7A', 'ITEM_8')
        and word_count between 8 and 40
        and regexp_matches(sentence_text, '^[^\pL]*\p{Lu}.*[.][”"’)]*$')
        and not regexp_matches(
            sentence_text, '(?i)\bquarter|\bmonths\b|exhibit|incorporated|\bwill\b'
            || '|we have audited|opinion'
        )

),

year_ends as (

    select
        *,
        regexp_matches(
            sentence_text, '(?i)references? (?:herein )?to|refers? to|fiscal year (?:is|ends)|contain(?:s'
            || '|ed) 5[23] weeks|5[23]-week'
        ) as is_convention,
        regexp_matches(sentence_text, '(?i)\b(?:for|during|in) the (?:fiscal )?year ended') as is_one_year,
    from dated
    where
        {{ fiscal_year_of("try_strptime(regexp_replace(stated_date, '(?i)^on ', ''), '%B %d, %Y')::date") }} = report_year
    qualify
        min(lower(stated_date)) over (partition by filing_id) = max(lower(stated_date)) over (partition by filing_id)

),

final as (

    select
        'I_year_end_' || sentence_id as candidate_id,
        'I' as category,
        'year_end' as shape,
        'filing_' || filing_id as bundle_id,
        'fiscal_year_end' as topic_label,
        -- December is what one would guess
        case when regexp_matches(stated_date, '(?i)^December 31,') then 'easy' else 'medium' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        (
            2 * is_convention::integer
            + is_one_year::integer
            + (not regexp_matches(stated_date, '(?i)^December 31,'))::integer
        ) as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object('stated_date', stated_date) as details,
    from year_ends
    qualify row_number() over (
            partition by filing_id
            order by is_convention desc, is_one_year desc, section_id, word_count, sentence_id
        ) = 1

)

select * from final
