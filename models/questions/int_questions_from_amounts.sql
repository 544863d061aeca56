-- Question candidates from the amounts that XBRL facts confirm (kpi_fact_matches), and from plain statements of a KPI
-- where no fact is there to confirm it.
-- A level: a KPI of one year.           A statement: the same, unverified and therefore without a numeric answer.
-- D change: its change between two years, with the roundings of both amounts as tolerance, of what was not restated.
-- E highest: which of two or three companies has the highest.  G rose: whether it was higher than an earlier year.
with

fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

-- "$13,335" with the scale in a caption says something else to whoever reads the answer.
kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}
    where
        abs(kpi_value) < 1e6
        or regexp_matches(kpi_amount.raw_text, '(?i)thousand|million|billion|trillion|,\d{3},\d{3}')

),

-- As they read without the heading that their source runs into them.
sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}

),

-- Quotable sentences about the year: no quarters, no tables, no headings run together.
quotable as (

    select * from sentences
    where
        section_id in ('ITEM_7', 'ITEM_8')
        and word_count between 6 and 60
        and regexp_matches(sentence_text, '^[^\pL]*\p{Lu}.*[.][”"’)]*$')
        and not regexp_matches(
            sentence_text, '(?i)\bquarter|\b(?:three|six|nine) months\b|\bpro forma\b|\bpart i'
            || '|\bitem \d|\bin (?:millions|thousands)\b'
        )
        and not {{ is_cross_reference('sentence_text') }}

),

named_amounts as (

    select
        fact_matches.sentence_id,
        fact_matches.cik,
        fact_matches.report_year,
        fact_matches.kpi_label,
        fact_matches.fact_metric_key,
        fact_matches.raw_text,
        fact_matches.value,
        fact_matches.unit,
        fact_matches.rounding,
        -- other levels in the sentence, one of which is the year before's where that is named
        list_filter(
            kpi_scan.amounts,
            lambda amount: amount.unit = fact_matches.unit and not amount.is_change and amount.value != kpi_scan.kpi_value
        ) as other_amounts,
        kpi_scan.sentence_text,
        quotable.word_count,
        case
            when fact_matches.fact_metric_key in ('eps_diluted', 'us-gaap:EarningsPerShareDiluted')
                then 'diluted earnings per share'
            when fact_matches.fact_metric_key in ('eps_basic', 'us-gaap:EarningsPerShareBasic')
                then 'basic earnings per share'
            when
                regexp_matches(
                    kpi_scan.matched_phrase,
                    '(?i)^(?:(?:total|consolidated|net) ){0,2}(?:net sales|sales|revenues?|net income|net earnings'
                    || '|operating income|gross profit|capital expenditures|long-term debt|interest expense)$'
                )
                then lower(kpi_scan.matched_phrase)
            when fact_matches.kpi_label = 'cash_from_ops' then 'net cash provided by operating activities'
            when fact_matches.kpi_label = 'gross_margin' then 'gross profit'
            when fact_matches.kpi_label = 'debt' then 'long-term debt'
            when fact_matches.kpi_label = 'capex' then 'capital expenditures'
            else replace(fact_matches.kpi_label, '_', ' ')
        end as kpi_name,
    from fact_matches
    inner join quotable
        on fact_matches.sentence_id = quotable.sentence_id
    inner join kpi_scan
        on fact_matches.sentence_id = kpi_scan.sentence_id
        and fact_matches.kpi_label = kpi_scan.kpi_label
    where
        fact_matches.is_match
        and fact_matches.match_basis = 'level'
        and fact_matches.fact_year = fact_matches.report_year
        -- the one amount of the sentence that is the KPI's, not another that happens to agree
        and kpi_scan.kpi_amount.raw_text = fact_matches.raw_text
        and kpi_scan.kpi_value = fact_matches.value
        and fact_matches.relative_tolerance <= {{ setting('question_max_relative_tolerance') }}
        -- a loss or an outflow is asked about by another name
        and fact_matches.fact_value > 0
        and fact_matches.value > 0
        -- metrics that are the KPI itself, not a part or a derivation
        and fact_matches.fact_metric_key not in (
            'revenue_net', 'revenue_gross', 'operating_margin', 'capex_net_productive'
        )

),

-- One sentence per company, year and metric: the shortest, so that it says little else.
levels as (

    select * from named_amounts
    qualify row_number() over (
            partition by cik, report_year, fact_metric_key
            order by word_count, sentence_id, raw_text
        ) = 1

),

level_questions as (

    select
        'A_level_' || sentence_id || '_' || fact_metric_key as candidate_id,
        'A' as category,
        'level' as shape,
        'v1_' || sentence_id || '_' || kpi_label as bundle_id,
        kpi_label as topic_label,
        'easy' as difficulty,
        'numeric' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        2 as quality,
        value as answer_numeric,
        unit as answer_unit,
        rounding as tolerance,
        null::boolean as answer_boolean,
        json_object('kpi_name', kpi_name, 'raw_text', raw_text) as details,
    from levels
    -- a company with several metrics of one KPI in a year is asked about one
    qualify row_number() over (partition by cik, report_year, kpi_label order by fact_metric_key) = 1

),

-- "Net sales were $7.2 billion in fiscal 2019": subject, verb, amount, period, and nothing between them.
statements as (

    select
        kpi_scan.sentence_id,
        kpi_scan.cik_int as cik,
        kpi_scan.report_year,
        kpi_scan.kpi_label,
        regexp_extract(
            quotable.sentence_text,
            '^[^\pL]*(?:In (?:fiscal )?(?:19|20)\d\d, )?(?:(?:Our'
            || '|The Company[’'']s) )?((?:\pL[\pL-]*,? ){0,6}\pL[\pL-]*) (?:was|were|totaled|amounted to|came to) '
            || '(?:approximately )?(\$[\d.,]+(?: (?:thousand|million|billion))?)(?: (?:in|for'
            || '|during) (?:the )?(?:fiscal )?(?:year )?(?:ended \w+ \d+, )?((?:19|20)\d\d))\b',
            ['kpi_name', 'raw_text', 'stated_year']
        ) as statement,
    from kpi_scan
    inner join quotable
        on kpi_scan.sentence_id = quotable.sentence_id
    where not regexp_matches(quotable.sentence_text, '(?i)\brespectively\b')

),

parsed_statements as (

    select
        sentence_id,
        cik,
        report_year,
        kpi_label,
        statement.kpi_name,
        statement.raw_text,
        statement.stated_year,
    from statements

),

statement_questions as (

    select
        'A_statement_' || parsed_statements.sentence_id || '_' || parsed_statements.kpi_label as candidate_id,
        'A' as category,
        'statement' as shape,
        'v1_' || parsed_statements.sentence_id || '_' || parsed_statements.kpi_label as bundle_id,
        parsed_statements.kpi_label as topic_label,
        'easy' as difficulty,
        'span' as answer_type,
        [parsed_statements.cik] as cik_ints,
        [parsed_statements.report_year] as years,
        [parsed_statements.sentence_id] as evidence_ids,
        1 as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object('kpi_name', parsed_statements.kpi_name, 'raw_text', parsed_statements.raw_text) as details,
    from parsed_statements
    inner join kpi_scan
        on parsed_statements.sentence_id = kpi_scan.sentence_id
        and parsed_statements.kpi_label = kpi_scan.kpi_label
        and contains(lower(parsed_statements.kpi_name), lower(kpi_scan.matched_phrase))
        and starts_with(kpi_scan.kpi_amount.raw_text, rtrim(parsed_statements.raw_text, '.,'))
    left join levels
        on parsed_statements.sentence_id = levels.sentence_id
    where
        parsed_statements.stated_year = parsed_statements.report_year::varchar
        and levels.sentence_id is null
        and not regexp_matches(
            parsed_statements.kpi_name, '(?i)\b(?:increase|decrease|included|this|these|such|which|that'
            || '|we|average|quarterly)\b'
        )
    qualify row_number() over (
            partition by parsed_statements.cik, parsed_statements.report_year, lower(parsed_statements.kpi_name)
            order by parsed_statements.sentence_id
        ) = 1

),

year_pairs as (

    select
        earlier.cik,
        earlier.kpi_label,
        earlier.fact_metric_key,
        later.kpi_name,
        later.unit,
        earlier.report_year as earlier_year,
        later.report_year as later_year,
        earlier.sentence_id as earlier_sentence_id,
        later.sentence_id as later_sentence_id,
        earlier.raw_text as earlier_text,
        later.raw_text as later_text,
        earlier.value as earlier_value,
        later.value as later_value,
        earlier.rounding + later.rounding as tolerance,
    from levels as earlier
    inner join levels as later
        on earlier.cik = later.cik
        and earlier.fact_metric_key = later.fact_metric_key
        and earlier.unit = later.unit
        and later.report_year between earlier.report_year + 1 and earlier.report_year + 3
    where
        -- a change smaller than its tolerance is none that could be told
        abs(later.value - earlier.value) > 2 * (earlier.rounding + later.rounding)
        -- the later filing states the earlier year as the earlier one did: it was not restated
        and (
            len(later.other_amounts) = 0
            or not contains(later.sentence_text, earlier.report_year::varchar)
            or list_bool_or(list_transform(
                later.other_amounts,
                lambda amount: abs(amount.value - earlier.value) <= earlier.rounding + amount.rounding
            ))
        )

),

change_questions as (

    select
        'D_change_' || earlier_sentence_id || '_' || later_sentence_id || '_' || fact_metric_key as candidate_id,
        'D' as category,
        'change' as shape,
        'v3_trend_' || lpad(cik::varchar, 10, '0') || '_' || kpi_label as bundle_id,
        kpi_label as topic_label,
        'medium' as difficulty,
        'numeric' as answer_type,
        [cik] as cik_ints,
        [earlier_year, later_year] as years,
        [earlier_sentence_id, later_sentence_id] as evidence_ids,
        3 - (later_year - earlier_year) as quality,
        round(later_value - earlier_value, 4) as answer_numeric,
        unit as answer_unit,
        tolerance,
        null::boolean as answer_boolean,
        json_object(
            'kpi_name', kpi_name, 'earlier_text', earlier_text, 'later_text', later_text,
            'earlier_value', earlier_value, 'later_value', later_value
        ) as details,
    from year_pairs

),

rose_questions as (

    select
        'G_rose_' || earlier_sentence_id || '_' || later_sentence_id || '_' || fact_metric_key as candidate_id,
        'G' as category,
        'rose' as shape,
        'v3_trend_' || lpad(cik::varchar, 10, '0') || '_' || kpi_label as bundle_id,
        kpi_label as topic_label,
        'medium' as difficulty,
        'boolean' as answer_type,
        [cik] as cik_ints,
        [earlier_year, later_year] as years,
        [earlier_sentence_id, later_sentence_id] as evidence_ids,
        3 - (later_year - earlier_year) as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        later_value > earlier_value as answer_boolean,
        json_object('kpi_name', kpi_name, 'earlier_text', earlier_text, 'later_text', later_text) as details,
    from year_pairs

),

-- Of the companies with the same metric in one year, up to three; a hash decides which.
peers as (

    select * from levels
    where unit = 'USD'
    qualify
        row_number() over (
            partition by report_year, fact_metric_key
            order by md5(concat_ws('|', '{{ setting("gold_seed") }}', cik, report_year))
        ) <= 3
        and count(*) over (partition by report_year, fact_metric_key) >= 2

),

highest_questions as (

    select
        'E_highest_' || report_year || '_' || fact_metric_key as candidate_id,
        'E' as category,
        'highest' as shape,
        'v4_cross_company_' || report_year || '_' || any_value(kpi_label) as bundle_id,
        any_value(kpi_label) as topic_label,
        'medium' as difficulty,
        'span' as answer_type,
        list(cik order by value desc, cik) as cik_ints,
        [report_year] as years,
        list(sentence_id order by value desc, cik) as evidence_ids,
        2 as quality,
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        json_object(
            'kpi_name', any_value(
                case when kpi_label in ('revenue', 'net_income') then replace(kpi_label, '_', ' ') else kpi_name end
            ),
            'raw_texts', list(raw_text order by value desc, cik)
        ) as details,
    from peers
    group by report_year, fact_metric_key
    having max(value) > 1.05 * min(value)

),

final as (

    select * from level_questions

    union all

    select * from statement_questions

    union all

    select * from change_questions

    union all

    select * from rose_questions

    union all

    select * from highest_questions

)

select * from final
