{# Three lines on the text of the corpus, and one where a 10-K is there twice, from corpus.corpus_health; `report_build` prints them. #}
{% macro corpus_health_lines() -%}
    {%- set lines = [] -%}
    {%- set health = adapter.get_relation(target.database, 'corpus', 'corpus_health') -%}
    {%- if health is not none -%}
        {%- set counted = run_query(
            "select format('{:,}', count(*) filter (finding in ('short_item', 'points_elsewhere', 'contents_lines'))) as short, "
            ~ "format('{:,}', count(*) filter (finding = 'points_elsewhere')) as pointing, "
            ~ "format('{:,}', count(*) filter (finding = 'holds_other_items')) as mixed, "
            ~ "format('{:,}', count(distinct filing_id) filter (finding = 'missing_item')) as lacking, "
            ~ "format('{:,}', count(*) filter (finding = 'all_in_one_item')) as in_one, "
            ~ "format('{:,}', count(*) filter (finding = 'same_filing')) as twice, "
            ~ "min(filing_id || ' ' || detail) filter (finding = 'same_filing') as first_twice, "
            ~ "(select format('{:,}', count(distinct filing_id)) from " ~ adapter.get_relation(target.database, 'corpus', 'dim_filings') ~ ") as filings, "
            ~ "(select format('{:,}', count(distinct (filing_id, section_id))) from " ~ adapter.get_relation(target.database, 'corpus', 'fct_sentences') ~ ") as items "
            ~ "from " ~ health
        ).rows[0] -%}
        {%- set long_items = setting('health_long_items').split() | join(', ') | replace('ITEM_', '') -%}
        {%- set needed_items = setting('health_needed_items').split() | join(' or ') | replace('ITEM_', '') -%}
        {%- do lines.append(counted['short'] ~ (' item' if counted['short'] == '1' else ' items') ~ ' (of ' ~ long_items ~ ') with under ' ~ setting('health_min_sentences')
            ~ ' sentences or lines of contents; ' ~ counted['pointing'] ~ ' of them point elsewhere') -%}
        {%- do lines.append(counted['mixed'] ~ ' of ' ~ counted['items'] ~ ' items hold text of other items') -%}
        {%- do lines.append(counted['lacking'] ~ ' of ' ~ counted['filings'] ~ ' filings lack item ' ~ needed_items
            ~ '; ' ~ counted['in_one'] ~ ' have nearly all of their text in one item') -%}
        {%- if counted['first_twice'] -%}
            {%- do lines.append(counted['twice'] ~ ' of ' ~ counted['filings'] ~ ' filings seem to be there twice: ' ~ counted['first_twice']) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
