-- Sentences that state a change of a measure and why, taken apart: "Net sales in Europe increased 4%, primarily due to
-- higher volumes, partially offset by currency." gives subject "net sales in Europe", direction increase, cause "higher
-- volumes", offset "currency". Two shapes: subject + verb + connector + cause, and "The increase in" subject "was due
-- to" cause. What does not fit one of them clearly is left out: a question is only asked where what changed is named.
--
-- Left out as well: other periods than the report year (quarters, "respectively", a later year than the filing's or
-- only earlier ones; int_topic_sentences leaves out what stands under the comparison of an earlier year and names none),
-- changes of a part that is named after the verb ("Revenue rose 4% in our Cloud segment"), subjects that point back
-- ("this increase"), causes that stand elsewhere ("the items covered below"), and a second change in the same sentence.
-- part_name: the segment or other part under whose heading the sentence stands (int_part_headings), which named_subject says
-- where the subject does not: "advertising revenues (Media Networks)". Cash flows and earnings per share are of no part.
-- is_company_wide: the subject is the KPI of the whole company: nothing tells of a part (is_of_a_part), and it is one that
-- companies seldom give by part, is called total or consolidated, or changes as the company's facts do.
-- is_plain_subject: nothing but a measure is named, "net sales", so that its part may stand elsewhere; not "product sales".
{%- set adverb = '(?:(?:primarily|mainly|principally|largely|mostly|predominantly) )?' -%}
{%- set how = '(?: \\w+ly| in (?:large )?part)?' -%}
{%- set connector = adverb ~ '(?:' ~ [
    'due' ~ how ~ ' to', 'driven' ~ how ~ ' by', 'attribut(?:able|ed)' ~ how ~ ' to', 'as a result of', 'because of',
    'resulting' ~ how ~ ' from', 'reflecting',
] | join('|') ~ ')' -%}
{%- set driver_openings = [
    'higher', 'lower', 'increase[sd]?', 'decrease[sd]?', '(?:an|the) increase', '(?:a|the) decrease', '(?:the )?growth',
    'less', 'more', 'fewer', 'greater', 'stronger', 'weaker', 'strong', '(?:an? |the )?(?:un)?favorable', 'improved',
    'improvements?', 'reduced', '(?:a )?reductions?', 'continued', 'additional', 'changes', 'a change', '(?:the )?timing',
    '(?:a )?declines?', 'the (?:absence|impact|effect|acquisition|sale)',
] | join('|') -%}
{%- set driver_boundary = '(?:,? and |,? as well as |, |; )((?:' ~ driver_openings ~ ')\\b)' -%}
{%- set embedding_words -%}
    (?i)\b(?:including|which|such as|whereby|each|both|between|excluding|namely|respective)\b|[(]| [-–—] {# -#}
{%- endset -%}
{%- set period -%}
    (?:the )?(?:fiscal|current|same|prior|previous|preceding|first|last|full|calendar|comparable|corresponding|years?|FY|twelve {# -#}
    |period|(?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:19|20)\d\d|[$]?\d) {#- -#}
{%- endset -%}
{%- set named -%} [\w’'&/$-]+(?: (?:[\w’'&/$-]+|\(\w[\w ]*\)),?){0,9}? {%- endset %}
with

topic_sentences as (

    select * from {{ ref('int_topic_sentences') }}
    where
        topic_type = 'kpi'
        and is_causal
        and section_id in ('ITEM_7', 'ITEM_8')

),

kpi_phrases as (

    select
        sentence_id,
        kpi_label,
        matched_phrase,
    from {{ ref('v1_kpi_scan') }}

),

fact_matches as (

    select distinct
        sentence_id,
        kpi_label,
    from {{ ref('kpi_fact_matches') }}
    where
        is_match
        and match_basis in ('change', 'percent_change', 'level')

),

part_headings as (

    select * from {{ ref('int_part_headings') }}

),

parsed as (

    select
        sentence_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        topic_label as kpi_label,
        is_of_a_part,
        text_hash,
        sentence_text,
        regexp_extract(
            regexp_replace(sentence_text, '^[^\pL\pN“"$]+', ''),
            '^(?:(?:In|During|For) (?:the )?(?:fiscal )?(?:years? )?(?:ended \w+ \d+, )?(?:19|20)\d\d,? )?'
            || '({{ named | trim | replace("'", "''") }}) '
            || '(increased|decreased|declined|grew|rose|fell)\b((?:[^.;]|\.\d)*?),? '
            || '(?:and (?:was|is|were) |which (?:was|is|were) )?({{ connector }}) (.+)[.]$',
            ['subject', 'direction', 'extent', 'connector', 'reason']
        ) as verbal,
        regexp_extract(
            regexp_replace(sentence_text, '^[^\pL\pN“"$]+', ''),
            '^(?:The|Our) (increase|decrease|decline|growth|reduction) in ({{ named | trim | replace("'", "''") }})'
            || '((?: (?:(?:for|in|during|from|between|at|as of) {{ period }}'
            || '|(?:as )?compared|over|versus|year[- ]over[- ]year)\b(?:[^.;]|\.\d)*?)?),? (?:was|is|were|are) '
            || '({{ connector }}) (.+)[.]$',
            ['direction', 'subject', 'extent', 'connector', 'reason']
        ) as nominal,
    from topic_sentences

),

parts as (

    select
        * exclude (verbal, nominal),
        coalesce(nullif(verbal.subject, ''), nominal.subject) as stated_subject,
        coalesce(nullif(verbal.direction, ''), nominal.direction) as stated_direction,
        case when verbal.subject != '' then verbal.extent else nominal.extent end as extent,
        case when verbal.subject != '' then verbal.connector else nominal.connector end as connector,
        case when verbal.subject != '' then verbal.reason else nominal.reason end as reason,
    from parsed
    where
        verbal.subject != ''
        or nominal.subject != ''

),

worded as (

    select
        *,
        -- "Our", "The Company's" and the period are no part of what changed
        trim(regexp_replace(
            regexp_replace(stated_subject, '^(?i:(?:the company[’'']s|our|the|total company) )', ''),
            ' (?:for|in|during|of|as of|at) (?:the )?(?:fiscal )?(?:years? )?(?:ended )?(?:\w+ \d+, )?(?:19|20)\d\d$',
            ''
        ), ' ,') as unprefixed_subject,
        regexp_extract(
            reason,
            '^(.*?)(?:,? (?:but )?(?:and )?(?:which (?:was|were) )?((?:more than |partially |partly |somewhat '
            || '|largely )?offset(?:,? in part,?)?(?: \w+ly)? by) (.+))?$',
            ['cause', 'counter_connector', 'counter']
        ) as reasons,
        string_split(lower(stated_subject), ' ') as subject_words,
        (len(string_split(stated_subject, ' ')) / 2)::integer as half_count,
    from parts

),

-- A heading run into the sentence repeats its first words: "Interest Expense Interest expense increased".
subjects as (

    select
        *,
        case
            when
                len(subject_words) % 2 = 0
                and list_slice(subject_words, 1, half_count) = list_slice(subject_words, half_count + 1, -1)
                then array_to_string(string_split(stated_subject, ' ')[half_count + 1:], ' ')
            else unprefixed_subject
        end as subject,
        case
            when regexp_matches(stated_direction, '(?i)^(?:{{ change_words('increase') }})$') then 'increase'
            else 'decrease'
        end as direction,
        trim(reasons.cause) as cause,
        nullif(replace(reasons.counter_connector, ',', ''), '') as counter_connector,
        nullif(trim(reasons.counter), '') as counter_cause,
        list_transform(regexp_extract_all(sentence_text, '\b(?:19|20)\d\d\b'), lambda named_year: named_year::integer)
            as named_years,
    from worded

),

placed as (

    select
        subjects.*,
        fact_matches.sentence_id is not null as is_verified,
        case
            when
                subjects.kpi_label not in ('cash_from_ops', 'eps')
                and not regexp_matches(subjects.subject, '(?i)^consolidated\b')
                then part_headings.part_name
        end as part_name,
    from subjects
    left join fact_matches
        on subjects.sentence_id = fact_matches.sentence_id
        and subjects.kpi_label = fact_matches.kpi_label
    left join part_headings
        on subjects.sentence_id = part_headings.sentence_id

),

named as (

    select
        *,
        -- "EMEA revenues" says itself that they are those of "Europe, Middle East & Africa"
        array_to_string(list_transform(regexp_extract_all(part_name, '\pL+'), lambda word: word[1]), '') as initials,
        if(
            contains(lower(subject), lower(part_name)) or list_contains(string_split(subject, ' '), initials),
            subject,
            concat_ws(' ', subject, '(' || part_name || ')')
        ) as named_subject,
    from placed

),

clear_statements as (

    select
        *,
        if(
            part_name is null,
            count(distinct sentence_id) over (partition by filing_id, lower(subject)),
            count(distinct sentence_id) over (partition by filing_id, lower(named_subject))
        ) as statement_count,
    from named
    where
        len(string_split(subject, ' ')) <= 9
        and not regexp_matches(
            subject,
            '(?i)\b(?:this|these|those|it|they|that|which|such|was|were|is|are|increase|decrease|decline|offset'
            || '|reflected|under|excluding|compared|quarter|both|periods?|basis|significantly|also)\b|\d|,'
        )
        and not regexp_matches(
            subject,
            '(?i)^segment |^net cash used$|^cost$'
            || '|\b(?:as|of|in|for|at|by|to|from|and|on|with|generated|derived|earned|recogni[sz]ed)$'
        )
        -- a heading run into the sentence: "Revenues Premiums increased", "Advertising Advertising revenue increased"
        and not regexp_matches(subject, '^(?i:revenues?|expenses?|income|sales|costs?|margins?) \p{Lu}')
        -- "Results of Operations Net sales increased"
        and not regexp_matches(
            subject, '\pL (?:Total|Net|Gross|Our|Operating|Consolidated|Capital|Interest|Cash|Diluted|Basic|Revenues?'
            || '|Sales|Cost|Costs|Income|Selling|Other) \p{Ll}'
        )
        and len(list_filter(string_split(lower(subject), ' '), lambda word: len(word) > 3))
        = len(list_distinct(list_filter(string_split(lower(subject), ' '), lambda word: len(word) > 3)))
        and not regexp_matches(
            subject, '^(?:\p{Lu}\S* ){1,3}(?:\p{Lu}\S*) \p{Ll}.*\b(?:expense|income|revenues?'
            || '|sales)$|\p{Lu}{3,} \p{Lu}{3,}'
        )
        and not regexp_matches(sentence_text, '(?i)\brespectively\b|\bquarter|\b(?:three|six|nine) months\b')
        -- one change per sentence
        and not regexp_matches(
            extent, '(?i)\b(?:increased|decreased|declined|grew|rose|fell|related|while|whereas|due|driven|offset'
            || '|reflect\w*|attribut\w*|result\w*)\b'
        )
        -- nothing but periods and amounts between the change and its reason
        and not regexp_matches(
            regexp_replace(extent, '(?i)\b(?:in|for|from|at|during) (?:{{ period }}|constant)', '', 'g'),
            '(?i)\b(?:in|for|within|across|outside|at)\b'
        )
        and not regexp_matches(
            reason, '[.] \p{Lu}|[:;]|^the (?:factors|items|reasons) |\b[IN](?:tem|ote) \d'
            || '|\bwhile (?:the|an?) (?:increase|decrease|decline|growth)\b|\b(?:above|below|herein)$'
            || '|\b(?:discussed|described|noted|covered|mentioned|explained|outlined|listed)\b.*\b(?:above|below'
            || '|herein|elsewhere|previously|earlier)\b|\b(?:previously|above|below)[- ]\w+ed\b'
        )
        and len(string_split(cause, ' ')) between 3 and 45
        -- dollars whose scale stands elsewhere ("in millions")
        and (not contains(cause, '$') or regexp_matches(cause, '(?i)thousand|million|billion|\bper\b'))
        -- of the report year: no year is named, or the latest one named beside the change is the report year
        and (
            len(regexp_extract_all(stated_subject || extent, '\b(?:19|20)\d\d\b')) = 0
            or list_max(list_transform(
                regexp_extract_all(stated_subject || extent, '\b(?:19|20)\d\d\b'),
                lambda named_year: named_year::integer
            )) = report_year
        )
        and coalesce(list_max(named_years), report_year) = report_year

),

final as (

    select
        clear_statements.sentence_id,
        clear_statements.filing_id,
        clear_statements.cik,
        clear_statements.company_name,
        clear_statements.report_year,
        clear_statements.section_id,
        clear_statements.kpi_label,
        clear_statements.subject,
        clear_statements.part_name,
        clear_statements.named_subject,
        clear_statements.direction,
        clear_statements.connector,
        clear_statements.cause,
        clear_statements.counter_connector,
        clear_statements.counter_cause,
        -- Reasons that each open with a word of change: "higher volumes, lower prices and an increase in fees" are
        -- three, "growth in sales and marketing" is one.
        case
            when regexp_matches(clear_statements.cause, '{{ embedding_words }}')
                then []
            else list_transform(
                    string_split(regexp_replace(clear_statements.cause, '{{ driver_boundary }}', '|\1', 'g'), '|'),
                    lambda driver: trim(driver, ' ,;')
                )
        end as drivers,
        clear_statements.statement_count,
        not clear_statements.is_of_a_part
        and (
            clear_statements.is_verified
            or clear_statements.kpi_label not in ('revenue', 'operating_income', 'gross_margin')
            or regexp_matches(clear_statements.subject, '(?i)^(?:total|consolidated)\b')
        ) as is_company_wide,
        regexp_matches(
            clear_statements.subject,
            '(?i)^(?:(?:total|net|gross|our|operating|consolidated|cost|costs|profit|margins?|income|earnings|loss|revenues?'
            || '|sales|expenses?|of|and|from|in|interest|cash) ?)+$'
        ) as is_plain_subject,
        clear_statements.text_hash,
        clear_statements.sentence_text,
    from clear_statements
    inner join kpi_phrases
        on clear_statements.sentence_id = kpi_phrases.sentence_id
        and clear_statements.kpi_label = kpi_phrases.kpi_label
        and contains(lower(clear_statements.subject), lower(kpi_phrases.matched_phrase))
        -- "Cost of software support revenues" is no revenue
        and not (
            kpi_phrases.kpi_label = 'revenue'
            and regexp_matches(clear_statements.subject, '(?i)\b(?:costs?|expenses?)\b')
        )
    -- the KPI that the subject names; of several the one with the longest phrase
    qualify row_number() over (
            partition by clear_statements.sentence_id
            order by len(kpi_phrases.matched_phrase) desc, clear_statements.kpi_label
        ) = 1

)

select * from final
