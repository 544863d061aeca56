-- A term that lost its first letter ("djusted EBITDA"), a pronoun or a heading was once captured as what a sentence
-- defines, and asked for in questions.
select
    sentence_id,
    defined_term,
    sentence_text,
from {{ ref('v5_definition_bundles_sentences') }}
where
    defined_term is not null
    and (
        not regexp_matches(sentence_text, '(?:^|[^\pL\pN])' || regexp_escape(defined_term) || '(?:$|[^\pL\pN])')
        or regexp_matches(defined_term, '(?i)^(?:this|that|these|those|it|they|we|our|its|such|which|who|what)\b')
        or regexp_matches(defined_term, '^[^a-z]* [^a-z]*[A-Z]{4}[^a-z]*$')
    )
