-- Where the years of a row's columns are not at hand, they are in the order of the filing's heads of columns; where no heads
-- are at hand either, in the order in which its sentences name years, if more than one does.
with

-- Runs of years of whatever the filing says.
year_sentences as (

    select
        filing_id,
        report_year,
        unnest(regexp_extract_all(sentence_text, '{{ year_run() }}')) as year_run,
    from {{ ref('fct_sentences') }}
    where
        sentence_kind is distinct from 'written_row'
        and regexp_matches(sentence_text, '{{ year_run() }}')
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
        {%- endif %}

),

-- "2021 2020 2019" without a word stands at the head of columns.
named_years as (

    select
        filing_id,
        report_year,
        regexp_full_match(year_run, '[\d\s]+') as is_head,
        {{ years_of_run('year_run') }} as years,
    from year_sentences

),

-- Years to come are maturities.
filing_year_orders as (

    select
        filing_id,
        case
            when bool_or(is_head) then avg((years[1] > years[-1])::integer) filter (where is_head)
            when count(*) >= 2 then avg((years[1] > years[-1])::integer)
        end as newest_first_share,
        case
            when newest_first_share >= 0.75 then 'newest first'
            when newest_first_share <= 0.25 then 'oldest first'
        end as year_order,
    from named_years
    where
        list_max(years) between report_year - 1 and report_year
        and years[1] != years[-1]
    group by filing_id

)

select * from filing_year_orders
