{#
    How a sentence says that something rose or fell, as alternatives of a pattern that is matched without regard to case.
    finrag.text.directions has them for Python; tests/python/test_directions.py holds the two against each other.

    which: increase, decrease, or noun, what stands before "of $5 million" or after "a 5%".
#}
{% macro change_words(which) -%}
    {%- set words = {
        'increase': [
            'increas(?:e|es|ed|ing)', 'grew', 'grow(?:s|n|ing)?', 'growth', 'rose', 'rise[ns]?', 'rising', 'higher',
            'greater', 'improv(?:e|es|ed|ing|ements?)', 'expan(?:ded|sion)', 'up',
            '(?:positively|favorably) (?:impacted|affected)',
        ],
        'decrease': [
            'decreas(?:e|es|ed|ing)', 'declin(?:e|es|ed|ing)', 'fell', 'fall(?:s|en|ing)?', 'dropp?(?:ed|s)?',
            'reduc(?:e|es|ed|ing|tions?)', 'lower(?:ed|ing)?', 'contract(?:ed|ion)', 'down', 'deteriorat(?:ed|ion)',
            '(?:negatively|adversely|unfavorably) (?:impacted|affected)',
        ],
        'noun': [
            'increases?', 'decreases?', 'declines?', 'growth', 'reductions?', 'improvements?', 'drops?', 'rise',
            'changes?', 'higher', 'lower', 'greater',
        ],
    } -%}
    {{- words[which] | join('|') -}}
{%- endmacro %}
