-- Of which year a KPI sentence tells. Read are the periods that it names, up to its causal connector, which events of
-- other years may follow: "in fiscal 2019", "for the years ended June 30, 2019". Years that it compares with, and in which
-- something is due, are none of them, and "from 2018 to 2019" is of 2019. Years beyond the next are maturities too.
--
-- A sentence that names no period or day of its own is of the year of the comparison that it stands under, unless it looks
-- ahead.
{%- set years -%} (?:19|20)\d\d(?:(?:, and |, | and | to |-|–)(?:fiscal )?(?:19|20)\d\d)* {%- endset %}
{%- set period -%}
    (?:\bfiscal(?: years?)?|\b(?:in|for|during)(?: the)?(?: calendar)?(?: years?)?|\b(?:years?|periods?|months|weeks) ended \w+ \d+, {#- -#}
    |\bquarter of(?: fiscal)?(?: years?)?|^\W*(?:in|during|on) [A-Z][a-z]+(?: \d+,)?) {#- -#}
{%- endset %}
{%- set compared -%} \b(?:compared (?:to|with)|versus|vs[.]?|against)\b[^;]{0,70}? {# -#} {%- endset %}
{%- set measured_words -%}
    (?:(?:the|our|its|that|those|levels?|amounts?|results?|periods?|of|in|for|prior|previous|same|comparable|corresponding {#- -#}
    |[$]?[\d.,]+%?,?|million|billion|or) )* {#- -#}
{%- endset %}
{#- "The 2014 Notes" are of no year. -#}
{%- set named_debts -%} Notes?|Bonds?|Debentures?|Loans?|Facilit(?:y|ies) {%- endset %}
{%- set measured -%} from|than|over|relative to|in comparison (?:to|with) {%- endset %}
{%- set looks_ahead -%} (?i)\b(?:expects?|anticipates?|will|(?:is|are) (?:expected|anticipated))\b {%- endset %}
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

causal_matches as (

    select * from {{ ref('int_causal_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

comparison_years as (

    select * from {{ ref('int_comparison_years') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- As they read without the heading that their source runs into them.
sentences as (

    select
        sentence_id,
        filing_id,
        report_year,
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_sentences as (

    select distinct sentence_id
    from kpi_matches

),

explained as (

    select
        sentences.*,
        comparison_years.comparison_year,
        regexp_replace(
            if(
                causal_matches.first_connector_pos <= 3,
                -- "Due to the merger in 2018, sales fell in 2019."
                regexp_extract(sentences.sentence_text, ',.*'),
                substr(sentences.sentence_text, 1, coalesce(causal_matches.first_connector_pos, 1000) - 1)
            ),
            '(?i)\bfrom (?:fiscal )?(?:years? )?(?:19|20)\d\d to (?:fiscal )?(?:years? )?(\d{4})\b', 'in \1', 'g'
        ) as explained_text,
    from sentences
    inner join kpi_sentences
        on sentences.sentence_id = kpi_sentences.sentence_id
    left join causal_matches
        on sentences.sentence_id = causal_matches.sentence_id
    left join comparison_years
        on sentences.sentence_id = comparison_years.sentence_id
    where
        comparison_years.sentence_id is not null
        or regexp_matches(sentences.sentence_text, '\b(?:19|20)\d\d\b')

),

-- A balance is of its day: "as of December 31, 2019".
named as (

    select
        *,
        regexp_replace(
            explained_text,
            '\b(?:19|20)\d\d (?:[A-Z][\w-]+ ){0,3}(?:{{ named_debts }})\b'
            || '|(?i)\b(?:due|matur\w+|expir\w+) (?:(?:in|on) )?(?:\w+ \d+, )?(?:{{ period }} )?{{ years }}'
            || '|(?:{{ compared }}|\b(?:{{ measured }}|since|after|before) {{ measured_words }})'
            || '(?:{{ period }} )?{{ years }}',
            ' ', 'g'
        ) as own_text,
        {
            'stated': regexp_extract_all(own_text, '(?i)(?:{{ period }} |^\W*){{ years }}'),
            'balance': regexp_extract_all(
                own_text, '(?i)\b(?:as of|at) (?-i:[A-Z][a-z]+) \d+, {{ years }}'
            ),
            'compared': regexp_extract_all(
                explained_text,
                '(?i)(?:{{ compared }}|\b(?:{{ measured }}) {{ measured_words }})(?:{{ period }} )?{{ years }}'
                -- "from the 2017 Storm" is of no period
                || '(?:\S|\s(?-i:[^A-Z])|\s*$)'
            )
        } as texts,
    from explained

),

dated as (

    select
        sentence_id,
        filing_id,
        {%- for role in ['stated', 'balance', 'compared'] %}
            list_filter(
                list_transform(
                    regexp_extract_all(array_to_string(texts.{{ role }}, ' '), '\b(?:19|20)\d\d\b'),
                    lambda named_year: named_year::integer
                ),
                lambda named_year: named_year <= report_year + 1
            ) as {{ role }}_years,
            -- the latest of each
            list_max({{ role }}_years) as {{ role }}_year,
        {%- endfor %}
        list_min(stated_years || balance_years) as earliest_year,
        case
            when coalesce(stated_year, balance_year) is null and not regexp_matches(sentence_text, '{{ looks_ahead }}')
                then comparison_year
        end as comparison_year,
    from named

),

kpi_years as (

    select * exclude (stated_years, balance_years, compared_years)
    from dated
    where coalesce(stated_year, balance_year, compared_year, comparison_year) is not null

)

select * from kpi_years
