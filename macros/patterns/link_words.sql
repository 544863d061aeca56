{#
    Words between a KPI's phrase and an amount, as alternatives of a pattern that is matched without regard to case.

    which: verb, what links the amount to the phrase; parting, what parts it from the phrase before it; reason, what begins the
    reasons for a change or the parts of a sum; surpassing, what stands before the earlier figure of the same name; part, line
    and whole, what names a figure as of a part of the company, of a line of its business or of all of it; period; or figure,
    names of other figures, whose the amount then is.
#}
{% macro link_words(which) -%}
    {%- set words = {
        'verb': [
            'was', 'were', 'is', 'are', 'of', 'total(?:s|ed|ing|led|ling)?', 'amount(?:ed|s|ing)? to', 'reached', 'reported',
            'came (?:in )?(?:to|at)', 'equal(?:led|ed|s)?', 'to', 'at', 'exceed(?:ed|ing)', 'recorded', 'generated', 'consumed',
        ],
        'parting': [
            ';', '[.]\\s+[A-Z]', 'due to', 'because', 'result(?:ed|ing|s)? (?:from|in|of)', 'as a result', 'driven', 'primarily',
            'mainly', 'principally', 'attribut(?:able|ed) to (?:an?|the|our|its|higher|lower|increase\\w*|decrease\\w*)',
            'reflect\\w*', 'includ\\w+', 'exclud\\w+', 'compris\\w+', 'consist\\w*', 'offset', 'impact\\w*', 'affect\\w*',
            'relat\\w+', 'contribut\\w+', 'caused', 'associated', 'partially', 'excess of', 'less', 'plus', 'before', 'after',
            'of which', 'while', 'whereas', 'although', 'but', 'net of', 'compared', 'versus', 'vs', 'against', 'respect to',
            'through', 'account(?:s|ed|ing) for', 'represent\\w*', 'percent(?:age)? of', '% of', 'used to',
            'repa(?:y|id|yment)\\w*', 'purchas\\w+', 'acqui\\w+', 'redemptions?', 'secured', 'there (?:was|were)', 'prior to',
            'effects? of', 'pa(?:id|y|ying|yments?)', 'bearing', 'could', 'would', 'if', 'drove', 'drivers?', 'responsible',
            'reasons?', 'factors?', '(?:led|leads|leading) to', 'sources? of', 'explain\\w*',
        ],
        'reason': [
            'due to', 'because', 'driven(?: \\w+)? by', 'result(?:ed|ing|s)? (?:\\w+ )?from', 'as a result of',
            'attributable to (?:an?|higher|lower|(?:in|de)creas\\w+)', 'reflecting', 'includ\\w+', 'consist\\w* of',
            'compris\\w+', 'of which',
        ],
        'surpassing': [
            'over', 'above', 'against', 'exceed(?:s|ed|ing)', 'surpass(?:es|ed|ing)', 'follow(?:s|ed|ing)',
            'improv(?:es?|ed|ing|ement) (?:up)?on',
        ],
        'part': ['segments?', 'divisions?', 'subsidiar(?:y|ies)', 'business units?', 'product lines?', 'regions?'],
        'line': [
            'products?', 'services?', 'subscriptions?', 'licens(?:e|es|ing)', 'maintenance', 'support', 'hardware',
            'software', 'rental', 'advertising', 'royalt(?:y|ies)', 'interest', 'commissions?', 'franchise', 'leasing',
            'credits?', 'other', 'stores?', 'club', 'warehouse', 'fuel', 'gasoline', 'retail', 'wholesale', 'online',
            'commerce', 'merchandise', 'vehicle', 'international', 'domestic', 'foreign', 'export', 'memberships?', 'fees?',
            'consulting', 'training', 'hosting', 'passenger', 'cargo', 'freight',
        ],
        'whole': [
            'total', 'consolidated', 'combined', 'aggregate', 'overall', 'worldwide', 'global', 'annual', 'quarterly', 'all',
            'reported', 'actual', 'adjusted', 'gaap', 'record', 'group', 'company', 'corporation', 'corp[.]?', 'inc[.]?',
            'co[.]?', 'llc', 'l[.]?p[.]?', 'continuing', 'external', 'operations', 'operating activities', 'customers',
            'contracts with', 'accounting',
        ],
        'period': [
            'fiscal', 'calendar', 'years?', 'quarters?', 'months?', 'weeks?', 'half', 'periods?', 'first', 'second', 'third',
            'fourth', 'last', 'prior', 'previous', 'same', 'current', 'latter', 'full', 'comparison', 'q\\d', 'january',
            'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december',
        ],
        'figure': [
            'costs?', 'expenses?', 'income', 'loss(?:es)?', 'earnings', 'profits?', 'margins?', 'revenues?', 'sales', 'tax(?:es)?',
            'assets?', 'liabilit\\w+', 'cash', 'charges?', 'gains?', 'dividends?', 'ebitda', 'impairments?', 'depreciation',
            'amortization', 'backlog', 'orders?', 'bookings', 'deficit', 'equity', 'capital', 'inventor\\w+', 'receivables?',
            'payables?', 'interest', 'debt', 'borrowings', 'notes', 'proceeds', 'fees?', 'royalt\\w+', 'premiums?', 'deposits?',
            'loans?', 'rates?', 'prices?', 'compensation', 'reserves?', 'provisions?', 'eps', 'settlements?', 'credits?',
        ],
    } -%}
    {{- words[which] | join('|') -}}
{%- endmacro %}

{# "Of our Retail segment": of a part of the company, without regard to case. #}
{% macro of_a_part() -%}
    (?:of|in|from|for|by|at|within)\s(?:(?:the|our|its)\s(?:[\w&,’/-]+\s){1,6}?|(?:the|this|that)\s) {#- -#}
    (?:{{ link_words('part') }})\b
{%- endmacro %}

{# What reads like a part and is of a period or of all of the company: " in fiscal 2020", " from continuing operations". #}
{% macro in_a_period() -%}
    (?i)^\s(?:\w+ly\s)?(?:from|in|for|of|by|at|under)\s(?:(?:the|our|its|this)\s)?(?:{{ link_words('period') }} {#- -#}
    |{{ link_words('whole') }}|[a-z.]+ dollars)\b
{%- endmacro %}

{# What says of a figure that it is expected, as alternatives of a pattern: "we expect", "is anticipated", "will total". #}
{% macro expectations() -%}
    {%- set expected = '(?:expected|anticipated|estimated|projected|planned|budgeted|forecast(?:ed)?)' -%}
    {{ [
        '(?:we|company|corporation|management|it)(?: \\w+ly| also| now)? ' ~
        '(?:expects?|anticipates?|estimates?|projects?|plans?|intends?|forecasts?|budgets?)',
        '(?:is|are) (?:\\w+ly )?' ~ expected, expected ~ ' (?:to|capital)',
        'will (?:be|total|spend|approximate|exceed|require|have)',
    ] | join('|') }}
{%- endmacro %}
