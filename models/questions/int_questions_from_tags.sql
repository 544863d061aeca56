-- Question candidates whose answer is a figure that the filer tagged, of the fiscal year of its filing. The tag is in no
-- text: neither a retriever nor a model sees it.
-- A tagged: a figure of the company.     A tagged_part: of a segment, a product or service, or a region.
-- D tagged_change: its change since the year before.     F tagged_parts: the figures of all parts, as a list.
-- J absent_concept: a figure that two other filers of the year tag and this one does not, nor names in words.
{#- Words of a concept that say what its figure is, beside those of which a row's label must have one to say the same.
    "Operating leases" under "Weighted average discount rate" is a rate, "Accounts receivable" under "Changes in" a change. -#}
{%- set quantities = {
    'accumulated (?:amortization|depreciation)': 'accumulated',
    'business (?:acquisition|combination)': 'acqui|combination|consideration|purchase',
    'comprehensive income': 'adjust|comprehensive|reclassif|translation|unrealized',
    'contract with customer liability': 'contract|deferred|prepaid|unearned',
    'deferred tax (?:assets?|liabilit)': 'deferred tax|valuation allowance',
    'defined benefit': 'benefit|health|pension|retire',
    'derivative': 'contract|derivative|hedg|swap',
    'discontinued|disposal group': 'discontinued|disposal|divest|held for sale|separation',
    '(?:increase|period increase) decrease': 'change|decrease|increase',
    'incremental': 'dilut|incremental',
    'income tax': 'provision|tax',
    'interest expense': 'interest',
    '(?:finance|financing|operating|sales type) leas': 'lease|right[- ]of[- ]use',
    'obtained in exchange': 'exchange|obtained',
    '^proceeds': 'borrow|disposal|issu|maturit|proceeds|receipt|sales?|sold',
    '^payments|payments?(?: on liability)?$|paid(?: net)?$':
        'acqui|buy|distribut|dividend|expenditures?|flow|incurred|outflow|paid|pay|purchase|repurchase|settle',
    'percent|rate|yield': 'percent|rate|volatility|yield',
    'reconciliation': 'rate|reconcil',
    '^revenue|revenues?$': 'cost|expense|fees|revenue|sales',
    'unrecognized tax': 'tax|unrecognized',
    'weighted average': 'average|price|shares',
} %}
with

fact_sentences as (

    select * from {{ ref('int_fact_sentences') }}

),

dim_filings as (

    select * from {{ ref('dim_filings') }}

),

table_cells as (

    select * from {{ ref('fct_table_cells') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

part_names as (

    select * from {{ ref('int_tagged_part_names') }}

),

dated_facts as (

    select
        fact_sentences.*,
        table_cells.row_label,
        trim(regexp_replace(
            regexp_extract(table_cells.row_label, '([^>]+)$', 1),
            '(?i)(?:\s|\([^)]*\)|\d|[:*†]|, net of\b.*'
            || '|,? (?:at (?:the )?end of|during|for) (?:the )?(?:period|year)\b)*$', ''
        )) as row_text,
        row_text ilike 'total _%' as is_total,
        if(is_total, upper(row_text[7]) || row_text[8:], row_text) as row_name,
        -- what a concept is called in words; figures below zero are not asked for, so that one with two signs is its first
        regexp_replace(
            regexp_replace(
                fact_sentences.label,
                '(?i) from contract with customer,? (?:ex|in)cluding assessed tax\b| net(?: of tax)?$',
                ''
            ),
            '(?i)\b(expense|gains?|income|increase|profit|provided by) (?:benefit|decrease|loss(?:es)?|used in)\b',
            '\1'
        ) as concept_name,
        -- beside figures of other concepts a row's label says only half of what each of them is
        count(distinct fact_sentences.concept) over (
            partition by table_cells.table_id, table_cells.row_no, fact_sentences.period_end
        ) = 1 as is_row_of_one_concept,
        {{ fiscal_year_of('dim_filings.period_end') }} = dim_filings.report_year
        and fact_sentences.period_end between dim_filings.period_end - interval 10 days
        and dim_filings.period_end + interval 10 days as is_of_year,
        fact_sentences.period_end between dim_filings.period_end - interval 376 days
        and dim_filings.period_end - interval 354 days as is_of_year_before,
    from fact_sentences
    inner join dim_filings
        on fact_sentences.filing_id = dim_filings.filing_id
    left join table_cells
        on fact_sentences.cell_id = table_cells.cell_id
    where
        fact_sentences.period_start is null
        or date_diff('day', fact_sentences.period_start, fact_sentences.period_end) between 350 and 380

),

-- What the filer calls a concept: the label of its rows of the year that can stand alone, of several the one of most rows.
-- One under a label that ends in "for" cannot ("Cash paid during the year for > Income taxes"), nor one whose brackets turn
-- the tag's sign. A label of several concepts names the one that it names most often, and none where two are even.
row_labels as (

    select
        filing_id,
        concept,
        label,
        concept_name,
        row_name,
        -- "Total amortization expense" of the years to come is what a balance ends in
        bool_or(
            is_total
            and period_start is null
            and regexp_matches(row_name, '(?i)\b(?:charges|compensation|costs?|expenses?|income|payments|revenues?|sales)$')
        ) as is_of_years_to_come,
        count(*) as row_count,
    from dated_facts
    where
        dimensions is null
        and is_of_year
        and is_row_of_one_concept
        and not regexp_matches(row_label, '(?i)\b(?:as|by|for|from|in|of|on|to|with):?\s*>[^>]*$')
    group by filing_id, concept, label, concept_name, row_name
    having bool_and({{ asked_as_printed('row_name', 'row_label') }})

),

names_that_stand_alone as (

    select * from row_labels
    where
        regexp_matches(row_name, '^\p{Lu}\pL+(?:[ -](?:\pL|&)[\pL’'']*){0,7}$')
        and not regexp_matches(row_name, '(?i)\b(?:beginning|ending)\b')
        and (
            -- the words of the concept, or two and more that can do without what they stand under
            {{ name_stems('row_name') }} = {{ name_stems("concept_name") }}
            or (
                contains(row_name, ' ')
                and not is_of_years_to_come
                and not regexp_matches(
                    row_name,
                    '(?i)^(?:other|all other|less|plus|add|basic|diluted|current|deferred|domestic|foreign|federal'
                    || '|state|balances?|end|level|due|change|effect|impact|amounts?|less than)\b'
                    || '|\b(?:months|thereafter|other|total|and|of|on|in|for)$'
                )
            )
        )
        {%- for words, needed in quantities.items() %}
            and (
                not regexp_matches(label, '(?i)\b(?:{{ words }})')
                or regexp_matches(row_name, '(?i)\b(?:{{ needed }})')
            )
        {%- endfor %}
    qualify
        row_count = max(row_count) over (partition by filing_id, lower(row_name))
        and count(*) over (partition by filing_id, lower(row_name), row_count) = 1

),

row_names as (

    select * from names_that_stand_alone
    qualify row_number() over (partition by filing_id, concept order by row_count desc, row_name) = 1

),

-- The words of every sentence and row that states a fact: a concept's name in words, which no reader of the filing knows, is
-- asked for only where they stand there.
fact_words as (

    select
        fact_sentences.fact_id,
        {{ name_stems("string_agg(sentences.sentence_text, ' ')") }} as words,
    from fact_sentences
    inner join sentences
        on fact_sentences.sentence_id = sentences.sentence_id
    group by fact_sentences.fact_id

),

facts as (

    select
        dated_facts.*,
        row_names.row_name is not null as is_own_name,
        lower(case
            when row_names.row_name is not null and (dated_facts.dimensions is null or dated_facts.cell_id is not null)
                then row_names.row_name
            when list_has_all(fact_words.words, {{ name_stems('row_names.row_name') }})
                then row_names.row_name
            when list_has_all(fact_words.words, {{ name_stems('dated_facts.concept_name') }})
                then dated_facts.concept_name
        end) as kpi_name,
        dated_facts.period_start is null as is_instant,
        concat(
            if(dated_facts.unit like 'USD%', '$', ''),
            dated_facts.value_text,
            case dated_facts.scale when 3 then ' thousand' when 6 then ' million' when 9 then ' billion' else '' end,
            case dated_facts.unit when '%' then '%' when 'shares' then ' shares' else '' end
        ) as raw_text,
    from dated_facts
    left join row_names
        on dated_facts.filing_id = row_names.filing_id
        and dated_facts.concept = row_names.concept
    left join fact_words
        on dated_facts.fact_id = fact_words.fact_id
    where
        dated_facts.unit in ('USD', 'USD per share', 'shares', '%')
        and dated_facts.value > 0
        and regexp_matches(dated_facts.value_text, '^\d[\d,.]*$')
        and not starts_with(dated_facts.concept, 'dei:')
        and dated_facts.sentence_kind != 'written_row'

),

-- What goes by nearly the same name and is stated to more digits elsewhere is not asked for: of "3,200" million in one
-- statement and "3,183" in another both answer.
coarser_facts as (

    select distinct one.fact_id
    from facts as one
    inner join facts as other
        on one.filing_id = other.filing_id
        and one.unit = other.unit
        and one.dimensions is not distinct from other.dimensions
        and one.period_start is not distinct from other.period_start
        and one.period_end = other.period_end
    where
        (
            starts_with(one.kpi_name || ' ', other.kpi_name || ' ')
            or starts_with(other.kpi_name || ' ', one.kpi_name || ' ')
            or starts_with(lower(other.row_name) || ' ', one.kpi_name || ' ')
        )
        and other.printed_rounding < one.printed_rounding
        and abs(other.value - one.value) > one.rounding
        and abs(other.value - one.value) <= one.printed_rounding

),

-- One sentence of each fact stands for all that carry it: prose before a row of a table, the shorter first.
levels as (

    select
        facts.*,
        part_names.part_kind,
        case
            when facts.dimensions is null then 'whole'
            when part_names.part_name is not null then 'part'
        end as extent,
        part_names.part_name,
        if(extent = 'part', kpi_name || ' (' || part_kind || ': ' || part_name || ')', kpi_name) as full_name,
    from facts
    left join part_names
        on facts.fact_id = part_names.fact_id
    anti join coarser_facts
        on facts.fact_id = coarser_facts.fact_id
    where
        (is_of_year or is_of_year_before)
        and extent is not null
        and len(string_split(kpi_name, ' ')) <= 8
        and rounding <= {{ setting('question_max_relative_tolerance') }} * value
        and {{ asked_as_printed('kpi_name', 'row_label') }}
    qualify row_number() over (
            partition by filing_id, concept, dimensions, is_of_year
            order by sentence_kind not in ('prose', 'list_item'), word_count, sentence_id
        ) = 1

),

-- Two concepts of one name, or one figure under two names, cannot be told apart.
asked as (

    select * from levels
    where is_of_year
    qualify
        count(*) over (partition by filing_id, full_name) = 1
        and row_number() over (partition by filing_id, value, unit, extent order by concept, dimensions) = 1

),

level_questions as (

    select
        'A_tagged_' || fact_id as candidate_id,
        'A' as category,
        if(extent = 'part', 'tagged_part', 'tagged') as shape,
        'tags_' || filing_id as bundle_id,
        full_name as topic_label,
        'medium' as difficulty,
        'numeric' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        -- what the filer itself calls it reads better than a concept's name
        is_own_name::integer + (sentence_kind in ('prose', 'list_item'))::integer as quality,
        value as answer_numeric,
        unit as answer_unit,
        rounding as tolerance,
        [fact_id] as fact_ids,
        json_object('kpi_name', full_name, 'raw_text', raw_text, 'is_instant', is_instant) as details,
    from asked

),

year_pairs as (

    select
        later.*,
        earlier.fact_id as earlier_fact_id,
        earlier.sentence_id as earlier_sentence_id,
        earlier.raw_text as earlier_text,
        earlier.value as earlier_value,
        earlier.rounding + later.rounding as change_tolerance,
    from asked as later
    inner join levels as earlier
        on later.filing_id = earlier.filing_id
        and later.concept = earlier.concept
        and later.dimensions is not distinct from earlier.dimensions
        and later.unit = earlier.unit
        and later.scale = earlier.scale
        and earlier.is_of_year_before
    where
        later.unit = 'USD'
        and abs(later.value - earlier.value) > 2 * (earlier.rounding + later.rounding)

),

change_questions as (

    select
        'D_tagged_change_' || fact_id as candidate_id,
        'D' as category,
        'tagged_change' as shape,
        'tags_' || filing_id as bundle_id,
        full_name as topic_label,
        'medium' as difficulty,
        'numeric' as answer_type,
        [cik] as cik_ints,
        [report_year - 1, report_year] as years,
        list_sort(list_distinct([earlier_sentence_id, sentence_id])) as evidence_ids,
        is_own_name::integer as quality,
        round(value - earlier_value, 4) as answer_numeric,
        unit as answer_unit,
        change_tolerance as tolerance,
        [earlier_fact_id, fact_id] as fact_ids,
        json_object(
            'kpi_name', full_name, 'earlier_text', earlier_text, 'later_text', raw_text,
            'earlier_value', earlier_value, 'later_value', value
        ) as details,
    from year_pairs

),

-- The parts of a list are all of them and none twice where they add up to the figure of the company.
wholes as (

    select distinct
        filing_id,
        concept,
        period_start,
        period_end,
        unit,
        value,
        rounding,
    from fact_sentences
    where dimensions is null

),

part_lists as (

    select
        filing_id,
        concept,
        part_kind,
        period_start,
        period_end,
        unit,
        any_value(kpi_name) as kpi_name,
        any_value(cik) as cik,
        any_value(report_year) as report_year,
        bool_or(is_own_name) as is_own_name,
        list_sort(list_distinct(list(sentence_id))) as evidence_ids,
        list(fact_id order by value desc, part_name) as fact_ids,
        list(part_name || ': ' || raw_text order by value desc, part_name) as items,
        sum(value) as value,
        sum(rounding) as rounding,
    from asked
    where
        extent = 'part'
        and unit = 'USD'
    group by filing_id, concept, part_kind, period_start, period_end, unit
    having count(*) between 2 and 6 and count(distinct kpi_name) = 1

),

parts_questions as (

    select distinct
        concat_ws('_', 'F_tagged_parts', part_lists.filing_id, part_lists.concept, part_lists.part_kind) as candidate_id,
        'F' as category,
        'tagged_parts' as shape,
        'tags_' || part_lists.filing_id as bundle_id,
        part_lists.kpi_name as topic_label,
        'medium' as difficulty,
        'list' as answer_type,
        [part_lists.cik] as cik_ints,
        [part_lists.report_year] as years,
        part_lists.evidence_ids,
        part_lists.fact_ids,
        part_lists.is_own_name::integer as quality,
        json_object(
            'kpi_name', part_lists.kpi_name, 'part_kind', part_lists.part_kind, 'items', part_lists.items
        ) as details,
    from part_lists
    inner join wholes
        on part_lists.filing_id = wholes.filing_id
        and part_lists.concept = wholes.concept
        and part_lists.unit = wholes.unit
        and part_lists.period_start is not distinct from wholes.period_start
        and part_lists.period_end = wholes.period_end
    where abs(part_lists.value - wholes.value) <= part_lists.rounding + wholes.rounding + 1e-9 * wholes.value

),

-- Concepts that at least two filers of a year tag, under one name.
usual_concepts as (

    select
        report_year,
        concept,
        mode(kpi_name) as kpi_name,
        {{ word_set('mode(kpi_name)') }} as name_words,
    from asked
    where
        extent = 'whole'
        and is_own_name
    group by report_year, concept
    having
        count(distinct cik) >= 2
        and count(distinct kpi_name) = 1

),

-- Of a filing whose statements stand in an exhibit few facts are there, and nothing is proved absent.
tagging_filings as (

    select
        cik,
        report_year,
        filing_id,
    from fact_sentences
    group by cik, report_year, filing_id
    having count(distinct fact_id) >= {{ setting('question_min_tagged_facts') }}

),

filer_names as (

    select distinct
        cik,
        {{ word_set('kpi_name') }} as name_words,
    from facts

    union

    select distinct
        cik,
        {{ word_set('label') }} as name_words,
    from fact_sentences

),

absent_concepts as (

    select
        tagging_filings.*,
        usual_concepts.concept,
        usual_concepts.kpi_name,
    from tagging_filings
    inner join usual_concepts
        on tagging_filings.report_year = usual_concepts.report_year
    where
        not exists (
            select 1
            from fact_sentences
            where
                fact_sentences.cik = tagging_filings.cik
                and fact_sentences.concept = usual_concepts.concept
        )
        -- nor one that goes by half of the words
        and not exists (
            select 1
            from filer_names
            where
                filer_names.cik = tagging_filings.cik
                and 2 * len(list_intersect(filer_names.name_words, usual_concepts.name_words))
                >= len(usual_concepts.name_words)
        )
        and not exists (
            select 1
            from sentences
            where
                sentences.filing_id = tagging_filings.filing_id
                and contains(lower(sentences.sentence_text), usual_concepts.kpi_name)
        )

),

absent_questions as (

    select
        'J_absent_concept_' || filing_id || '_' || concept as candidate_id,
        'J' as category,
        'absent_concept' as shape,
        'tags_' || filing_id as bundle_id,
        kpi_name as topic_label,
        'easy' as difficulty,
        'no_answer' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        []::varchar[] as evidence_ids,
        1 as quality,
        json_object('kpi_name', kpi_name) as details,
    from absent_concepts

),

united as (

    select * from level_questions

    union all by name

    select * from change_questions

    union all by name

    select * from parts_questions

    union all by name

    select * from absent_questions

),

final as (

    select
        *,
        null::boolean as answer_boolean,
    from united

)

select * from final
