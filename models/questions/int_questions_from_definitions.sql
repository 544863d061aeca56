-- H, from the definition bundles (V5). definition: how a company defines a term. where: in which item it does, and how.
-- The sentence must open with what it defines or with who defines it, so that no heading is run into it, and a filing must
-- define the term once only, in one item. A definition that stands in the same words in several years' filings is asked
-- about all of them. A hash decides which definitions are asked about as where.
with

definitions as (

    select * from {{ ref('v5_definition_bundles_sentences') }}
    where
        candidate_type = 'definition'
        and defined_term is not null

),

worded as (

    select
        *,
        -- footnote marks, bullets and quotation marks before the first word
        regexp_replace(sentence_text, '^(?:[^\pL“"]|\(\w\))+', '') as plain_text,
        trim(regexp_replace(defined_term, '(?i)^(?:the|an?|our|company[’'']s|its) ', ''), ' “”",') as term,
    from definitions

),

clear_definitions as (

    select * from worded
    where
        len(string_split(term, ' ')) <= 6
        and regexp_matches(term, '^[\pL][\pL\pN /&’''-]{2,60}$')
        and not regexp_matches(
            term, '(?i)\b(?:amount|levels?|this|these|such|term|adjustment|rate|balance'
            || '|difference|excess|company|fair value|reporting unit|operating segments?|goodwill and)\b'
        )
        -- a heading run into the sentence repeats the term
        and len(string_split(lower(term), ' ')) = len(list_distinct(string_split(lower(term), ' ')))
        -- abbreviations of a glossary
        and (topic_label != 'other_definition' or not regexp_matches(term, '^[\p{Lu}\pN/-]+$'))
        and regexp_matches(plain_text, '[.][”"’)]*$')
        and len(string_split(plain_text, ' ')) between 9 and 70
        and not regexp_matches(plain_text, '(?i)as follows|see note|[.] \p{Lu}|, defined as|, which (?:we|is) define')
        and (
            starts_with(lower(ltrim(regexp_replace(plain_text, '^(?i:the|an?|our) ', ''), '“"')), lower(term))
            or (
                regexp_matches(plain_text, '^(?:We|The Company|Management) (?:\w+ly )?(?:define|calculate|compute)s?\b')
                and contains(lower(plain_text), lower(term))
            )
        )
    qualify count(distinct lower(plain_text)) over (partition by filing_id, lower(term)) = 1

),

-- One definition: the same words, whatever the year.
definitions_over_years as (

    select
        cik_int as cik,
        min_by(term, sentence_id) as term,
        min_by(plain_text, sentence_id) as definition,
        min_by(bundle_id, sentence_id) as bundle_id,
        min_by(topic_label, sentence_id) as topic_label,
        min_by(section_name, sentence_id) as section_id,
        count(distinct section_name) as section_count,
        list(distinct report_year order by report_year) as years,
        list(sentence_id order by report_year, sentence_id) as evidence_ids,
        min(sentence_id) as first_sentence_id,
    from clear_definitions
    group by cik_int, lower(term), lower(plain_text)

),

shaped as (

    select
        *,
        case
            when
                section_count = 1
                and md5('{{ setting("gold_seed") }}|where|' || first_sentence_id) < '8'
                then 'where'
            else 'definition'
        end as shape,
    from definitions_over_years

),

final as (

    select
        'H_' || shape || '_' || first_sentence_id as candidate_id,
        'H' as category,
        shape,
        bundle_id,
        topic_label,
        case
            when topic_label = 'other_definition' or shape = 'where' or len(years) > 1 then 'medium'
            else 'easy'
        end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        years,
        evidence_ids,
        -- the known non-GAAP terms before others, and one year before several
        2 * (topic_label != 'other_definition')::integer + (len(years) = 1)::integer as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object('term', term, 'definition', definition, 'section_id', section_id) as details,
    from shaped

)

select * from final
