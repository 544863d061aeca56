{#-
    Which amount is whose. A KPI's phrase and an amount belong together when nothing but their grammar stands between
    them: "net income of $3.2 billion", "Revenue for fiscal 2019 increased 5% to $1.2 billion", "$1.05 per diluted
    share". The text between the two is read, not the sentence: another figure's name, a cause, a part ("including") or
    the end of a clause parts them.
-#}
{%- set verbs = [
    'was', 'were', 'is', 'are', 'of', 'total(?:s|ed|ing|led|ling)?', 'amount(?:ed|s|ing)? to', 'reached', 'reported',
    'came (?:in )?(?:to|at)', 'equal(?:led|ed|s)?', 'to', 'at', 'exceed(?:ed|ing)', 'recorded', 'generated', 'consumed',
] | join('|') -%}
{%- set changed = change_words('increase') ~ '|' ~ change_words('decrease') ~ '|chang(?:e|es|ed)' -%}
{%- set change_nouns = change_words('noun') -%}
{%- set losses = loss_words('loss') -%}
{%- set gains = loss_words('gain') -%}
{#- What parts an amount from the phrase before it. -#}
{%- set parting = [
    ';', '[.]\\s+[A-Z]', 'due to', 'because', 'result(?:ed|ing|s)? (?:from|in|of)', 'as a result', 'driven', 'primarily',
    'mainly', 'principally', 'attribut(?:able|ed) to (?:an?|the|our|its|higher|lower|increase\\w*|decrease\\w*)',
    'reflect\\w*', 'includ\\w+', 'exclud\\w+', 'compris\\w+', 'consist\\w*', 'offset', 'impact\\w*', 'affect\\w*', 'relat\\w+',
    'contribut\\w+', 'caused', 'associated', 'partially', 'excess of', 'less', 'plus', 'before', 'after', 'of which',
    'while', 'whereas', 'although', 'but', 'net of', 'compared', 'versus', 'vs', 'against', 'respect to', 'through',
    'account(?:s|ed|ing) for', 'represent\\w*', 'percent(?:age)? of', '% of', 'used to', 'repa(?:y|id|yment)\\w*',
    'purchas\\w+', 'acqui\\w+', 'redemptions?', 'secured', 'there (?:was|were)', 'prior to', 'effects? of', 'pa(?:id|y|ying|yments?)', 'bearing', 'could', 'would', 'if',
] | join('|') -%}
{#- What begins the reasons for a change, or the parts of a sum. -#}
{%- set reasons = [
    'due to', 'because', 'driven(?: \\w+)? by', 'result(?:ed|ing|s)? (?:\\w+ )?from', 'as a result of',
    'attributable to (?:an?|higher|lower|(?:in|de)creas\\w+)', 'reflecting', 'includ\\w+', 'consist\\w* of', 'compris\\w+', 'of which',
] | join('|') -%}
{#- Names of other figures: the amount is theirs. -#}
{%- set other_figures = [
    'costs?', 'expenses?', 'income', 'loss(?:es)?', 'earnings', 'profits?', 'margins?', 'revenues?', 'sales', 'tax(?:es)?',
    'assets?', 'liabilit\\w+', 'cash', 'charges?', 'gains?', 'dividends?', 'ebitda', 'impairments?', 'depreciation',
    'amortization', 'backlog', 'orders?', 'bookings', 'deficit', 'equity', 'capital', 'inventor\\w+', 'receivables?',
    'payables?', 'interest', 'debt', 'borrowings', 'notes', 'proceeds', 'fees?', 'royalt\\w+', 'premiums?', 'deposits?',
    'loans?', 'rates?', 'prices?', 'compensation', 'reserves?', 'provisions?', 'eps', 'settlements?', 'credits?',
] | join('|') -%}
{%- set other_company -%}
    (?i)\b(?:acqui(?:re|red|res|ring|sition)|mergers?|merged|(?:provider|manufacturer|distributor|supplier|operator)s?\sof {#- -#}
    |(?:entit|compan)ies\swith)\b
{%- endset -%}
{%- set year_run -%}
    \b(?:19|20)\d\d(?:(?:,?\s(?:and\s)?)(?:(?:in|for)\s)?(?:fiscal\s)?(?:years?\s)?(?:19|20)\d\d\b)+
{%- endset -%}
{#- What a row may hold between its amounts: shares of the amount before, columns without one, and marks of notes. -#}
{%- set share_cell -%} [(]?[\d.,]+\s?[)]?\s?%[)]? {%- endset -%}
{%- set empty_cell -%} [-–—]|\d{1,3}|[(]\d{2,3}[)] {%- endset -%}
{%- set other_cell -%} (?:{{ share_cell }}|[$]?\s?(?:{{ empty_cell }})|[(]\d[)]) {%- endset -%}
with

phrases as (

    select * from {{ ref('int_kpi_phrases') }}
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

-- Runs of years as long as a list of amounts say which amount is this year's: "for 2021, 2022 and 2023".
sentence_texts as (

    select
        sentence_id,
        any_value(filing_id) as filing_id,
        any_value(report_year) as report_year,
        any_value(sentence_text) as sentence_text,
        list_transform(
            regexp_extract_all(any_value(sentence_text), '{{ year_run }}'),
            lambda run: list_transform(regexp_extract_all(run, '\d{4}'), lambda year: year::integer)
        ) as year_runs,
    from phrases
    group by sentence_id

),

-- Runs of years of whatever the filing says; "2021 2020 2019" without a word stands at the head of columns.
year_sentences as (

    select
        filing_id,
        report_year,
        unnest(regexp_extract_all(sentence_text, '{{ year_run }}')) as year_run,
    from {{ ref('fct_sentences') }}
    where
        sentence_kind is distinct from 'written_row'
        and regexp_matches(sentence_text, '{{ year_run }}')
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
        {%- endif %}

),

named_years as (

    select
        filing_id,
        report_year,
        regexp_full_match(year_run, '[\d\s]+') as is_head,
        list_transform(regexp_extract_all(year_run, '\d{4}'), lambda year: year::integer) as years,
    from year_sentences

),

-- Where the years of a row stand elsewhere, its columns are in the order of the filing's heads; where no heads are at hand,
-- in the order in which its sentences name years, if more than one does. Null where it has either order, or none. Years to
-- come are maturities.
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

),

-- "$5.1 billion, $4.9 billion and $4.5 billion" and the figures of a row are one list; a row's may have their shares of
-- something between them, "1,250 50% 1,175 48%".
amounts_with_separators as (

    select
        kpi_amounts.*,
        kpi_amounts.start_pos + length(kpi_amounts.raw_text) as end_pos,
        substr(
            sentence_texts.sentence_text,
            lag(kpi_amounts.start_pos + length(kpi_amounts.raw_text)) over amounts_of_unit,
            kpi_amounts.start_pos - lag(kpi_amounts.start_pos + length(kpi_amounts.raw_text)) over amounts_of_unit
        ) as separator,
        coalesce(
            regexp_matches(
                separator,
                '^\)?(?:,?\s(?:and\s)?(?:approximately\s|about\s)?|\s+(?:{{ other_cell }}\s+)*)$'
            )
            and kpi_amounts.unit is not null
            and kpi_amounts.is_change = lag(kpi_amounts.is_change) over amounts_of_unit,
            false
        ) as continues_list,
        coalesce(regexp_matches(separator, ',\s|\band\b'), false) as is_enumerated,
        if(
            regexp_matches(kpi_amounts.raw_text, '[a-z]'),
            '',
            regexp_extract(
                substr(sentence_texts.sentence_text, end_pos, 60), '^\)?((?:\s+{{ other_cell }})+)(?:\s|$)', 1
            )
        ) as cells_after,
    from kpi_amounts
    inner join sentence_texts
        on kpi_amounts.sentence_id = sentence_texts.sentence_id
    window amounts_of_unit as (
        partition by kpi_amounts.sentence_id, kpi_amounts.unit
        order by kpi_amounts.amount_index
    )

),

-- Columns without an amount, a dash or an integer too bare to be one, are columns too; not so where such an integer stands
-- behind each amount, "37,895 100 34,857 100".
counted_cells as (

    select
        *,
        {%- for cells in ['separator', 'cells_after'] %}
            len(list_filter(
                string_split_regex(regexp_replace({{ cells }}, '{{ share_cell }}', ' ', 'g'), '\s+'),
                lambda cell: regexp_full_match(cell, '[$]?(?:{{ empty_cell }})')
            )) as {{ cells }}_count,
        {%- endfor %}
    from amounts_with_separators

),

-- A list is named by its first amount.
numbered_lists as (

    select
        *,
        max(amount_index) filter (where not continues_list) over (
            partition by sentence_id, unit
            order by amount_index
        ) as list_number,
    from counted_cells

),

columned_lists as (

    select
        *,
        coalesce(bool_and(if(continues_list, separator_count, 1) = 1) over whole_list, false)
        and last_value(cells_after_count) over whole_list = 1
        and count(*) over whole_list > 1 as has_shares,
        if(continues_list and not has_shares, separator_count, 0) as columns_before,
        if(has_shares, 0, last_value(cells_after_count) over whole_list) as columns_after,
    from numbered_lists
    window whole_list as (
        partition by sentence_id, list_number
        order by amount_index
        rows between unbounded preceding and unbounded following
    )

),

placed_amounts as (

    select
        *,
        (row_number() over list_so_far + sum(columns_before) over list_so_far)::integer as list_position,
    from columned_lists
    window list_so_far as (
        partition by sentence_id, list_number
        order by amount_index
    )

),

listed_amounts as (

    select
        *,
        (max(list_position) over whole_list + columns_after)::integer as list_length,
        bool_or(is_enumerated and continues_list) over whole_list as is_enumeration,
        bool_or(value < 0) over whole_list as has_signs,
        list(value) over whole_list as list_values,
        sum(rounding) over whole_list as list_rounding,
        -- "1,250 1,175 75" is two years and a change, "1,250 1,175 1,100 75 75" three and two
        case
            when sum(columns_before) over whole_list > 0 then list_length
            when
                len(list_values) = 3
                and abs(abs(list_values[1] - list_values[2]) - abs(list_values[3])) <= list_rounding
                and list_values[3] != 0
                then 2
            when
                len(list_values) = 5
                and abs(abs(list_values[1] - list_values[2]) - abs(list_values[4])) <= list_rounding
                and abs(abs(list_values[2] - list_values[3]) - abs(list_values[5])) <= list_rounding
                then 3
            else list_length
        end as year_columns,
        -- "1,250 75 1,325" is parts and their sum
        len(list_values) >= 3
        and abs(list_sum(list_values) - 2 * list_values[-1]) <= list_rounding
        and not list_contains(list_values, 0) as is_of_parts,
    from placed_amounts
    window whole_list as (
        partition by sentence_id, list_number
        order by amount_index
        rows between unbounded preceding and unbounded following
    )

),

-- The unit must be one that the KPI can have.
fitting_amounts as (

    select
        phrases.*,
        sentence_texts.year_runs,
        kpi_amounts.amount_index,
        kpi_amounts.list_position,
        kpi_amounts.start_pos,
        kpi_amounts.end_pos,
        kpi_amounts.is_change,
        kpi_amounts.list_number,
        kpi_amounts.list_length,
        kpi_amounts.year_columns,
        kpi_amounts.is_of_parts,
        kpi_amounts.list_values,
        kpi_amounts.is_enumeration,
    from phrases
    inner join listed_amounts as kpi_amounts
        on phrases.sentence_id = kpi_amounts.sentence_id
    inner join sentence_texts
        on phrases.sentence_id = sentence_texts.sentence_id
    where
        kpi_amounts.range_role is null
        and not kpi_amounts.is_instrument_rate
        and case phrases.kpi_label
            when 'eps' then kpi_amounts.unit = 'USD per share'
            -- basis points measure a change
            when 'gross_margin'
                then kpi_amounts.unit = 'USD'
                    or (kpi_amounts.unit = '%' and (kpi_amounts.is_change or kpi_amounts.scale_word is null))
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
        min(phrase_pos) over (partition by sentence_id, kpi_label) as first_phrase_pos,
        substr(sentence_text, greatest(1, phrase_pos - 60), least(60, phrase_pos - 1)) as text_before_phrase,
        kpi_label = 'debt' and regexp_matches(
            substr(sentence_text, phrase_pos, phrase_end - phrase_pos), '(?i)^(?:credit|revolving|loan|lines? of)\W'
        ) as is_line,
        substr(sentence_text, greatest(1, start_pos - 20), least(20, start_pos - 1)) as text_before_amount,
    from fitting_amounts

),

-- Numbers, brackets of the name ("net income (loss)"), owners and periods say nothing of whose the amount is.
read_gaps as (

    select
        *,
        regexp_replace(
            regexp_replace(gap, '(?i)^[,\s]*\((?:loss|losses|income|deficit|eps)\)', ''),
            '(?i)\bas an? (?:percentage|percent|%) (?:of|to) (?:\w+ ){0,2}(?:sales|revenues?)\b'
            || '|\bdebt issuance costs(?: and discounts)?\b'
            || '|\battributable to (?:(?:the|our|common|ordinary|controlling|[A-Z][\w.&’'']*|(?:share|stock|unit)holders?'
            || '|company|parent|interests?)[\s,]*)+|\b(?:from|for|used (?:in|for)|provided by|per) (?:\w+ ){0,3}'
            || '(?:continuing operations|operations|operating activities|shares?|units?)\b',
            ' ', 'g'
        ) as bare_gap,
    from gaps
    where gap is not null

),

linked_amounts as (

    select
        *,
        len(regexp_extract_all(bare_gap, '[A-Za-z]+')) as gap_words,
        is_change
        -- "increased $4 million from 2000 to 2001 and $3 million from 1999 to 2000"
        or (
            is_after
            and regexp_matches(
                gap, '(?i)\b(?:{{ changed }})\s(?:by\s)?[$].*\bfrom (?:fiscal )?\d{4} to (?:fiscal )?\d{4} and\s$'
            )
        )
        or (
            is_after
            and regexp_matches(
                text_before_phrase,
                '(?i)\b(?:increases?|decreases?|declines?|growth|reductions?|improvements?|change)\W(?:in|of)'
                || '\W(?:\w+\W){0,4}$'
            )
            and not regexp_matches(gap, '(?i)\bto\s(?:\w+ly )?$')
        ) as is_stated_change,
        regexp_matches(gap, '(?i)\b(?:from|than|over|compared (?:to|with)|versus|against|by)\s(?:\w+ly |about )?$')
        -- "to 31.8% from the gross margin of 33.4%", "higher than fiscal 2014 capital expenditures of"
        or (
            phrase_pos > first_phrase_pos
            and regexp_matches(text_before_phrase, '(?i)(?:[\d%)]\sfrom (?:\w+ ){1,4}|\bthan (?:[\w’]+ ){0,4})$')
        )
        or (
            not is_after
            and regexp_matches(text_before_amount, '(?i)\b(?:from|compared (?:to|with)|versus)\s(?:\w+ly\s|about\s)?$')
        ) as is_comparative,
        regexp_matches(
            substr(sentence_text, 1, least(start_pos, phrase_pos) - 1),
            -- lower case: "Fiscal 2010 Compared to Fiscal 2009" is a heading
            '.\b(?:compared|versus|vs|as against|in comparison|(?:up|down) from)\b'
        ) as is_after_comparison,
        -- "Debt decreased because of the repayment of $5 million of notes" puts no figure to the decrease; in "$3 billion
        -- of notes, including $1 billion of 2029 Notes" the second is a part
        phrase_pos > first_phrase_pos
        and regexp_matches(
            substr(sentence_text, first_phrase_pos, least(start_pos, phrase_pos) - first_phrase_pos),
            '(?i)\b(?:{{ reasons }})\b(?:[^.;•]|[.]\S)*$'
        )
        and not regexp_matches(gap, '^,? which (?:in|de)creased\b') as is_reason_or_part,
        case
            when is_after
                then
                    -- the effect of one thing
                    not (
                        regexp_matches(
                            text_before_phrase,
                            '(?i)\b(?:impact|affect|reduc|increas|decreas|lower)(?:ed|ing|es|s)?\W(?:\w+\W){0,4}$'
                        )
                        and regexp_matches(gap, '(?i)\bby\s')
                    )
                    and not regexp_matches(gap, '(?i)\bwas\s(?:\w+ly\s)?(?:reduced|impacted|affected)\s(?:\w+ly\s)?by\s')
                    and not regexp_matches(text_before_phrase, '(?i)\baverage\s$')
                    -- "acquisitions and capital expenditures of", "interest expense and other, net, was"
                    and not regexp_matches(
                        text_before_phrase, '(?i)\b(?:acquisitions?|investments?|dividends|repurchases)\sand\s$'
                    )
                    and not regexp_matches(gap, '(?i)^,?\s(?:and|&)\sother\b')
                    and (not is_line or regexp_matches(
                        text_before_phrase || gap,
                        '(?i)\b(?:outstanding|balances?|borrow\w*|drawn|drew|owed|repa(?:id|y\w*))\b'
                    ))
                    -- "expenses, including interest expense, fell by", "2020 Notes”): $1 billion due in 2025"
                    and not (
                        starts_with(gap, ',') and regexp_matches(text_before_phrase, '(?i)\bincluding\s(?:\w+\s){0,3}$')
                    )
                    and not regexp_matches(gap, '^["”]\)?\s?:')
                    -- "$99 million of interest expense, $38 million of", "24.3 cash generated (18.6) cash used"
                    and not regexp_matches(gap, '^\s?,\s*$')
                    and not (
                        list_length = 1
                        and regexp_matches(gap, '^\)?\s*$')
                        and regexp_matches(text_before_phrase, '(?i)[\d)]\s+(?:net\s)?$')
                    )
                    and not regexp_matches(bare_gap, '(?i)(?:\b(?:{{ parting }})\b|;)')
                    and not regexp_matches(bare_gap, '(?i)\b(?:{{ other_figures }})\b')
                    -- this year's cell is empty, or a number too bare to be an amount: "— (2,250)", "824 1,093"
                    and not regexp_matches(gap, '^\)?\s*(?:[$]\s?)?[—–-]\s[^A-Za-z]*$')
                    and not regexp_matches(gap, '^\)?\s+(?:\d{1,3}|[(]\d{3}[)])\s[^A-Za-z]*$')
                    and (
                    -- a row: the name and its figures
                        regexp_matches(gap, '(?i)^(?:[^a-z]|\b(?:basic|diluted|total|third party|loss|net)\b)*$')
                        or regexp_matches(gap, '(?i)\b(?:{{ verbs }}|{{ changed }}|by)\b')
                    )
            -- "a $25 million line of credit" may be drawn or not
            when is_line then false
            -- "a loss of $16 million on our notes", "the initial discount of $92 million on our convertible notes"
            when
                kpi_label = 'debt'
                and regexp_matches(
                    text_before_amount,
                    '(?i)\b(?:discounts?|premiums?|fees|costs|interest|gains?|loss(?:es)?|charges?|expenses?) of'
                    || ' (?:\w+ly )?$'
                )
                then false
            -- a row's figure stands before the next row's name too
            when regexp_matches(gap, '^\)?[\s–—-]*$')
                then
                    regexp_matches(substr(sentence_text, phrase_pos, 1), '[a-z]')
                    and not regexp_matches(text_before_amount, '[\d)%.]\s*$')
            -- "income by $700 million, net income by $450 million"
            when contains(gap, '--') or regexp_matches(gap, '(?i)^\)?\s?(?:,|and\b)') then false
            else
                regexp_matches(
                    gap,
                    '(?i)^\)?\s?(?:(?:of|in|from|as|or|and|for|on|the|our|its|total|consolidated|net'
                    || '|additional|outstanding|new|aggregate|gross|face|value|current|remaining'
                    || '|existing|then|proceeds|(?:19|20)\d\d|convertible|subordinated|fixed-rate'
                    || '|annual|principal|amount|basic|diluted|senior|unsecured|secured|\d[\d.]*\s?%'
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
        -- rows of six figures and more are of segments, quarters or maturities, not of years
        and list_length <= 5
        and not (is_comparative and not is_stated_change)
        -- "acquired X, a provider of care with $8 million in net revenues" is X's, "companies with over $1 billion" nobody's
        and not (
            kpi_label = 'revenue'
            and regexp_matches(text_before_amount, '(?i)\bwith\s(?:\w+ly\s|about\s|over\s|at least\s|\w+ than\s)?$')
            and regexp_matches(substr(sentence_text, 1, start_pos - 1), '{{ other_company }}')
        )
        -- "from $3 million in 1999 to $5 million in 2000 to $6 million in 2001" passes through the second
        and not regexp_matches(
            substr(sentence_text, end_pos, 60),
            '^\s(?:in|for)\s(?:fiscal\s)?(?:years?\s)?(?:19|20)\d\d,?\s(?:and\s)?to\s(?:\w+ly\s)?[$\d]'
        )
        -- "will be $1 billion higher than fiscal 2016 capital expenditures of $6 billion"
        and not (
            is_after
            and phrase_pos > first_phrase_pos
            and regexp_matches(text_before_phrase, '(?i)\bthan (?:[\w’]+ ){0,4}$')
        )
        -- "was $2 million lower than that of the parent"
        -- "less net borrowings, an increase of $3 million in dividends"
        and not (
            regexp_matches(gap, '(?i)^,\s(?:and\s)?an?\s(?:{{ change_nouns }})\sof\s$')
            and regexp_matches(substr(sentence_text, end_pos, 10), '^\s(?:in|of)\s[a-z]')
        )
        and not regexp_matches(
            substr(sentence_text, end_pos, 40), '^\s(?:lower|higher|less|more|greater) than th(?:at|ose) of\b'
        )
        -- "Net income fell to (unread), compared with net income of $4.35 billion"
        and not (is_after_comparison and phrase_pos > first_phrase_pos)
        and not is_reason_or_part

),

-- Several loans with an amount each, and none is the debt: "repaid $3 million of notes and $2 million of the term loan".
phrase_amounts as (

    select
        *,
        arg_min(list_number, gap_words * 1000 + amount_index) filter (where not is_stated_change and not is_after_comparison)
            over (partition by sentence_id, kpi_label, phrase_pos) as nearest_list,
        arg_min(list_number, gap_words * 1000 + amount_index) filter (where is_stated_change and not is_after_comparison)
            over (partition by sentence_id, kpi_label, phrase_pos) as nearest_change,
    from ranked_amounts

),

counted_amounts as (

    select
        *,
        count(distinct nearest_list) over (partition by sentence_id, kpi_label) as level_count,
        count(distinct nearest_change) over (partition by sentence_id, kpi_label) as change_count,
    from phrase_amounts

),

-- Which column is this year's: by the years in the sentence, else by the filing's order; an enumeration may be of parts.
chosen_amounts as (

    select
        counted_amounts.*,
        (list_filter(counted_amounts.year_runs, lambda run: len(run) = counted_amounts.list_length))[1] as years,
        case
            when counted_amounts.list_length = 1 then 1
            when years is not null
                then coalesce(list_position(years, counted_amounts.report_year), list_position(years, list_max(years)))
            when counted_amounts.is_enumeration or counted_amounts.is_of_parts then null
            -- one amount twice is a row of the statement of equity, or a debt that stays
            when
                len(counted_amounts.list_values) = 2
                and counted_amounts.list_values[1] = counted_amounts.list_values[2]
                and counted_amounts.kpi_label != 'debt'
                then null
            -- a row of four is of quarters
            when counted_amounts.year_columns = 4 then null
            when filing_year_orders.year_order = 'newest first' then counted_amounts.list_position
            when filing_year_orders.year_order = 'oldest first' and counted_amounts.year_columns <= 3
                then counted_amounts.year_columns
        end as this_year_position,
    from counted_amounts
    left join filing_year_orders
        on counted_amounts.filing_id = filing_year_orders.filing_id
    where
        counted_amounts.choice = 1
        and not (
            counted_amounts.kpi_label = 'debt'
            and greatest(counted_amounts.level_count, counted_amounts.change_count) > 1
        )

),

-- A loss or an outflow by name: "net loss of", "cash used in operations"; "per diluted share" goes by the net loss before
-- it. "Net income (loss)" and "income or loss" are either, and a change has no sign. Where a list has signs, they count.
named_amounts as (

    select
        *,
        substr(sentence_text, phrase_pos, phrase_end - phrase_pos) as phrase,
        substr(sentence_text, 1, least(phrase_pos, start_pos) - 1) as text_before_both,
        kpi_label in ('net_income', 'operating_income', 'gross_margin', 'eps', 'cash_from_ops')
        and not is_stated_change
        and case
            when regexp_matches(phrase, '(?i)[()]|\b(?:{{ gains }})\b') then false
            when regexp_matches(phrase, '(?i)\b(?:{{ losses }})\b')
                then not regexp_matches(text_before_phrase, '(?i)(?:\b(?:{{ gains }})\W{1,2}(?:and|or)\W(?:net\W)?|[(])$')
                    and not regexp_matches(substr(sentence_text, phrase_end, 20), '(?i)^\s[(](?:net\s)?(?:{{ gains }})\b')
            when kpi_label = 'eps'
                then regexp_matches(
                        regexp_extract(text_before_both, '(?is)^.*\bnet\s({{ losses }}|{{ gains }})\b', 1),
                        '(?i)^(?:{{ losses }})$'
                    )
            else false
        end as is_loss,
    from chosen_amounts

),

kpi_statements as (

    select
        named_amounts.sentence_id,
        named_amounts.kpi_label,
        named_amounts.filing_id,
        this_years_amounts.amount_index,
        if(
            this_years_amounts.amount_index is null,
            null,
            if(named_amounts.is_stated_change, 'change', 'level')
        ) as kpi_role,
        case
            when named_amounts.is_loss and not this_years_amounts.has_signs then -this_years_amounts.value
            -- an outlay is as much as was paid, in brackets or not; those of "Interest (income) expense" are income
            when
                named_amounts.kpi_label in ('capex', 'interest_expense', 'debt')
                and not named_amounts.is_stated_change
                and not regexp_matches(named_amounts.sentence_text, '(?i)[(]income[)]')
                then abs(this_years_amounts.value)
            else this_years_amounts.value
        end as value,
        this_years_amounts.unit,
        if(
            this_years_amounts.amount_index is null, null, named_amounts.years[named_amounts.this_year_position]
        ) as listed_year,
        case
            when named_amounts.this_year_position is null then 'year unknown'
            when this_years_amounts.amount_index is null then 'no amount'
        end as amount_reason,
    from named_amounts
    left join listed_amounts as this_years_amounts
        on named_amounts.sentence_id = this_years_amounts.sentence_id
        and named_amounts.list_number = this_years_amounts.list_number
        and named_amounts.this_year_position = this_years_amounts.list_position
    where
        -- a negative one is a change, an elimination or a contract's effect
        not coalesce(
            named_amounts.kpi_label = 'revenue' and not named_amounts.is_stated_change and this_years_amounts.value < 0,
            false
        )

)

select * from kpi_statements
