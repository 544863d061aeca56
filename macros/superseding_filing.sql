{#
    The filing that speaks for its company, year and topic where several do: an amendment that states the topic has taken the
    place of what it amends, so that figures of before and after do not stand side by side.
#}
{% macro superseding_filing() -%}
    first_value(filing_id) over (
        partition by cik, report_year, topic_label
        order by ends_with(split_part(filing_id, '_', 2), '/A') desc, split_part(filing_id, '_', 2)
    )
{%- endmacro %}
