{#
    The names of what is below zero and of what is above, as alternatives of a pattern that is matched without regard to case:
    "net loss", "cash used in operations". finrag.text.directions has them for Python; tests/python/test_directions.py holds
    the two against each other.

    which: loss or gain.
#}
{% macro loss_words(which) -%}
    {%- set words = {
        'loss': ['loss(?:es)?', 'deficit', 'outflows?', 'used', 'consumed', 'negative'],
        'gain': ['income', 'earnings', 'eps', 'profits?', 'provided', 'generated', 'inflows?'],
    } -%}
    {{- words[which] | join('|') -}}
{%- endmacro %}
