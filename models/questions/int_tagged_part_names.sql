-- What the filing itself calls the part (segment, product or service, region) that a tagged figure is of: in the row of the
-- figure, in its column's header or in its sentence. A member that none of them names has no name, and is not asked about.
--   1. the member's letters, or those of the country that its code stands for, one after another: "Europe, Middle East &
--      Africa", "non-U.S."
--   2. a label that the member begins or ends with ("Equipment" of SportingEquipment) or whose capitals it has ("AWS")
--   3. of figures of one concept that stand below or beside each other, each of another member, the label or the header
--      that tells them apart
-- A total, an elimination and what is left over between them is no part.
{%- set axes = {
    'us-gaap:StatementBusinessSegmentsAxis': 'segment',
    'srt:ProductOrServiceAxis': 'product or service',
    'srt:StatementGeographicalAxis': 'region',
} %}
{%- set no_part = "'(?i)\\b(?:adjust|consolidat|eliminat|inter-?segment|reconcil|segments\\b|totals?\\b|worldwide)'" %}
with

table_cells as (

    select * from {{ ref('fct_table_cells') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

tagged_regions as (

    select * from {{ ref('tagged_regions') }}

),

fact_sentences as (

    select
        *,
        string_split(dimensions, '=')[1] as axis,
        string_split(dimensions, '=')[2] as member,
    from {{ ref('int_fact_sentences') }}
    where
        sentence_kind != 'written_row'
        and not contains(dimensions, ';')

),

parts as (

    select
        fact_sentences.fact_id,
        fact_sentences.concept,
        fact_sentences.label,
        fact_sentences.period_start,
        fact_sentences.period_end,
        fact_sentences.member,
        case fact_sentences.axis
            {%- for axis, axis_name in axes.items() %}
                when '{{ axis }}' then '{{ axis_name }}'
            {%- endfor %}
        end as part_kind,
        tagged_regions.region_name,
        -- as words, what the filer calls the member
        trim(regexp_replace(
            regexp_replace(
                regexp_replace(fact_sentences.member, '^.*:|(?:Segments?)?Member$', '', 'g'),
                '([a-z\d])([A-Z])',
                '\1 \2',
                'g'
            ),
            '([A-Z]{2})([A-Z][a-z])', '\1 \2', 'g'
        )) as member_words,
        lower(regexp_replace(coalesce(tagged_regions.region_name, member_words), '[^\pL\d]', '', 'g')) as member_letters,
        table_cells.table_id,
        table_cells.row_no,
        table_cells.column_no,
        -- without "Total", "segment" and footnotes
        list_transform(
            string_split(table_cells.row_label || ' > ' || coalesce(table_cells.column_header, ''), ' > '),
            lambda name: trim(regexp_replace(
                name, '(?i)^total |(?: segments?)?(?:\s|\([^)]*\)|\d|[:*†])*$', '', 'g'
            ))
        ) as names,
        names[:-2] as row_names,
        names[-1] as column_name,
        coalesce(
            if(fact_sentences.cell_id is null, sentences.sentence_text, null),
            concat_ws(' | ', table_cells.row_label, table_cells.column_header)
        ) as place_text,
    from fact_sentences
    inner join sentences
        on fact_sentences.sentence_id = sentences.sentence_id
    left join table_cells
        on fact_sentences.cell_id = table_cells.cell_id
    left join tagged_regions
        on fact_sentences.member = tagged_regions.member
    where part_kind is not null
    qualify row_number() over (partition by fact_sentences.fact_id order by fact_sentences.sentence_id) = 1

),

-- label or header, of several the one of most letters
labels as (

    select
        fact_id,
        member_words,
        member_letters,
        unnest(row_names || [column_name]) as place_label,
        lower(regexp_replace(place_label, '[^\pL\d]', '', 'g')) as place_letters,
    from parts

),

named_by_label as (

    select
        fact_id,
        arg_max(place_label, length(place_label)) as part_name,
    from labels
    where
        (
            length(place_label) >= 4
            and (
                starts_with(member_letters, place_letters)
                or ends_with(member_letters, place_letters)
            )
        )
        or (
            regexp_matches(place_label, '^[A-Z]{2,5}$')
            and place_label = regexp_replace(member_words, '[^A-Z]', '', 'g')
        )
    group by fact_id

),

-- a label that tells apart what stands below each other, and a header what stands beside each other
told_apart as (

    select
        fact_id,
        label,
        row_names[-1] as row_name,
        column_name,
        count(distinct member) over below as members_below,
        count(distinct row_name) over below as names_below,
        count(distinct member) over beside as members_beside,
        count(distinct column_name) over beside as names_beside,
        case
            when members_below > 1 and members_below = names_below then row_name
            when members_beside > 1 and members_beside = names_beside then column_name
        end as part_name,
    from parts
    where table_id is not null
    window
        below as (partition by table_id, column_no, concept, part_kind, period_start, period_end),
        beside as (partition by table_id, row_no, concept, part_kind, period_start, period_end)

),

named_by_difference as (

    select
        fact_id,
        part_name,
    from told_apart
    where
        regexp_matches(part_name, '^\p{Lu}[\pL&,.’'' /-]{1,50}$')
        -- "Gross profit" is what the figures are, not whose
        and not list_has_all({{ word_set('label') }}, {{ word_set('part_name') }})

),

-- kept, for the pattern of each member is dear
spelled as materialized (

    select
        *,
        if(
            contains(lower(regexp_replace(place_text, '[^\pL\d]', '', 'g')), member_letters),
            regexp_extract(
                place_text,
                '(?i)(?:^|[^\pL\d])('
                || left(member_letters, 1)
                || regexp_replace(member_letters[2:], '(.)', '[ ,.&’''/()–-]{0,3}\1', 'g')
                || ')(?:$|[^\pL\d])',
                1
            ),
            ''
        ) as spelled_out,
    from parts

),

named as (

    select
        spelled.fact_id,
        spelled.part_kind,
        case
            when
                spelled.member = 'country:US' and regexp_matches(spelled.place_text, '(?:^|[^-\pL] ?)U\.S\.')
                then spelled.region_name
            when spelled_out = '' then coalesce(named_by_label.part_name, named_by_difference.part_name)
            when regexp_matches(spelled_out, '\.\pL$') then spelled_out || '.'
            else spelled_out
        end as part_name,
    from spelled
    left join named_by_label
        on spelled.fact_id = named_by_label.fact_id
    left join named_by_difference
        on spelled.fact_id = named_by_difference.fact_id

),

final as (

    select
        fact_id,
        part_kind,
        part_name,
    from named
    where
        part_name is not null
        and not regexp_matches(part_name, {{ no_part }})

)

select * from final
