-- Facts as a table states them, and those of EDGAR's own files. EDGAR's are keyed by their period: annual ones are those
-- that an annual report states of a year, or of the end of one, under the fiscal year of that end. A single quarter, and
-- what is of the year to date, is none. A value that later reports repeat is there once, one that they restate twice.
{%- set entry = 'STRUCT("start" DATE, "end" DATE, val VARCHAR, accn VARCHAR, fp VARCHAR, form VARCHAR, filed VARCHAR)' %}
{%- set concept_type = 'STRUCT(label VARCHAR, units MAP(VARCHAR, ' ~ entry ~ '[]))' %}
{%- set facts_type = 'MAP(VARCHAR, MAP(VARCHAR, ' ~ concept_type ~ '))' %}
with

kpi_fact_metrics as (

    select * from {{ ref('kpi_fact_metrics') }}

),

table_rows as (

    {{ read_corpus_files('company_facts', [
        'cik', 'ticker', 'year', 'metric_key', 'metric_label', 'value', 'unit', 'form', 'filed_date', 'accession_no',
        'period_start', 'period_end',
    ]) }}

),

edgar_files as (

    {{ read_corpus_files('edgar_company_facts', ['cik', 'facts']) }}

),

-- By taxonomy, concept and unit.
typed_files as (

    select
        cik,
        file_path,
        unnest(map_entries(from_json(facts, '{{ facts_type | tojson }}'))) as taxonomy,
    from edgar_files

),

concepts as (

    select
        cik,
        file_path,
        taxonomy.key as taxonomy,
        unnest(map_entries(taxonomy.value)) as concept,
    from typed_files

),

units as (

    select
        cik,
        file_path,
        taxonomy || ':' || concept.key as metric_key,
        concept.value.label as metric_label,
        unnest(map_entries(concept.value.units)) as unit,
    from concepts

),

edgar_facts as (

    select
        cik,
        file_path,
        metric_key,
        metric_label,
        unit.key as unit,
        unnest(unit.value, recursive := true),
    from units

),

annual_facts as (

    select
        cik,
        null::varchar as ticker,
        {{ fiscal_year_of('"end"') }}::varchar as year,
        metric_key,
        metric_label,
        val as value,
        unit,
        arg_min(form, filed) as form,
        min(filed) as filed_date,
        arg_min(accn, filed) as accession_no,
        file_path,
        row_number() over (
            partition by file_path
            order by metric_key, unit, "end", start, val
        ) as source_row,
        start::varchar as period_start,
        "end"::varchar as period_end,
    from edgar_facts
    where
        form like '10-K%'
        and fp = 'FY'
        and (
            start is null
            or date_diff('day', start, "end") between 350 and 380
        )
    group by cik, file_path, metric_key, metric_label, unit, start, "end", val

),

source_rows as (

    select * from annual_facts

    union all by name

    select * from table_rows

),

renamed as (

    select
        {{ parse_cik('cik') }} as cik,
        ticker,
        {{ parse_report_year('year') }} as fiscal_year,
        metric_key,
        metric_label,
        try_cast(value as double) as value,
        case unit
            when 'percent' then '%'
            when 'USD/shares' then 'USD per share'
            else unit
        end as unit,
        form,
        try_cast(filed_date as date) as filed_date,
        accession_no,
        try_cast(period_start as date) as period_start,
        try_cast(period_end as date) as period_end,
        file_path,
        source_row,
        year as stated_year,
        value as stated_value,
        unit as stated_unit,
        nullif(trim(period_start), '') as stated_start,
        nullif(trim(period_end), '') as stated_end,
    from source_rows

),

beside_kpis as (

    select
        renamed.*,
        concat_ws(' to ', left(stated_start, 100), left(stated_end, 100)) as stated_period,
        kpi_fact_metrics.unit as kpi_unit,
    from renamed
    left join kpi_fact_metrics
        on renamed.metric_key = kpi_fact_metrics.metric_key

),

judged as (

    select
        * exclude (stated_year, stated_value, stated_unit, stated_start, stated_end, stated_period, kpi_unit),
        case
            when cik is null then 'missing_cik'
            when fiscal_year is null then 'unparsable_year'
            when metric_key is null then 'no_metric'
            when value is null or not isfinite(value) then 'bad_value'
            -- a quarter would pass for a year
            when stated_start is not null and period_start is null then 'unparsable_date'
            when stated_end is not null and period_end is null then 'unparsable_date'
            when date_diff('day', period_start, period_end) not between 350 and 380 then 'not_annual'
            when coalesce(unit, '') != kpi_unit then 'other_unit'
        end as reason,
        case reason
            when 'missing_cik' then 'expected a number of up to ten digits'
            when 'unparsable_year' then 'expected a year from 1980 to 2100, got ' || coalesce(left(stated_year, 100), 'none')
            when 'no_metric' then 'no metric_key'
            when 'unparsable_date' then 'expected days such as 2020-12-31, got ' || stated_period
            when 'not_annual' then 'expected a year, got ' || period_start || ' to ' || period_end
            when 'bad_value' then 'expected a number, got ' || coalesce(left(stated_value, 100), 'none')
            when 'other_unit' then 'expected ' || kpi_unit || ', got ' || coalesce(left(stated_unit, 100), 'none')
        end as detail,
    from beside_kpis

)

select * from judged
