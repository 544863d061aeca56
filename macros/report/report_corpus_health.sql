{# Three lines on the text of the corpus, from corpus.corpus_health; `report_build` prints them. #}
{% macro corpus_health_lines() -%}
    {%- set lines = [] -%}
    {%- set health = adapter.get_relation(target.database, 'corpus', 'corpus_health') -%}
    {%- if health is not none -%}
        {%- set counted = run_query(
            "select count(*) filter (finding in ('short_item', 'points_elsewhere', 'contents_lines')) as short, "
            ~ "count(*) filter (finding = 'points_elsewhere') as pointing, "
            ~ "count(*) filter (finding = 'holds_other_items') as mixed, "
            ~ "count(distinct filing_id) filter (finding = 'missing_item') as lacking, "
            ~ "count(*) filter (finding = 'all_in_one_item') as in_one, "
            ~ "count(*) filter (finding = 'same_filing') as same, min(filing_id || ' ' || detail) filter (finding = 'same_filing') as first_same, "
            ~ "(select count(distinct filing_id) from " ~ adapter.get_relation(target.database, 'corpus', 'dim_filings') ~ ") as filings, "
            ~ "(select count(distinct (filing_id, section_id)) from " ~ adapter.get_relation(target.database, 'corpus', 'fct_sentences') ~ ") as items from " ~ health
        ).rows[0] -%}
        {%- set long_items = setting('health_long_items').split() | join(', ') | replace('ITEM_', '') -%}
        {%- set needed_items = setting('health_needed_items').split() | join(' or ') | replace('ITEM_', '') -%}
        {%- do lines.append(counted['short'] ~ (' item' if counted['short'] == 1 else ' items') ~ ' (of ' ~ long_items ~ ') with under ' ~ setting('health_min_sentences')
            ~ ' sentences or lines of contents; ' ~ counted['pointing'] ~ ' of them point elsewhere') -%}
        {%- do lines.append(counted['mixed'] ~ ' of ' ~ '{:,}'.format(counted['items'] | int) ~ ' items hold text of other items') -%}
        {%- do lines.append(counted['lacking'] ~ ' of ' ~ '{:,}'.format(counted['filings'] | int) ~ ' filings lack item ' ~ needed_items
            ~ '; ' ~ counted['in_one'] ~ ' have nearly all of their text in one item') -%}
        {%- if counted['same'] -%}
            {%- do lines.append(counted['same'] ~ ' filings are likely to be there twice: ' ~ counted['first_same']) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
