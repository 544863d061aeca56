{#
    The rules of a pattern registry, read from its seed table: one {label, include, exclude} per label, in order of
    priority, each pattern an SQL string literal of one case-insensitive alternation (none where there is no pattern);
    `blank`, `theme` and `before` where the registry has patterns of these roles; `includes` and `excludes` list the patterns
    of `include` and `exclude`.
    Its rows of role `cue` are include patterns that are no names; `phrase` has the others. Its rows of role `word` are no
    patterns but parts of them: what the row x_word_money holds is written {money} in the others, words of a higher priority
    too; {phrase} is any name that `named` has of the label.

    Patterns are written into the statement as constants because DuckDB compiles a pattern that comes from a column
    anew for every row. Empty while parsing.

    registry: name of the seed. label_columns: column or columns (joined by ':') that name the label. named: rules of the
    registry whose phrases the patterns speak of.
#}
{% macro label_rules(registry, label_columns, named=[]) %}
    {%- set rules = [] -%}
    {%- do ref(registry) -%}
    {%- set seed = adapter.get_relation(target.database, 'seeds', registry) if execute else none -%}
    {%- if seed is not none -%}
        {%- set rows = run_query(
            "select concat_ws(':', " ~ label_columns ~ ") as label, "
            ~ "string_agg(pattern, chr(30) order by priority, pattern_id) "
            ~ "filter (where role in ('include', 'cue')) as included, "
            ~ "string_agg(pattern, chr(30) order by priority, pattern_id) filter (where role = 'exclude') as excluded, "
            ~ "string_agg(pattern, '|' order by priority, pattern_id) filter (where role = 'blank') as blanked, "
            ~ "string_agg(pattern, '|' order by priority, pattern_id) filter (where role = 'theme') as themed, "
            ~ "string_agg(pattern, '|' order by priority, pattern_id) filter (where role = 'include') as phrased, "
            ~ "string_agg(pattern, '|' order by priority, pattern_id) filter (where role = 'before') as stands_before "
            ~ "from " ~ seed ~ " where role != 'word' group by label order by min(priority), label"
        ) -%}
        {%- set words = run_query(
            "select split_part(pattern_id, '_word_', 2), pattern from " ~ seed ~ " where role = 'word' "
            ~ "order by priority, pattern_id"
        ).rows -%}
        {%- for row in rows.rows -%}
            {%- set names = named | selectattr('label', 'equalto', row[0]) | map(attribute='phrase') | list -%}
            {%- set own_words = words | list + ([('phrase', '(?:' ~ names[0] ~ ')')] if names and names[0] else []) -%}
            {%- set includes = spelled_out(row[1], own_words) if row[1] else '' -%}
            {%- set excludes = spelled_out(row[2], own_words) if row[2] else '' -%}
            {%- do rules.append({
                'label': row[0],
                'phrase': row[5],
                'includes': case_insensitive_ones(includes.split('\x1e')) if includes else [],
                'include': case_insensitive(includes | replace('\x1e', '|')) if includes else none,
                'excludes': case_insensitive_ones(excludes.split('\x1e')) if excludes else [],
                'exclude': case_insensitive(excludes | replace('\x1e', '|')) if excludes else none,
                'blank': case_insensitive(spelled_out(row[3], own_words)) if row[3] else none,
                'theme': case_insensitive(spelled_out(row[4], own_words)) if row[4] else none,
                'before': case_insensitive(spelled_out(row[6], own_words)) if row[6] else none,
            }) -%}
        {%- endfor -%}
    {%- elif execute and flags.WHICH in ('build', 'run', 'test') -%}
        {{ exceptions.raise_compiler_error(
            "The pattern registry seeds." ~ registry ~ " is not in the database. Run `dbt seed` (or `dbt build`) first."
        ) }}
    {%- endif -%}
    {%- do return(rules) -%}
{% endmacro %}


{# A pattern with its words, rows of (name, pattern), written out: "{money}" becomes what stands for money. #}
{% macro spelled_out(pattern, words) -%}
    {%- set text = namespace(pattern=pattern) -%}
    {%- for word in words -%}
        {%- set text.pattern = text.pattern | replace('{' ~ word[0] ~ '}', word[1]) -%}
    {%- endfor -%}
    {%- do return(text.pattern) -%}
{%- endmacro %}


{# SQL literal of a pattern, matched without regard to case. #}
{% macro case_insensitive(pattern) -%}
    {%- do return("'(?i)(?:" ~ pattern | replace("'", "''") ~ ")'") -%}
{%- endmacro %}


{# SQL literals of patterns, in their order. #}
{% macro case_insensitive_ones(patterns) -%}
    {%- set literals = [] -%}
    {%- for pattern in patterns -%}{%- do literals.append(case_insensitive(pattern)) -%}{%- endfor -%}
    {%- do return(literals) -%}
{%- endmacro %}


{#
    Whether one of a list of patterns, SQL literals, matches, in as few alternations, and so passes of text, as are fast.
    RE2 builds its automaton in 8 MB and begins again where they are full, all the time in a longer alternation: on 48,615
    real sentences the 16,273 characters of the risk patterns took 7 times as long in one as in three, and the 2,901 of
    causes 9 times as long in seventeen as in one.

    apart: whether a pattern that counts to ten or more, as [^.]{2,60} does, which fills much of them by itself, is no part of
    an alternation.
#}
{% macro any_alternation_matches(text, literals, longest=3000, apart=true) -%}
    {%- set alternations = [] -%}
    {%- set far = [] -%}
    {%- for literal in literals -%}
        {%- set pattern = literal[1:-1] -%}
        {%- if apart and modules.re.search('[{,][0-9]{2,}[},]', pattern) -%}
            {%- do far.append(pattern) -%}
        {%- elif alternations and alternations[-1] | length + 1 + pattern | length <= longest -%}
            {%- do alternations.append(alternations.pop() ~ '|' ~ pattern) -%}
        {%- else -%}
            {%- do alternations.append(pattern) -%}
        {%- endif -%}
    {%- endfor -%}
    (
        {%- for alternation in alternations + far %}
        {{ 'or ' if not loop.first }}regexp_matches({{ text }}, '{{ alternation }}')
        {%- else %}
        false
        {%- endfor %}
    )
{%- endmacro %}


{# Whether an include pattern of any rule matches: the prefilter. #}
{% macro matches_any_rule(text, rules, longest=8000) -%}
    {%- set includes = rules | selectattr('include') | map(attribute='include') | list -%}
    {{ any_alternation_matches(text, includes, longest, apart=false) }}
{%- endmacro %}


{# The text with the rule's excluded phrases blanked, so that "deferred revenue" cannot count as "revenue". #}
{% macro without_excluded(text, rule) -%}
    {%- if rule.exclude -%}
        regexp_replace({{ text }}, {{ rule.exclude }}, ' # ', 'g')
    {%- else -%}
        {{ text }}
    {%- endif -%}
{%- endmacro %}


{# The phrase that carries the rule's label, or null. Blanking is dear, so it waits for a phrase to be there at all. #}
{% macro matched_phrase(text, rule) -%}
    case
        when regexp_matches({{ text }}, {{ rule.include }})
            then nullif(regexp_extract({{ without_excluded(text, rule) }}, {{ rule.include }}), '')
    end
{%- endmacro %}


{#
    All phrases that carry the rule's label, in their order, so that the text is blanked once where they are counted too. An
    alternation that is long enough to be slow only blanks where shorter ones find something.
#}
{% macro phrases(text, rule) -%}
    case
        when regexp_matches({{ text }}, {{ rule.include }})
            then regexp_extract_all(
                if({{ any_alternation_matches(text, rule.excludes) }}, {{ without_excluded(text, rule) }}, {{ text }}),
                {{ rule.include }}
            )
        else []
    end
{%- endmacro %}
