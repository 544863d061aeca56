{# Themes of Item 7 in the order of a summary, and last the general one; finrag.tasks.summarise_mdna asks for them. #}
{% macro summary_themes() -%}
    {{ return([
        'overview_of_financial_results', 'liquidity_and_capital_resources', 'results_of_operations',
        'critical_accounting_estimates', 'trends_and_outlook', 'business_risks_and_uncertainties', 'planned_actions',
        'future_goals', 'general',
    ]) }}
{%- endmacro %}
