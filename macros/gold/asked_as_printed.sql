{#
    Whether a figure above zero by its tag is one as its row or sentence prints it. What goes out or is taken off stands in
    brackets in many a statement and is asked for without them: "Purchases of equipment (743)". Of what has two signs, or
    one that no word gives, the brackets turn the tag's: "Gains (losses) (192)" is a loss of 192.
#}
{% macro asked_as_printed(name, row_label) -%}
    {%- set taken_off = [
        'accumulated', 'allowances?', 'costs?', 'deductions?', 'dividends', 'expenditures?', 'expenses?', 'less', 'paid',
        'payments?', 'provision', 'purchases?', 'repayments?', 'repurchases?', 'retirements?', 'settlements?', 'treasury',
        'withh[eo]ld\w*',
    ] -%}
    {%- set second_side = [
        'benefits?', 'credits?', 'decreases?', 'deficit', 'expenses?', 'gains?', 'income', 'increases?', 'loss(?:es)?',
        'provided', 'provision', 'recover(?:y|ies)', 'reductions?', 'used',
    ] -%}
    (
        not is_in_brackets
        or (
            regexp_matches({{ name }}, '(?i)\b(?:{{ taken_off | join('|') }})\b')
            and not regexp_matches({{ name }}, '(?i)\b(?:accrued|payables?|prepaid|receivables?)\b')
            and not coalesce(
                regexp_matches({{ row_label }}, '(?i)\([^)]*\b(?:{{ second_side | join('|') }})\b'), false
            )
        )
    )
{%- endmacro %}
