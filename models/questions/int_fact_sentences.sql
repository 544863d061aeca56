-- The sentences and written rows that carry each tagged fact.
with

tagged_facts as (

    select
        * replace (
            case
                when unit = 'USD/shares' then 'USD per share'
                when unit = 'pure' and scale = -2 then '%'
                else unit
            end as unit
        ),
        -- a tag of a percentage holds a share of one
        if(unit = 'pure' and scale = -2, 100, 1) as unit_factor,
        -- half of the last place that the value is exact to; "INF" is exact
        coalesce(0.5 * pow(10, -try_cast(decimals as integer)) * unit_factor, 0) as rounding,
    from {{ ref('fct_tagged_facts') }}
    where value is not null

),

table_cells as (

    select * from {{ ref('fct_table_cells') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind not in ('heading', 'index_line')

),

places as (

    select
        fact_id,
        sentence_id,
    from tagged_facts

    union

    select
        tagged_facts.fact_id,
        table_cells.row_sentence_id as sentence_id,
    from tagged_facts
    inner join table_cells
        on tagged_facts.cell_id = table_cells.cell_id

),

final as (

    select
        places.fact_id,
        places.sentence_id,
        sentences.sentence_kind,
        sentences.word_count,
        tagged_facts.cik,
        tagged_facts.report_year,
        tagged_facts.filing_id,
        tagged_facts.concept,
        tagged_facts.label,
        tagged_facts.cell_id,
        tagged_facts.dimensions,
        tagged_facts.period_start,
        tagged_facts.period_end,
        tagged_facts.value_text,
        tagged_facts.scale,
        tagged_facts.unit,
        tagged_facts.unit_factor,
        round(tagged_facts.value * tagged_facts.unit_factor, 6) as value,
        tagged_facts.rounding,
        -- The same of what is printed: "3,200" million may be rounded to hundreds, whatever the tag says.
        greatest(
            tagged_facts.rounding,
            0.5 * tagged_facts.unit_factor * pow(10, tagged_facts.scale + if(
                contains(tagged_facts.value_text, '.'),
                -length(regexp_extract(tagged_facts.value_text, '\.(\d+)', 1)),
                length(regexp_extract(replace(tagged_facts.value_text, ',', ''), '0*$'))
            ))
        ) as printed_rounding,
        coalesce(
            regexp_matches(table_cells.value_text, '^\W*\('),
            regexp_matches(left(places_text.sentence_text, tagged_facts.char_start::bigint - 1), '\(\s*\$?\s*$')
            and regexp_matches(
                substr(places_text.sentence_text, tagged_facts.char_end::bigint + 1), '^\s*%?\s*\)'
            ),
            false
        ) as is_in_brackets,
    from places
    inner join sentences
        on places.sentence_id = sentences.sentence_id
    inner join tagged_facts
        on places.fact_id = tagged_facts.fact_id
    left join sentences as places_text
        on tagged_facts.sentence_id = places_text.sentence_id
    left join table_cells
        on tagged_facts.cell_id = table_cells.cell_id

)

select * from final
