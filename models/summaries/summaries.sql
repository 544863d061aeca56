-- Summaries of this warehouse, a row per theme and a general one, and of others, a row per summary, in one table.
--
-- A source that was cut into pieces (finrag.summaries.chunks) is summarised piece by piece, and a theme is what the
-- pieces say about it, in their order: nothing is summarised twice, and nothing is left out. When a piece fails, the
-- source's summary by that model is a failure with that piece's status; a part is never passed off as the whole.
--
-- A call makes all of them, so each is booked with an equal share of what the source's calls cost.
{%- set themes = summary_themes() %}
with

requests as (

    select * from {{ ref('int_summarise_mdna_requests') }}

),

responses as (

    select * from {{ ref('int_summarise_mdna_responses') }}

),

sources as (

    select * from {{ ref('sources') }}

),

sentences as (

    select * from {{ ref('int_source_sentences') }}

),

pairs as (

    select * from {{ ref('int_summary_pairs') }}
    where reason is null

),

pieces as (

    select
        requests.source_id,
        requests.chunk_no,
        requests.chunk_count,
        responses.model_id as system,
        responses.provider,
        responses.is_baseline,
        responses.replicate,
        responses.status not in ('ok', 'repaired') as is_error,
        responses.status,
        responses.error,
        responses.output,
        responses.input_tokens,
        responses.output_tokens,
        responses.cost_usd,
        responses.call_key,
    from responses
    inner join requests
        on responses.item_id = requests.item_id

),

wholes as (

    select
        source_id,
        system,
        provider,
        is_baseline,
        replicate,
        any_value(chunk_count) as chunk_count,
        bool_or(is_error) as is_error,
        arg_min(status, chunk_no) filter (where is_error) as failure,
        arg_min(error, chunk_no) filter (where is_error) as error,
        sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens,
        sum(cost_usd) as cost_usd,
        md5(string_agg(call_key, '|' order by chunk_no)) as call_keys,
    from pieces
    group by
        source_id,
        system,
        provider,
        is_baseline,
        replicate

),

theme_names as (

    select unnest({{ themes }}) as theme,

),

piece_themes as (

    select
        pieces.source_id,
        pieces.system,
        pieces.replicate,
        pieces.chunk_no,
        theme_names.theme,
        trim(json_extract_string(pieces.output, '$.' || theme_names.theme || '.summary')) as said,
        json_extract(pieces.output, '$.' || theme_names.theme || '.sentence_numbers')::integer[] as sentence_numbers,
    from pieces
    cross join theme_names

),

themes as (

    select
        source_id,
        system,
        replicate,
        theme,
        nullif(string_agg(said, ' ' order by chunk_no) filter (where said != ''), '') as summary_text,
        coalesce(list_distinct(flatten(list(sentence_numbers) filter (where said != ''))), []) as sentence_numbers,
    from piece_themes
    group by
        source_id,
        system,
        replicate,
        theme

),

numbers as (

    select
        source_id,
        system,
        replicate,
        theme,
        unnest(sentence_numbers) as sentence_no,
    from themes

),

evidence as (

    select
        numbers.source_id,
        numbers.system,
        numbers.replicate,
        numbers.theme,
        list(sentences.sentence_id order by sentences.sentence_no) filter (
            where sentences.sentence_id is not null
        ) as evidence_sentence_ids,
        count(*) filter (where sentences.sentence_id is null) as unknown_sentence_count,
    from numbers
    left join sentences
        on numbers.source_id = sentences.source_id
        and numbers.sentence_no = sentences.sentence_no
    group by
        numbers.source_id,
        numbers.system,
        numbers.replicate,
        numbers.theme

),

own as (

    select
        'mdna' as dataset,
        wholes.source_id,
        wholes.system,
        wholes.provider,
        wholes.is_baseline,
        wholes.replicate,
        themes.theme,
        if(wholes.is_error, null, themes.summary_text) as summary_text,
        null::varchar as reference_text,
        if(wholes.is_error, [], coalesce(evidence.evidence_sentence_ids, [])) as evidence_sentence_ids,
        if(wholes.is_error, 0, coalesce(evidence.unknown_sentence_count, 0)) as unknown_sentence_count,
        case
            when wholes.is_error then wholes.failure
            when themes.summary_text is null then 'nothing_said'
            else 'ok'
        end as status,
        wholes.is_error,
        wholes.error,
        wholes.chunk_count,
        wholes.input_tokens / {{ themes | length }} as input_tokens,
        wholes.output_tokens / {{ themes | length }} as output_tokens,
        wholes.cost_usd / {{ themes | length }} as cost_usd,
        wholes.call_keys as content_key,
    from wholes
    inner join themes
        on wholes.source_id = themes.source_id
        and wholes.system = themes.system
        and wholes.replicate = themes.replicate
    left join evidence
        on themes.source_id = evidence.source_id
        and themes.system = evidence.system
        and themes.replicate = evidence.replicate
        and themes.theme = evidence.theme

),

external as (

    select
        dataset,
        source_id,
        system,
        'external' as provider,
        false as is_baseline,
        replicate,
        'all' as theme,
        nullif(trim(summary_text), '') as summary_text,
        reference_text,
        [] as evidence_sentence_ids,
        0 as unknown_sentence_count,
        if(trim(summary_text) = '', 'empty', 'ok') as status,
        false as is_error,
        null::varchar as error,
        1 as chunk_count,
        null::double as input_tokens,
        null::double as output_tokens,
        null::double as cost_usd,
        '' as content_key,
    from pairs

),

unioned as (

    select * from own
    union all
    select * from external

),

summaries as (

    select
        md5(concat_ws(
            '|',
            unioned.dataset,
            unioned.source_id,
            unioned.system,
            unioned.replicate,
            unioned.theme,
            unioned.content_key,
            coalesce(unioned.summary_text, '')
        )) as summary_id,
        unioned.dataset,
        unioned.source_id,
        sources.filing_id,
        sources.company_name,
        sources.report_year,
        unioned.system,
        unioned.provider,
        unioned.is_baseline,
        unioned.replicate,
        unioned.theme,
        unioned.summary_text,
        len(string_split_regex(unioned.summary_text, '\s+'))::integer as summary_word_count,
        if(
            unioned.theme = 'general',
            len(string_split_regex(unioned.summary_text, '\s+'))
            between {{ general_summary_words()[0] }} and {{ general_summary_words()[1] }},
            null
        ) as is_right_length,
        unioned.reference_text,
        unioned.evidence_sentence_ids::varchar[] as evidence_sentence_ids,
        unioned.unknown_sentence_count::integer as unknown_sentence_count,
        unioned.status,
        unioned.is_error,
        unioned.error,
        unioned.chunk_count::integer as chunk_count,
        unioned.input_tokens::double as input_tokens,
        unioned.output_tokens::double as output_tokens,
        unioned.cost_usd::double as cost_usd,
    from unioned
    left join sources
        on unioned.source_id = sources.source_id

)

select * from summaries
