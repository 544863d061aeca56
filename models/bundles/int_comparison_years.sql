-- Of which year the comparison is under which a sentence of Item 7 stands. An annual report compares its year with the one
-- before and further down that one with its own year before, under headings such as "Fiscal 2019 Compared to Fiscal 2018"; a
-- sentence there need not name its year again. In force is the last heading that compares years, until the next one or
-- until the heading of a part of Item 7 that compares nothing.
--
-- A heading is a row of its own, opens the sentence that its source runs into it, or closes the text or table before it.
-- Its year is the latest that it names; a year that ends in the first days of January is the one before (fiscal_year_of).
{%- set year -%} (?:19|20)\d\d {%- endset -%}
{%- set period -%}
    (?:(?:for|in|of) )?(?:the )?(?:(?:fiscal|calendar|full|historical|pro forma|transition) ?)*(?:(?:fiscal )?(?:years?|periods?|months|weeks) )? {#- -#}
    (?:ended )?(?:\w+ \d{1,2}, ?)?(?:fiscal )?{{ year }} {#- -#}
{%- endset -%}
{%- set further -%} (?:(?:,? (?:and|to|with|versus|(?:as )?compared (?:to|with))|,) {{ period }})* {%- endset -%}
{%- set comparison -%}
    (?:\b{{ period }},? (?:(?:as )?compared (?:to|with)|in comparison (?:to|with)|versus|vs?\.?|over) (?:\w+[ -]weeks? )?{{ period }}{{ further }}\b {#- -#}
    |\bcomparison of [^.;:]{0,80}?\b{{ period }}(?:,? (?:and|to|with|versus)|,) (?:the )?{{ period }}{{ further }}\b) {#- -#}
{%- endset -%}
{#- "2019 vs." may be cut from its "2018", as a full stop is. -#}
{%- set cut_off -%} {{ period }} vs?\. {%- endset -%}
{#- What the words of a heading are not. -#}
{%- set verbs -%}
    (?i)[$]|\b(?:increas(?:ed|es)|decreas(?:ed|es)|rose|fell|grew|declined|was|were|is|are|has|had|have|see|refer|due|primarily {#- -#}
    |results? from|reflect\w*|follow\w*|attribut\w*)\b {#- -#}
{%- endset -%}
{%- set other_parts = [
    'liquidity', 'capital (?:resources|requirements)', 'financial (?:condition|position)', 'off-balance', 'contractual',
    '(?:critical|significant|new|recent(?:ly)?(?: issued| adopted)?) accounting', 'accounting (?:policies|pronouncements)',
    'commitments', 'market risks?', 'inflation', 'outlook', 'quarterly', 'seasonality', 'forward-looking', 'subsequent events',
    'risk factors',
] | join('|') %}
with

sentences as (

    select
        sentence_id,
        filing_id,
        report_year,
        sentence_pos,
        sentence_kind,
        -- without the line that old filings rule under a heading, also between its words
        regexp_replace(sentence_text, '(?:\s-)?\s[-=_]{5,}(?:\s-)?(?:\s|$)', ' ', 'g') as sentence_text,
        -- Of prose without a known heading, words with capitals before one that opens a sentence.
        case
            when sentence_kind = 'heading' then sentence_text
            when sentence_kind = 'prose' then coalesce(
                    heading_prefix,
                    regexp_extract(sentence_text, '^\W*((?:(?:[A-Z][\w&’''/-]*|and|of|the),? ){1,7})[A-Z]', 1)
                )
        end as heading,
    from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_7'
        and sentence_kind != 'written_row'
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- The comparison that a sentence opens or closes with, and the words before it.
compared as (

    select
        *,
        regexp_extract(
            sentence_text,
            '^(?i:\W*((?:[^\s.;]+ ){0,9}?)({{ comparison }}|{{ cut_off }}$))'
            || '[\s:.,–—-]*(?:[(].{0,60}[)]\s*)?(?:$|[A-Z•("“])',
            ['before', 'comparison']
        ) as opening,
        regexp_extract(
            sentence_text,
            '(?i)[.:;)•]\s+((?:[^\s.:;]+ ){0,9}?)({{ comparison }})[^\w.:;,]*$',
            ['before', 'comparison']
        ) as closing,
    from sentences

),

headings as (

    select
        *,
        -- lines of a list may name headings: "• 2019 vs. 2018 • 2018 vs. 2017"
        case
            when
                sentence_kind != 'table_row'
                and not regexp_matches(opening.before, '{{ verbs }}')
                and (sentence_kind != 'list_item' or opening.before = '')
                then nullif(opening.comparison, '')
        end as opening_comparison,
        case
            -- columns are headed "2019 vs. 2018", in fewer words than a heading that the next text is under
            when sentence_kind = 'table_row'
                then if(
                        regexp_matches(sentence_text, '(?i)compar'),
                        nullif(regexp_extract(sentence_text, '(?i)\d.*?({{ comparison }})\W*$', 1), ''),
                        null
                    )
            when
                not regexp_matches(closing.before, '{{ verbs }}')
                and sentence_kind != 'list_item'
                then nullif(closing.comparison, '')
        end as closing_comparison,
        coalesce(closing_comparison, opening_comparison) as comparison,
        regexp_matches(
            regexp_replace(heading, '(?i)financial condition and (?:the )?results of operations', '', 'g'),
            '(?i)\b(?:{{ other_parts }})\b'
        ) as is_other_part,
    from compared

),

dated as (

    select
        *,
        list_max(list_filter(
            list_transform(
                regexp_extract_all(comparison, '(?i)(?:\bjanuary [1-7], ?)?{{ year }}'),
                lambda named: right(named, 4)::integer - (length(named) > 4)::integer
            ),
            lambda named_year: named_year <= report_year + 1
        )) as comparison_year,
    from headings

),

-- What each sentence sets: a comparison, or that there is none.
turns as (

    select
        *,
        case
            when comparison_year is not null
                then struct_pack(heading := comparison, comparison_year := comparison_year)
            when is_other_part
                then struct_pack(heading := heading, comparison_year := null)
        end as turn,
    from dated

),

-- What closes a sentence is above the next one.
turned as (

    select
        *,
        if(
            turn is not null and closing_comparison is null,
            turn,
            last_value(turn ignore nulls) over (
                partition by filing_id
                order by sentence_pos, sentence_id
                rows between unbounded preceding and 1 preceding
            )
        ) as in_force,
    from turns

),

comparison_years as (

    select
        sentence_id,
        filing_id,
        in_force.comparison_year,
        in_force.heading,
    from turned
    where
        in_force.comparison_year is not null
        and sentence_kind != 'table_row'

)

select * from comparison_years
