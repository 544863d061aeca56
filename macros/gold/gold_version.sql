{#
    What a result depends on, in two checksums by suite. Both are sums over rows, so that the order in which rows are
    stored or read makes no difference. Whether an anchor is frozen, and its rank in the draw, are left out: no result
    depends on them. queries, gold, gold_counts, sentences, suites: CTEs of the calling model.
#}
{% macro gold_version() -%}
{#- a section without a heading counts as it always did -#}
{%- set section = "section_id || coalesce(' / ' || section_heading, '')" -%}
-- filing_id names the form type
corpus_checksum as (

    select
        md5(concat_ws('|', count(*), sum({{ stable_hash([
            'sentence_id', 'text_hash', 'filing_id', 'cik', 'report_year', section
        ]) }}))) as corpus_version,
    from sentences

),

query_checksums as (

    select
        suite,
        count(*) as query_count,
        sum({{ stable_hash(
            ['query_id', 'sentence_id', 'text_hash', 'filing_id', 'cik', 'report_year', section, 'form_type']
        ) }}) as query_checksum,
    from queries
    group by suite

),

gold_checksums as (

    select
        suite,
        count(*) as gold_count,
        sum({{ stable_hash(['query_id', 'gold_window', 'gold_predicate', 'sentence_id', 'grade']) }}) as gold_checksum,
    from gold
    group by suite

),

-- a query is covered when it has gold under any variant; that a page is known does not make evidence of it, unless the
-- suite asks for nothing but pages: then the document of a page that it lacks is not enough
covered_counts as (

    select
        suite,
        if(
            bool_and(gold_predicate in ('page', 'place')),
            count(distinct query_id) filter (where is_covered and gold_predicate = 'page'),
            count(distinct query_id) filter (where is_covered and gold_predicate not in ('page', 'place'))
        ) as covered_count,
        list(distinct gold_window || ' ' || gold_predicate order by gold_window || ' ' || gold_predicate) as variants,
    from gold_counts
    group by suite

),

final as (

    select
        suites.suite,
        md5(concat_ws(
            '|',
            suites.suite,
            coalesce(query_checksums.query_count, 0),
            coalesce(query_checksums.query_checksum, 0),
            coalesce(gold_checksums.gold_count, 0),
            coalesce(gold_checksums.gold_checksum, 0),
            coalesce(covered_counts.variants::varchar, '')
        )) as gold_version,
        coalesce(query_checksums.query_count, 0) as query_count,
        coalesce(covered_counts.covered_count, 0) as covered_count,
        corpus_checksum.corpus_version,
    from suites
    cross join corpus_checksum
    left join query_checksums
        on suites.suite = query_checksums.suite
    left join gold_checksums
        on suites.suite = gold_checksums.suite
    left join covered_counts
        on suites.suite = covered_counts.suite

)
{%- endmacro %}
