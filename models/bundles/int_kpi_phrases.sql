{#-
    Positions come from the same trick as in int_amount_expressions: control characters around what is looked for, and sums of
    lengths. Excluded phrases are blanked to their own length first.
-#}
{%- set rules = label_rules('kpi_patterns', 'kpi_label') %}
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

sentences as (

    select
        sentence_id,
        kpi_label,
        filing_id,
        report_year,
        -- Spaces of other kinds and line ends read as spaces: one character for one, so that positions hold.
        translate(sentence_text, chr(160) || chr(8201) || chr(8239) || chr(10), '    ') as sentence_text,
    from kpi_matches

),

excluded_pieces as (

    select
        *,
        string_split(
            case kpi_label
            {%- for rule in rules if rule.exclude %}
                when '{{ rule.label }}'
                    then regexp_replace(sentence_text, {{ rule.exclude }}, chr(1) || '\0' || chr(2), 'g')
                {%- endfor %}
                else sentence_text
            end,
            chr(1)
        ) as pieces,
    from sentences

),

blanked_sentences as (

    select
        * exclude (pieces),
        pieces[1] || array_to_string(list_transform(
            pieces[2:],
            lambda piece: repeat('#', length(split_part(piece, chr(2), 1))) || split_part(piece, chr(2), 2)
        ), '') as blanked_text,
    from excluded_pieces

),

phrase_pieces as (

    select
        * exclude (blanked_text),
        string_split(
            case kpi_label
            {%- for rule in rules %}
                when '{{ rule.label }}'
                    then regexp_replace(blanked_text, {{ rule.include }}, chr(1) || '\0' || chr(2), 'g')
                {%- endfor %}
            end,
            chr(1)
        ) as pieces,
    from blanked_sentences

),

located_pieces as (

    select
        * exclude (pieces),
        unnest(pieces[2:]) as piece,
        unnest(list_transform(
            range(2, len(pieces) + 1),
            lambda i: length(array_to_string(list_slice(pieces, 1, i - 1), '')) - (i - 2) + 1
        )) as phrase_pos,
    from phrase_pieces

),

kpi_phrases as (

    select
        * exclude (piece),
        phrase_pos + length(split_part(piece, chr(2), 1)) as phrase_end,
    from located_pieces

)

select * from kpi_phrases
