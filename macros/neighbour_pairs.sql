{#
    Sentences numbered densely in order of filing, section and position: sentence_key, with the first and last key of
    the section. In a section without gaps the key follows from the position by arithmetic; only sections of sampled
    corpora, which have gaps, need sorting.

    sentences: a relation or CTE with sentence_id, filing_id, section_id and sentence_pos (distinct in a section).
#}
{% macro dense_positions(sentences) -%}
    with

    section_sizes as (

        select
            filing_id,
            section_id,
            count(*) as sentence_count,
            min(sentence_pos) as first_pos,
            max(sentence_pos) - min(sentence_pos) + 1 != count(*) as has_gaps,
        from {{ sentences }}
        group by filing_id, section_id

    ),

    section_keys as (

        select
            *,
            sum(sentence_count) over (
                order by filing_id, section_id
                rows between unbounded preceding and current row
            )::bigint as last_key,
        from section_sizes

    ),

    placed as (

        select
            sentences.sentence_id,
            sentences.filing_id,
            sentences.section_id,
            sentences.sentence_pos,
            section_keys.last_key - section_keys.sentence_count + 1 as first_key,
            section_keys.last_key,
            section_keys.has_gaps,
            sentences.sentence_pos - section_keys.first_pos as steps_from_first,
        from {{ sentences }} as sentences
        inner join section_keys
            on sentences.filing_id = section_keys.filing_id
            and sentences.section_id = section_keys.section_id

    )

    select
        * exclude (steps_from_first),
        first_key + steps_from_first as sentence_key,
    from placed
    where not has_gaps

    union all

    select
        * exclude (steps_from_first),
        first_key - 1 + row_number() over (partition by first_key order by sentence_pos) as sentence_key,
    from placed
    where has_gaps
{%- endmacro %}


{#
    Pairs of sentences of one section that stand at most `window` positions apart: sentence_key, neighbour_key and
    distance (the neighbour's position minus the sentence's). Linear in the number of pairs, where a join on a range of
    positions is quadratic in the length of a section.

    positions: a relation or CTE that dense_positions made.
#}
{% macro neighbour_pairs(positions, window) -%}
    -- without gaps the keys of a section are its positions
    {%- for step in range(-window, window + 1) if step != 0 %}
    select
        sentence_key,
        sentence_key + {{ step }} as neighbour_key,
        {{ step }}::integer as distance,
    from {{ positions }}
    where
        not has_gaps
        and sentence_key + {{ step }} {{ '>= first_key' if step < 0 else '<= last_key' }}

    union all
    {% endfor %}
    -- with gaps the `window` rows on either side are candidates
    select
        sentence_key,
        neighbour.sentence_key as neighbour_key,
        (neighbour.sentence_pos - sentence_pos)::integer as distance,
    from (
        select
            sentence_key,
            sentence_pos,
            unnest([
                {%- for step in range(1, window + 1) %}
                lag({'sentence_key': sentence_key, 'sentence_pos': sentence_pos}, {{ step }}) over in_section,
                lead({'sentence_key': sentence_key, 'sentence_pos': sentence_pos}, {{ step }}) over in_section
                {{- ',' if not loop.last }}
                {%- endfor %}
            ]) as neighbour,
        from {{ positions }}
        where has_gaps
        window in_section as (partition by first_key order by sentence_pos)
    ) as candidates
    where abs(neighbour.sentence_pos - sentence_pos) <= {{ window }}
{%- endmacro %}
