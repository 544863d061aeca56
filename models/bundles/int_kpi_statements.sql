{#-
    Which amount is whose. A KPI's phrase and an amount belong together when nothing but their grammar stands between
    them: "net income of $3.2 billion", "Revenue for fiscal 2019 increased 5% to $1.2 billion", "$1.05 per diluted
    share". The text between the two is read, not the sentence: another figure's name, a cause, a part ("including") or
    the end of a clause parts them.

    Positions come from the same trick as in int_kpi_amounts: control characters around what is looked for, and sums of
    lengths. Excluded phrases are blanked to their own length.
-#}
{%- set rules = label_rules('kpi_patterns', 'kpi_label') -%}
{%- set verbs = [
    'was', 'were', 'is', 'are', 'of', 'total(?:s|ed|ing|led|ling)?', 'amount(?:ed|s|ing)? to', 'reached', 'reported',
    'came (?:in )?(?:to|at)', 'equal(?:led|ed|s)?', 'to', 'at', 'exceed(?:ed|ing)', 'recorded', 'generated', 'consumed',
] | join('|') -%}
{%- set increase_words = 'increas(?:e|es|ed|ing)|grew|grow(?:n|s|ing)?|rose|rising|improv(?:e|es|ed|ing)|up|higher' -%}
{%- set decrease_words = 'decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|fell|falling|dropp?(?:ed|s)?|reduced|down|lower' -%}
{%- set change_words = increase_words ~ '|' ~ decrease_words ~ '|chang(?:e|es|ed)|growth' -%}
{%- set change_nouns = 'increases?|decreases?|declines?|growth|reductions?|improvements?|drops?|rise|changes?' -%}
{#- What parts an amount from the phrase before it. -#}
{%- set parting = [
    ';', '[.]\s+[A-Z]', 'due to', 'because', 'result(?:ed|ing|s)? (?:from|in|of)', 'as a result', 'driven', 'primarily',
    'mainly', 'principally', 'attribut(?:able|ed) to (?:an?|the|our|its|higher|lower|increase\w*|decrease\w*)',
    'reflect\w*', 'includ\w+', 'exclud\w+', 'compris\w+', 'consist\w*', 'offset', 'impact\w*', 'affect\w*', 'relat\w+',
    'contribut\w+', 'caused', 'associated', 'partially', 'excess of', 'less', 'plus', 'before', 'after', 'which',
    'while', 'whereas', 'although', 'but', 'net of', 'compared', 'versus', 'vs', 'against', 'respect to', 'through',
    'account(?:s|ed|ing) for', 'represent\w*', 'percent(?:age)? of', '% of', 'used to', 'repa(?:y|id|yment)\w*',
    'purchas\w+', 'acqui\w+', 'pa(?:id|y|ying|yments?)', 'bearing', 'could', 'would', 'if',
] | join('|') -%}
{#- Names of other figures: the amount is theirs. -#}
{%- set other_figures = [
    'costs?', 'expenses?', 'income', 'loss(?:es)?', 'earnings', 'profits?', 'margins?', 'revenues?', 'sales', 'tax(?:es)?',
    'assets?', 'liabilit\w+', 'cash', 'charges?', 'gains?', 'dividends?', 'ebitda', 'impairments?', 'depreciation',
    'amortization', 'backlog', 'orders?', 'bookings', 'deficit', 'equity', 'capital', 'inventor\w+', 'receivables?',
    'payables?', 'interest', 'debt', 'borrowings', 'notes', 'proceeds', 'fees?', 'royalt\w+', 'premiums?', 'deposits?',
    'loans?', 'rates?', 'prices?', 'compensation', 'reserves?', 'provisions?', 'eps', 'settlements?', 'credits?',
] | join('|') -%}
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_amounts as (

    select * from {{ ref('int_kpi_amounts') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- Statements with amounts; the others go no further.
statements as (

    select
        sentence_id,
        kpi_label,
        filing_id,
        report_year,
        translate(sentence_text, chr(160) || chr(8201) || chr(8239) || chr(10), '    ') as sentence_text,
    from kpi_matches
    where sentence_id in (select kpi_amounts.sentence_id from kpi_amounts)

),

excluded_pieces as (

    select
        *,
        string_split(
            case kpi_label
            {%- for rule in rules if rule.exclude %}
                when '{{ rule.label }}'
                    then regexp_replace(sentence_text, {{ rule.exclude }}, chr(1) || '\0' || chr(2), 'g')
                {%- endfor %}
                else sentence_text
            end,
            chr(1)
        ) as pieces,
    from statements

),

blanked_statements as (

    select
        * exclude (pieces),
        pieces[1] || array_to_string(list_transform(
            pieces[2:],
            lambda piece: repeat('#', length(split_part(piece, chr(2), 1))) || split_part(piece, chr(2), 2)
        ), '') as blanked_text,
    from excluded_pieces

),

phrase_pieces as (

    select
        * exclude (blanked_text),
        string_split(
            case kpi_label
            {%- for rule in rules %}
                when '{{ rule.label }}'
                    then regexp_replace(blanked_text, {{ rule.include }}, chr(1) || '\0' || chr(2), 'g')
                {%- endfor %}
            end,
            chr(1)
        ) as pieces,
    from blanked_statements

),

located_pieces as (

    select
        * exclude (pieces),
        unnest(pieces[2:]) as piece,
        unnest(list_transform(
            range(2, len(pieces) + 1),
            lambda i: length(array_to_string(list_slice(pieces, 1, i - 1), '')) - (i - 2) + 1
        )) as phrase_pos,
    from phrase_pieces

),

phrases as (

    select
        * exclude (piece),
        length(split_part(piece, chr(2), 1)) as phrase_length,
        phrase_pos + phrase_length as phrase_end,
    from located_pieces

),

-- The unit must be one that the KPI can have.
fitting_amounts as (

    select
        phrases.*,
        kpi_amounts.amount_index,
        kpi_amounts.start_pos,
        kpi_amounts.start_pos + length(kpi_amounts.raw_text) as end_pos,
        kpi_amounts.value,
        kpi_amounts.unit,
        kpi_amounts.is_change,
    from phrases
    inner join kpi_amounts
        on phrases.sentence_id = kpi_amounts.sentence_id
    where
        kpi_amounts.range_role is null
        and not kpi_amounts.is_instrument_rate
        and case phrases.kpi_label
            when 'eps' then kpi_amounts.unit = 'USD per share'
            when 'gross_margin' then kpi_amounts.unit in ('USD', '%')
            else kpi_amounts.unit = 'USD'
        end

),

gaps as (

    select
        *,
        start_pos >= phrase_end as is_after,
        case
            when start_pos >= phrase_end then substr(sentence_text, phrase_end, start_pos - phrase_end)
            when end_pos <= phrase_pos then substr(sentence_text, end_pos, phrase_pos - end_pos)
        end as gap,
        substr(sentence_text, greatest(1, phrase_pos - 60), least(60, phrase_pos - 1)) as text_before_phrase,
        substr(sentence_text, end_pos, 60) as text_after_amount,
    from fitting_amounts

),

-- Numbers, brackets of the name ("net income (loss)"), owners and periods say nothing of whose the amount is.
read_gaps as (

    select
        *,
        regexp_replace(
            regexp_replace(gap, '(?i)^[,\s]*\((?:loss|losses|income|deficit|eps)\)', ''),
            '(?i)\battributable to (?:(?:the|our|common|ordinary|controlling|[A-Z][\w.&’'']*|shareholders?|stockholders?'
            || '|company|unitholders?|parent|interests?)[\s,]*)+|\b(?:from|for|used (?:in|for)|provided by|per)'
            || ' (?:\w+ ){0,3}(?:continuing operations|operations|operating activities|shares?|units?)\b',
            ' ', 'g'
        ) as bare_gap,
    from gaps
    where gap is not null

),

linked_amounts as (

    select
        *,
        len(regexp_extract_all(bare_gap, '[A-Za-z]+')) as gap_words,
        is_change or (
            is_after
            and regexp_matches(
                text_before_phrase,
                '(?i)\b(?:increases?|decreases?|declines?|growth|reductions?|improvements?|change)\W(?:in|of)'
                || '\W(?:\w+\W){0,4}$'
            )
            and not regexp_matches(gap, '(?i)\bto\s(?:\w+ly )?$')
        ) as is_stated_change,
        regexp_matches(gap, '(?i)\b(?:from|than|over|compared (?:to|with)|versus|against|by)\s(?:\w+ly |about )?$')
            as is_comparative,
        regexp_matches(
            substr(sentence_text, 1, least(start_pos, phrase_pos) - 1),
            '(?i).\b(?:compared|versus|vs|as against|in comparison|(?:up|down) from)\b'
        ) as is_after_comparison,
        case
            when is_after
                then
                    not regexp_matches(bare_gap, '(?i)(?:\b(?:{{ parting }})\b|;)')
                    and not regexp_matches(bare_gap, '(?i)\b(?:{{ other_figures }})\b')
                    and (
                    -- a row: the name and its figures
                        regexp_matches(gap, '^[^A-Za-z]*$')
                        or regexp_matches(gap, '(?i)\b(?:{{ verbs }}|{{ change_words }}|by|and|or)\b')
                    )
            else
                regexp_matches(
                    gap,
                    '(?i)^\)?\s?(?:(?:of|in|from|as|or|and|for|on|the|our|its|total|consolidated|net|additional|outstanding|new'
                    || '|aggregate|annual|principal|amount|basic|diluted|senior|unsecured|secured|\d[\d.]*\s?%'
                    || '|{{ change_nouns }}|[-–,\s])+\s?)?$'
                )
        end as is_linked,
    from read_gaps

),

ranked_amounts as (

    select
        *,
        row_number() over (
            partition by sentence_id, kpi_label
            order by
                is_stated_change,
                is_after_comparison,
                gap_words + if(is_after, 0, 1),
                amount_index
        ) as choice,
    from linked_amounts
    where
        is_linked
        and not (is_comparative and not is_stated_change)

),

kpi_statements as (

    select
        sentence_id,
        kpi_label,
        filing_id,
        amount_index,
        case when is_stated_change then 'change' else 'level' end as kpi_role,
        value,
        unit,
    from ranked_amounts
    where choice = 1

)

select * from kpi_statements
