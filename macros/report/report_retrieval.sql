{#
    Lines for the end of a build: of every suite and regime the figure that decides (metrics.bi_headline) of the current
    runs with 95 % intervals, the best three, your own retrievers and the blind draws. Of anchors the value is that of the
    corpus; questions are not drawn, so theirs is the value itself.
#}
{% macro retrieval_lines() -%}
    {%- set values = adapter.get_relation(target.database, 'metrics', 'bi_headline') -%}
    {%- set strategies = adapter.get_relation(target.database, 'seeds', 'retrieval_strategies') -%}
    {%- set lines = [] -%}
    {%- if values is not none and strategies is not none -%}
        {%- set rows = run_query("
            with headline as (
                select
                    *,
                    coalesce(corpus_value, value) as figure,
                    format(
                        '{:.2f} ({:.2f}-{:.2f})',
                        figure,
                        if(corpus_value is null, ci_low, corpus_ci_low),
                        if(corpus_value is null, ci_high, corpus_ci_high)
                    ) || if(is_interval_reliable, '', '*')
                    || if(n < max(n) over (partition by suite, regime), ' n ' || n, '') as with_interval,
                    strategy || if(
                        count(distinct embedding_model) over (partition by suite, regime, strategy) > 1,
                        ' ' || embedding_model,
                        ''
                    ) as name,
                    strategy not in (select s.strategy from " ~ strategies ~ " as s) as is_own,
                from " ~ values ~ "
                where
                    task = 'retrieval'
                    and value is not null
                    -- what is told the gold is no candidate
                    and strategy not in (
                        select s.strategy from " ~ strategies ~ " as s where s.method in ('gold', 'gold_filings')
                    )
            ),

            placed as (
                select
                    *,
                    row_number() over (partition by suite, regime order by strategy = 'random', figure desc, name) as place,
                from headline
            )

            select
                suite,
                regime,
                max(n) as n,
                any_value(gold_window) filter (where variant = 'place') as unit,
                string_agg(
                    format('{:<25}', if(strategy = 'random', format('random {:.2f}', figure), name || ' ' || with_interval)),
                    ' '
                    order by place
                ) filter (where place <= 3 or is_own or strategy = 'random') as figures,
                max(estimand) as estimand,
                bool_or(corpus_value is not null) as is_weighted,
            from placed
            group by suite, regime
            -- questions as people ask them first
            order by suite in ('p1', 'p2'), suite, regime
        ") -%}
        {%- for row in rows.rows -%}
            {%- do lines.append(('%-6s %-9s %5s  %s' | format(row['suite'], row['regime'], row['n'], row['figures'])) | trim) -%}
        {%- endfor -%}
        {%- if lines -%}
            {%- set spoken_of = [] -%}
            {%- for estimand, group in rows.rows | groupby('estimand') -%}
                {%- do spoken_of.append('of ' ~ estimand ~ ' (' ~ group | map(attribute='suite') | unique | join(', ') ~ ')') -%}
            {%- endfor -%}
            {%- set weighted = rows.rows | selectattr('is_weighted') | map(attribute='suite') | unique | join(', ') -%}
            {%- set golds = ['positional; of questions their evidence'] -%}
            {%- for unit, group in rows.rows | selectattr('unit') | groupby('unit') -%}
                {%- do golds.append('of ' ~ group | map(attribute='suite') | unique | join(', ') ~ ' the ' ~ unit ~ 's judged') -%}
            {%- endfor -%}
            {%- do lines.append('Gold: ' ~ golds | join(', ') ~ '. Intervals speak ' ~ spoken_of | join(', ') ~ '.') -%}
            {%- do lines.append(
                ('Values of ' ~ weighted ~ ' are weighted to the corpus (corpus_value), verdicts compare plain ones. ' if weighted else '')
                ~ '* an interval from too few clusters or cases to rely on.'
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
