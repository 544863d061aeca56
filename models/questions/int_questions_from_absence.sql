-- J absent: questions that the warehouse cannot answer, because the company's filing of the year is there, with enough
-- of its text to be looked at, and what is asked for is not.
-- kpi: no sentence of the company's filings of that year, nor of the two years after (which restate it as a
-- comparative), carries the KPI, nor does any of that year hold its bare words. risk: the filing has an Item 1A, and no
-- sentence of it has a cue of the topic, tagged or only mentioned. definition: no sentence of the filing holds the term.
-- Asked is what the same company or another one does disclose, so that the question is fair, and no KPI that every filing
-- states.
{%- set risk_rules = label_rules('risk_patterns', 'risk_topic') | rejectattr('label', 'equalto', 'general_risk') | list %}
{%- set terms = {
    'adjusted_ebitda': 'adjusted EBITDA',
    'free_cash_flow': 'free cash flow',
    'organic_growth': 'organic (?:revenue |sales )?growth',
    'comparable_sales': '(?:comparable|same)[ -](?:store |club |restaurant )?sales',
    'constant_currency': 'constant[ -]currency',
} %}
{#- The bare words of a KPI: where one of them stands, the KPI may be stated in a way that its patterns do not know. -#}
{%- set kpi_words = {
    'revenue': 'revenues?|net sales|turnover',
    'net_income': 'net (?:income|loss|earnings)|net \\(?(?:loss|income)',
    'operating_income': 'operating (?:income|loss|profit|margin|earnings)|(?:income|loss) from operations',
    'cash_from_ops': 'operating activities|operating cash|cash from operations',
    'gross_margin': 'gross (?:profit|margin)',
    'eps': 'per (?:basic |diluted |common )?share|EPS',
    'debt': 'debt|borrowings?|notes payable|senior notes|indebtedness',
    'capex': 'capital (?:expenditures?|spending|investments?)|capex|purchases of property',
    'interest_expense': 'interest (?:expense|cost)',
} %}
with

sentences as (

    select * from {{ ref('fct_sentences') }}

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

-- Most sentences hold none of these words, and one look for all of them together leaves those out.
worded as (

    select
        cik,
        report_year,
        section_id,
        sentence_text,
        regexp_matches(
            sentence_text, '(?i)\b(?:{{ (kpi_words.values() | list + terms.values() | list) | join('|') }})\b'
        ) as has_any_words,
    from sentences

),

company_years as (

    select
        cik,
        report_year,
        count(*) filter (where section_id = 'ITEM_1A') as risk_sentence_count,
        {%- for kpi, pattern in kpi_words.items() %}
            bool_or(has_any_words and regexp_matches(sentence_text, '(?i)\b(?:{{ pattern }})\b')) as has_{{ kpi }},
        {%- endfor %}
        {%- for rule in risk_rules %}
            bool_or(
                if(section_id = 'ITEM_1A', {{ any_alternation_matches('sentence_text', rule.includes) }}, false)
            ) as mentions_{{ rule.label }},
        {%- endfor %}
        {%- for topic, pattern in terms.items() %}
            bool_or(has_any_words and regexp_matches(sentence_text, '(?i)\b{{ pattern }}\b')) as has_{{ topic }},
        {%- endfor %}
    from worded
    group by cik, report_year
    having count(*) >= {{ setting('question_min_filing_sentences') }}

),

company_kpis as (

    select distinct
        cik_int as cik,
        report_year,
        kpi_label,
    from kpi_scan

),

company_risks as (

    select distinct
        cik_int as cik,
        report_year,
        risk_topic,
    from risk_atlas

),

kpi_labels as (

    select distinct kpi_label from company_kpis

),

risk_topics as (

    select distinct risk_topic from company_risks
    where risk_topic != 'general_risk'

),

absent_kpis as (

    select
        company_years.cik,
        company_years.report_year,
        'kpi' as absent_kind,
        kpi_labels.kpi_label as topic_label,
    from company_years
    cross join kpi_labels
    where
        -- what every 10-K states is absent from a corpus, not from the filing
        kpi_labels.kpi_label not in ('revenue', 'net_income', 'cash_from_ops', 'eps')
        and not case kpi_labels.kpi_label
            {%- for kpi in kpi_words %}
                when '{{ kpi }}' then company_years.has_{{ kpi }}
            {%- endfor %}
        end
        and not exists (
            select 1
            from company_kpis
            where
                company_kpis.cik = company_years.cik
                and company_kpis.kpi_label = kpi_labels.kpi_label
                and company_kpis.report_year between company_years.report_year and company_years.report_year + 2
        )

),

absent_risks as (

    select
        company_years.cik,
        company_years.report_year,
        'risk' as absent_kind,
        risk_topics.risk_topic as topic_label,
    from company_years
    cross join risk_topics
    left join company_risks
        on company_years.cik = company_risks.cik
        and company_years.report_year = company_risks.report_year
        and risk_topics.risk_topic = company_risks.risk_topic
    where
        company_years.risk_sentence_count >= 10
        {%- for rule in risk_rules %}
            and not (risk_topics.risk_topic = '{{ rule.label }}' and company_years.mentions_{{ rule.label }})
        {%- endfor %}
        and company_risks.cik is null

),

absent_terms as (

    {%- for topic in terms %}
        select
            cik,
            report_year,
            'definition' as absent_kind,
            '{{ topic }}' as topic_label,
        from company_years
        where not has_{{ topic }}
        {{ 'union all' if not loop.last }}
    {%- endfor %}

),

absent as (

    select * from absent_kpis

    union all

    select * from absent_risks

    union all

    select * from absent_terms

),

disclosed_elsewhere as (

    select distinct
        cik,
        kpi_label as topic_label,
    from company_kpis

    union

    select distinct
        cik,
        risk_topic as topic_label,
    from company_risks

),

final as (

    select
        'J_' || absent.absent_kind || '_' || lpad(absent.cik::varchar, 10, '0') || '_' || absent.report_year || '_'
        || absent.topic_label as candidate_id,
        'J' as category,
        'absent_' || absent.absent_kind as shape,
        'absent_' || lpad(absent.cik::varchar, 10, '0') || '_' || absent.report_year as bundle_id,
        absent.topic_label,
        'easy' as difficulty,
        'no_answer' as answer_type,
        [absent.cik] as cik_ints,
        [absent.report_year] as years,
        []::varchar[] as evidence_ids,
        -- what the company discloses in another year is the harder thing to abstain from
        (disclosed_elsewhere.cik is not null)::integer as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object('topic', absent.topic_label) as details,
    from absent
    left join disclosed_elsewhere
        on absent.cik = disclosed_elsewhere.cik
        and absent.topic_label = disclosed_elsewhere.topic_label

)

select * from final
