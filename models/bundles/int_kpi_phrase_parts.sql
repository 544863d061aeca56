-- Whether a KPI's phrase names the figure of a part of the company.
-- By the words around it: of a segment ("In the Retail segment, revenue was"), of a name with a capital ("Retail revenue",
-- "revenue in Europe"), of a line of business ("product revenue", "revenue from repairs", "sales of soap") or of whatever
-- another word before it says ("hair care sales"), or revenue that had been deferred.
-- Or by the list that it stands in: three items of a filing that open with the KPI and its change ("• Gross margin increased
-- $9 billion", "• Gross margin increased $7 billion") tell each of another part, for of the whole company a report compares
-- two pairs of years at most.
{#- No currency: "of US$5 million", "of EUR 5 million". -#}
{%- set in_a_place -%}
    ^\s(?:from|in|for|of|by|at|outside)\s(?:(?:the|our)\s)?[A-Z][A-Za-z.&’''/-]*(?:-\d+)?,?\s[^\d$€£(]
{%- endset -%}
{#- What follows a figure's name at once: "in our retail business", "of consolidated VIEs". -#}
{%- set of_a_business -%}
    (?i)^\s(?:(?:of|in|from|for|by|at|within)\s(?:the|our|its)\s(?:[\w&,’/-]+\s){1,4}?business(?:es)? {#- -#}
    |(?:of|from|by)\s(?:(?:the|our|its)\s)?(?:(?:un)?consolidated\s)? {#- -#}
    (?:VIEs|variable interest|joint ventures?|affiliates|investees|subsidiaries))\b
{%- endset -%}
{#- "• Sales", "2015 vs. 2014 - • Sales - Sales". -#}
{%- set opens_an_item -%}
    ^(?:\d{4} vs[.] \d{4} [–—-] )?\s*[•●▪◦–—-]\s*(?:[A-Z][a-z]+(?: [a-z]+)? [–—-] )?$
{%- endset -%}
{%- set changes -%}
    (?i)^[^.;\d$]*?\b(?:{{ change_words('increase') }}|{{ change_words('decrease') }})\b
{%- endset -%}
{#- "In Europe, the Middle East & Africa, net sales", "Outside the U.S., our sales". -#}
{%- set behind_a_place -%}
    (?:^|[.:•–—-]\s*)(?:In|Outside) (?:of )?(?:the )?(?:U[.]S[.]|[A-Z][^.;:\d$]*), (?:(?:our|the|total) )?$
{%- endset -%}
{%- set behind_a_period = '(?i)\\bin (?:the )?(?:' ~ link_words('period') ~ '|' ~ link_words('whole') ~ ')\\b' -%}
{%- set of_the_total = '(?i)^\\sfor\\stotal\\s(?:' ~ link_words('figure') ~ '|' ~ link_words('whole') ~ ')\\b' -%}
{#- "LinkedIn contributed revenue", "Pulmonary Hypertension products achieved sales"; not "our products achieved sales". -#}
{%- set contributed_by -%}
    \bcontributed\s(?:total\s)?$ {#- -#}
    |\b[A-Z][\w/&®™’''-]+ (?:products|franchise|brands) (?:achieved|had|recorded|generated|reported|posted) (?:an? )?$
{%- endset -%}
{%- set of_all_products = '\\b(?:Our|The|These|Its|All|Total|Such) (?:products|franchise|brands) ' -%}
{#- Before a figure's name these say how much or when, or join it to its sentence; another word says of what it is. "Sales
    and other revenue" is all of it. -#}
{%- set no_part = [
    link_words('whole'), link_words('period'), link_words('surpassing'), 'an?|the|our|its|these|both|that|which|any|no|some',
    'in|for|as|of|on|to|at|by|from|than|versus|between|during|after|before|under|with|without|into|and|or|if|while|although',
    'because|since|when|where|despite|had|has|have|was|were|is|are|made|\\w+ly|[a-z]+ed|(?:in|de)creasing|includ\\w+|exclud\\w+',
    'high(?:er)?|low(?:er)?|strong(?:er)?|more|less|additional|incremental|organic|growing|rising|declining|positive|negative',
    '(?:sales|revenues?) and other|generating|producing|average|cash|currency|dollars?|(?:thous|mill|bill)\\w+',
] | join('|') %}
with

kpi_phrases as (

    select * from {{ ref('int_kpi_phrases') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

phrases as (

    select
        *,
        substr(sentence_text, phrase_pos, phrase_end - phrase_pos) as phrase,
        regexp_extract(lower(phrase), '^\w+') as first_word,
        substr(sentence_text, greatest(1, phrase_pos - 60), least(60, phrase_pos - 1)) as text_before_phrase,
        substr(sentence_text, phrase_end, 80) as text_after_phrase,
    from kpi_phrases

),

items_of_parts as (

    select
        sentence_id,
        kpi_label,
    from phrases
    where
        kpi_label in ('revenue', 'operating_income', 'gross_margin')
        and regexp_matches(text_before_phrase, '{{ opens_an_item }}')
        and regexp_matches(phrase || text_after_phrase, '{{ changes }}')
    qualify count(distinct sentence_text) over (partition by filing_id, kpi_label, first_word) >= 3

),

named_phrases as (

    select
        *,
        -- "net product revenue" and "patient service revenue" are all of it where these are the business
        regexp_replace(
            text_before_phrase, '(?i)(?:(?:net (?:product|service)|patient service|net|gross|operating)\s)+$', ''
        ) as text_before_name,
        substr(text_before_phrase || phrase, length(text_before_name) + 1) as name,
        case
            when kpi_label in ('debt', 'eps') then false
            when
                regexp_matches(
                    text_before_name,
                    '(?:\b(?:In|For|Within) (?:the|our|its) [^,.;]+ (?i:{{ link_words('part') }}),'
                    || '|\b(?i:{{ link_words('part') }})(?:[’'']s?)?'
                    || '(?: (?:had|has|reported|recorded|generated|posted|achieved|contributed|produced|earned|with))?)'
                    || '\s(?:(?:an?|total|external|product|net)\s){0,2}$'
                )
                then true
            -- "In our hardware business, the decrease in revenues", "our cloud and license business’ total revenues"
            when
                regexp_matches(
                    text_before_name,
                    '\b(?:In|For|Within) (?:the|our|its) [^,.;]+ business(?:es)?,(?: [^.;]*)?\s$'
                    || '|(?i:\b(?:the|our|its) (?:[a-z][\w&,-]* ){1,5}business(?:es)?[’'']s? (?:total )?$)'
                )
                then true
            when regexp_matches(text_after_phrase, '(?i)^(?:[^.;$\d]*?\s)??{{ of_a_part() }}') then true
            when regexp_matches(text_after_phrase, '{{ of_a_business }}') then true
            -- "recognized revenue of $5 million that was included in deferred revenue": what of it had been deferred
            when
                kpi_label = 'revenue'
                and regexp_matches(text_before_phrase, '(?i)\brecogni[sz]ed\b')
                and regexp_matches(
                    substr(sentence_text, phrase_end),
                    '(?i)\b(?:that|which) (?:had|was|were)\b.*\b(?:deferred|unearned|contract liab)'
                )
                then true
            -- "operating cash flow at Studio Entertainment", "capital expenditures at our parks"
            when
                kpi_label in ('cash_from_ops', 'net_income', 'capex')
                and regexp_matches(text_after_phrase, '^\sat\s(?:(?:our|its)\s[a-z]|[A-Z])')
                then not regexp_matches(text_after_phrase, '{{ in_a_period() }}')
            when kpi_label not in ('revenue', 'operating_income', 'gross_margin', 'capex') then false
            when regexp_matches(text_before_name, '{{ behind_a_place }}')
                then not regexp_matches(text_before_name, '{{ behind_a_period }}')
            when regexp_matches(text_before_name, '{{ contributed_by }}')
                then not regexp_matches(text_before_name, '{{ of_all_products }}')
            -- the company's own name stands before its figures with an ’s, as do names of parts
            when
                regexp_matches(name, '^[a-z]')
                and regexp_matches(text_before_name, '(?:^|[\s(•])[A-Z][\w&.-]*[)]?\s$')
                and not regexp_matches(text_before_name, '(?i)\b(?:{{ no_part }})\s$')
                then true
            when kpi_label = 'capex' then false
            -- "Building Products - Net sales increased": an item of a list
            when regexp_matches(text_before_name, '^[•\W]*(?:[A-Z][\w&’.,-]*\s|and\s|of\s){1,6}[–—-]\s$') then true
            -- "hair care net sales", "the fertilizer business’ net sales": what stands before the name says of what
            when
                regexp_matches(name, '^[a-z]')
                and regexp_matches(text_before_name, '(?:^|[\s(•])[a-z][\w&-]*[’'']?\s$')
                and not regexp_matches(text_before_name, '(?i)\b(?:{{ no_part }})\s$')
                then true
            -- "gross margin for total automotive", not "for total net sales"
            when regexp_matches(text_after_phrase, '(?i)^\sfor\stotal\s[a-z]')
                then not regexp_matches(text_after_phrase, '{{ of_the_total }}')
            when regexp_matches(text_after_phrase, '{{ in_a_place }}')
                then not regexp_matches(text_after_phrase, '{{ in_a_period() }}')
            when kpi_label = 'operating_income' then false
            when
                regexp_matches(
                    name,
                    '(?i)^(?:{{ link_words('line') }}|U[.]?S[.]?|AWS)\s|^sales of [a-z]|^sales (?:in|outside) the U[.]S[.]'
                )
                then not regexp_matches(name, '(?i)^sales of (?:approximately|about|over|nearly)')
            when regexp_matches(text_before_name, '(?i)\b(?:{{ link_words('line') }})\s$')
                then not regexp_matches(text_before_name, '(?i)\b(?:{{ no_part }})\s$')
            else
                regexp_matches(
                    text_after_phrase,
                    '(?i)^\s(?:\w+ly\s)?(?:from|of|under|relat(?:ed|ing) to|associated with)\s'
                    || '(?:(?:an?|the|our|its|this)\s)?[a-z]'
                )
                and not regexp_matches(text_after_phrase, '{{ in_a_period() }}')
                and not regexp_matches(
                    text_after_phrase,
                    '(?i)^\sof\s(?:(?:\w+ly|about|over|almost|up|more|less|at|just|only|between|as)\b|[a-z]{1,3}\s?[$€£\d])'
                )
        end as is_of_a_part,
    from phrases

),

final as (

    select
        sentence_id,
        kpi_label,
        phrase_pos,
        filing_id,
        is_of_a_part or (sentence_id, kpi_label) in (from items_of_parts) as is_of_a_part,
    from named_phrases

)

select * from final
