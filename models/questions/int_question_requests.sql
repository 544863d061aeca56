-- What the writer of a question is told: names, years or, of a company that calls them otherwise, their names by their ends
-- (int_question_pool), what the rules found in the evidence (details), and the evidence. More are asked for than the quota
-- wants, since the gates will turn some away.
with

candidates as (

    select * from {{ ref('int_question_candidates') }}
    where draw_rank <= ceil(questions * {{ setting('question_oversampling') }})

),

company_names as (

    select * from {{ ref('int_company_names') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

cited as (

    select
        candidate_id,
        unnest(evidence_ids) as sentence_id,
        generate_subscripts(evidence_ids, 1) as evidence_rank,
    from candidates

),

evidence as (

    select
        cited.candidate_id,
        list({
            'sentence_id': sentences.sentence_id,
            'company': company_names.question_name,
            'report_year': sentences.report_year,
            'section_id': sentences.section_id,
            'text': sentences.sentence_text
        } order by cited.evidence_rank) as evidence,
    from cited
    inner join sentences
        on cited.sentence_id = sentences.sentence_id
    inner join company_names
        on sentences.cik = company_names.cik
    group by cited.candidate_id

),

final as (

    select
        candidates.candidate_id as item_id,
        json_object(
            'category', candidates.category,
            'shape', candidates.shape,
            'topic', candidates.topic_label,
            'companies', candidates.company_names,
            'years', if(
                candidates.year_names is null, to_json(candidates.years), to_json(candidates.year_names)
            ),
            'answer_type', candidates.answer_type,
            'answer_boolean', candidates.answer_boolean,
            'details', candidates.details,
            'evidence', coalesce(evidence.evidence, []),
            'paraphrase_count', {{ setting('question_paraphrases') }},
            'seed', candidates.draw_hash
        ) as inputs,
    from candidates
    left join evidence
        on candidates.candidate_id = evidence.candidate_id

)

select * from final
