{#-
    A KPI's phrase and an amount belong together when nothing but their grammar stands between them: "net income of $3.2
    billion", "Revenue for fiscal 2019 increased 5% to $1.2 billion", "$1.05 per diluted share". The text between the two,
    the gap, is read, not the sentence: another figure's name, a cause, a part ("including") or the end of a clause parts them.
-#}
{%- set changed = change_words('increase') ~ '|' ~ change_words('decrease') ~ '|chang(?:e|es|ed)' -%}
{%- set other_company -%}
    (?i)\b(?:acqui(?:re|red|res|ring|sition)|mergers?|merged|(?:provider|manufacturer|distributor|supplier|operator)s?\sof {#- -#}
    |(?:entit|compan)ies\swith)\b
{%- endset -%}
{#- ", as computed under the rules," ", after preferred dividends,": how the figure is reckoned. -#}
{%- set aside -%}
    [\s(]*after (?:income )?tax(?:es)?\b|[^,.;$\d]*, (?:as \w+ed|after|net of (?:(?:amounts?|interest) capitali[sz]ed {#- -#}
    |capitali[sz]ed (?:amounts?|interest)))\b[^,;$\d]{0,70},
{%- endset -%}
{#- "$5 million in Retail, $3 million in Wholesale": names without a period or a comparison between two amounts. -#}
{%- set and_a_part = '\\s(?:in|for|from|at|by)\\s(?:(?:[A-Za-z&’.-]+),?\\s){1,9}?(?:and\\s)?' -%}
with

kpi_phrases as (

    select * from {{ ref('int_kpi_phrases') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

amount_lists as (

    select * from {{ ref('int_amount_lists') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

phrase_parts as (

    select * from {{ ref('int_kpi_phrase_parts') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

phrases as (

    select
        *,
        min(phrase_pos) over whole_sentence as first_phrase_pos,
        substr(sentence_text, phrase_pos, phrase_end - phrase_pos) as phrase,
        substr(sentence_text, greatest(1, phrase_pos - 60), least(60, phrase_pos - 1)) as text_before_phrase,
        substr(sentence_text, phrase_end, 80) as text_after_phrase,
        -- what a figure rose or fell to is named after what it rose or fell from
        coalesce(
            bool_or(regexp_matches(text_before_phrase, '(?i)\bto\s(?:an?\s|the\s|our\s)?$')) over (
                partition by sentence_id, kpi_label
                order by phrase_pos
                rows between 1 following and unbounded following
            ),
            false
        ) as is_reached_later,
    from kpi_phrases
    window whole_sentence as (partition by sentence_id, kpi_label)

),

-- The unit must be one that the KPI can have. Ends of ranges and coupons are no KPI's; rows of six figures and more are of
-- segments, quarters or maturities, not of years.
fitting_amounts as (

    select
        phrases.*,
        phrase_parts.is_of_a_part,
        amount_lists.amount_index,
        amount_lists.start_pos,
        amount_lists.end_pos,
        amount_lists.is_change,
        amount_lists.list_number,
        amount_lists.list_length,
    from phrases
    inner join amount_lists
        on phrases.sentence_id = amount_lists.sentence_id
    inner join phrase_parts
        on phrases.sentence_id = phrase_parts.sentence_id
        and phrases.kpi_label = phrase_parts.kpi_label
        and phrases.phrase_pos = phrase_parts.phrase_pos
    where
        amount_lists.range_role is null
        and not amount_lists.is_instrument_rate
        and amount_lists.list_length <= 5
        and case phrases.kpi_label
            when 'eps' then amount_lists.unit = 'USD per share'
            -- basis points measure a change
            when 'gross_margin'
                then amount_lists.unit = 'USD'
                    or (amount_lists.unit = '%' and (amount_lists.is_change or amount_lists.scale_word is null))
            else amount_lists.unit = 'USD'
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
        substr(sentence_text, greatest(1, start_pos - 20), least(20, start_pos - 1)) as text_before_amount,
        substr(sentence_text, end_pos, 100) as text_after_amount,
        regexp_extract(text_after_amount, '^({{ and_a_part }})[$€£]', 1) as part_after,
        regexp_extract(
            substr(sentence_text, 1, start_pos - 1), '\d(?:\s(?:thousand|million|billion))?({{ and_a_part }})$', 1
        ) as part_before,
        kpi_label = 'debt' and regexp_matches(phrase, '(?i)^(?:credit|revolving|loan|lines? of)\W') as is_line,
    from fitting_amounts

),

-- Brackets of the name ("net income (loss)"), how it is reckoned, ratios, owners and periods say nothing of whose the amount
-- is.
bare_gaps as (

    select
        *,
        regexp_replace(
            regexp_replace(gap, '(?i)^(?:[,\s]*\((?:loss|losses|income|deficit|eps)\)|{{ aside }})', ' '),
            '(?i)\bas an? (?:percentage|percent|%) (?:of|to) (?:\w+ ){0,2}(?:sales|revenues?)\b'
            || '|\bdebt issuance costs(?: and discounts)?\b'
            || '|\battributable to (?:(?:the|our|common|ordinary|controlling|(?:share|stock|unit)holders?|company|parent'
            || '|interests?|(?-i:[A-Z][\w.&’'']*))[\s,]*)+|\b(?:from|for|used (?:in|for)|provided by|per) (?:\w+ ){0,3}'
            || '(?:continuing operations|operations|operating activities|shares?|units?)\b',
            ' ', 'g'
        ) as bare_gap,
    from gaps
    where gap is not null

),

-- What the words make of the amount: a level or a change, this year's or what it is compared with, a reason or a part.
amount_roles as (

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
        )
        -- "The reduction in sales was $3 million": the name itself is of a change
        or (is_after and regexp_matches(phrase, '(?i)^(?:{{ change_words('noun') }})\s(?:in|of)\s')) as is_stated_change,
        regexp_matches(gap, '(?i)\b(?:from|than|over|compared (?:to|with)|versus|against|by)\s(?:\w+ly |about )?$')
        -- "to 31.8% from the gross margin of 33.4%", "higher than fiscal 2014 capital expenditures of", "and exceeded net
        -- income of"
        or (
            is_after
            and phrase_pos > first_phrase_pos
            and regexp_matches(
                text_before_phrase,
                '(?i)(?:(?:[\d%)]|\b(?:percent|points|thousand|million|billion|{{ change_words('noun') }}|up|down)),?\sfrom'
                || ' (?:\w+ ){0,4}|\bthan (?:[\w’]+ ){0,4}|\b(?:{{ link_words('surpassing') }}) (?:(?:an?|the|our) )?)$'
            )
        )
        -- "improved from a net loss of $5 million to net income of"
        or (is_reached_later and regexp_matches(text_before_phrase, '(?i)\bfrom\s(?:an?\s|the\s|our\s)?$'))
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
            '(?i)\b(?:{{ link_words('reason') }})\b(?:[^.;•]|[.]\S)*$'
        )
        and not regexp_matches(gap, '^,? which (?:in|de)creased\b') as is_reason_or_part,
    from bare_gaps

),

-- Whose it is, in either order: what parts the two makes it false.
amount_links as (

    select
        *,
        case
            -- "acquired X, a provider of care with $8 million in net revenues" is X's, "companies with over $1 billion"
            -- nobody's
            when
                kpi_label = 'revenue'
                and regexp_matches(text_before_amount, '(?i)\bwith\s(?:\w+ly\s|about\s|over\s|at least\s|\w+ than\s)?$')
                and regexp_matches(substr(sentence_text, 1, start_pos - 1), '{{ other_company }}')
                then false
            -- "from $3 million in 1999 to $5 million in 2000 to $6 million in 2001" passes through the second
            when
                regexp_matches(
                    text_after_amount,
                    '^\s(?:in|for)\s(?:fiscal\s)?(?:years?\s)?(?:19|20)\d\d,?\s(?:and\s)?to\s(?:\w+ly\s)?[$\d]'
                )
                then false
            -- "was $2 million lower than that of the parent"
            when regexp_matches(left(text_after_amount, 40), '^\s(?:lower|higher|less|more|greater) than th(?:at|ose) of\b')
                then false
            when is_of_a_part then false
            -- "$5 million in Retail and $3 million in Wholesale", "$5 million in Europe", not "in Fiscal 2020"
            when
                is_after
                and kpi_label not in ('debt', 'eps')
                and (part_after != '' or part_before != '')
                and not regexp_matches(
                    part_after || part_before,
                    '(?i)\b(?:{{ link_words('period') }}|{{ link_words('verb') }}|{{ changed }}'
                    || '|compared|versus|from|total)\b'
                )
                then false
            when
                is_after
                and kpi_label not in ('debt', 'eps')
                and regexp_matches(text_after_amount, '^\sin\s(?:(?:the|our)\s)?[A-Z]|(?i:^\s{{ of_a_part() }})')
                and not regexp_matches(text_after_amount, '{{ in_a_period() }}')
                then false
            -- "led to a $3 million increase in freight", not "in fiscal 2019"
            when
                is_after
                and regexp_matches(text_after_amount, '(?i)^\s(?:{{ change_words('noun') }})\sin\s[a-z]')
                and not regexp_matches(
                    text_after_amount,
                    '(?i)^\s\w+\sin\s(?:(?:the|our|its|this|that|each|both)\s)?'
                    || '(?:{{ link_words('period') }}|excess|line|part)\b'
                )
                then false
            -- "less net borrowings, an increase of $3 million in dividends"
            when
                regexp_matches(gap, '(?i)^,\s(?:and\s)?an?\s(?:{{ change_words('noun') }})\sof\s$')
                and regexp_matches(left(text_after_amount, 10), '^\s(?:in|of)\s[a-z]')
                then false
            else true
        end as is_own,
        case
            when not is_after then false
            -- "will be $1 billion higher than fiscal 2016 capital expenditures of $6 billion"
            when phrase_pos > first_phrase_pos and regexp_matches(text_before_phrase, '(?i)\bthan (?:[\w’]+ ){0,4}$')
                then false
            -- the effect of one thing
            when
                regexp_matches(
                    text_before_phrase,
                    '(?i)\b(?:impact|affect|reduc|increas|decreas|lower)(?:ed|ing|es|s)?\W(?:\w+\W){0,4}$'
                )
                and regexp_matches(gap, '(?i)\bby\s')
                then false
            when regexp_matches(gap, '(?i)\bwas\s(?:\w+ly\s)?(?:reduced|impacted|affected)\s(?:\w+ly\s)?by\s') then false
            when regexp_matches(text_before_phrase, '(?i)\baverage\s$') then false
            -- "lease payments included in operating cash flows were": of the item, not of where it is recorded
            when
                regexp_matches(
                    text_before_phrase,
                    '(?i)\b(?:included|recorded|reported|classified|presented)\s(?:with)?in\s(?:(?:our|the|net)\s){0,2}$'
                )
                and regexp_matches(gap, '(?i)\b(?:{{ link_words('verb') }})\b')
                then false
            -- "acquisitions and capital expenditures of", "interest expense and other, net, was"
            when regexp_matches(text_before_phrase, '(?i)\b(?:acquisitions?|investments?|dividends|repurchases)\sand\s$')
                then false
            when regexp_matches(gap, '(?i)^,?\s(?:and|&)\sother\b') then false
            when
                is_line
                and not regexp_matches(
                    text_before_phrase || gap,
                    '(?i)\b(?:outstanding|balances?|borrow\w*|drawn|drew|owed|repa(?:id|y\w*))\b'
                )
                then false
            -- "expenses, including interest expense, fell by", "2020 Notes”): $1 billion due in 2025"
            when starts_with(gap, ',') and regexp_matches(text_before_phrase, '(?i)\bincluding\s(?:\w+\s){0,3}$') then false
            when regexp_matches(gap, '^["”]\)?\s?:') then false
            -- "$99 million of interest expense, $38 million of", "24.3 cash generated (18.6) cash used"
            when regexp_matches(gap, '^\s?,\s*$') then false
            when
                list_length = 1
                and regexp_matches(gap, '^\)?\s*$')
                and regexp_matches(text_before_phrase, '(?i)[\d)]\s+(?:net\s)?$')
                then false
            when regexp_matches(bare_gap, '(?i)(?:\b(?:{{ link_words('parting') }})\b|;)') then false
            when regexp_matches(bare_gap, '(?i)\b(?:{{ link_words('figure') }})\b') then false
            -- this year's cell is empty, or a number too bare to be an amount: "— (2,250)", "824 1,093"
            when regexp_matches(gap, '^\)?\s*(?:[$]\s?)?[—–-]\s[^A-Za-z]*$') then false
            when regexp_matches(gap, '^\)?\s+(?:\d{1,3}|[(]\d{3}[)])\s[^A-Za-z]*$') then false
            -- a row: the name and its figures
            when regexp_matches(gap, '(?i)^(?:[^a-z]|\b(?:basic|diluted|total|third party|loss|net)\b)*$') then true
            else regexp_matches(gap, '(?i)\b(?:{{ link_words('verb') }}|{{ changed }}|by)\b')
        end as follows_its_phrase,
        case
            when is_after then false
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
                    || '|{{ change_words('noun') }}|[-–,\s])+\s?)?$'
                )
        end as precedes_its_phrase,
    from amount_roles

),

kpi_amount_links as (

    select
        sentence_id,
        kpi_label,
        phrase_pos,
        amount_index,
        filing_id,
        list_number,
        phrase_pos = first_phrase_pos as is_first_phrase,
        is_after,
        gap_words,
        is_own and (follows_its_phrase or precedes_its_phrase) as is_linked,
        is_stated_change,
        is_comparative,
        is_after_comparison,
        is_reason_or_part,
    from amount_links

)

select * from kpi_amount_links
