-- H definition: how a company defines a term, from the definition bundles (V5). The sentence must open with what it
-- defines or with who defines it, so that no heading is run into it, and a filing must define the term once only.
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

final as (

    select
        'H_definition_' || sentence_id as candidate_id,
        'H' as category,
        'definition' as shape,
        bundle_id,
        topic_label,
        case when topic_label = 'other_definition' then 'medium' else 'easy' end as difficulty,
        'span' as answer_type,
        [cik_int] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        -- the known non-GAAP terms before others
        (topic_label != 'other_definition')::integer as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object('term', term, 'definition', plain_text) as details,
    from clear_definitions

)

select * from final
