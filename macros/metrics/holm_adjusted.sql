{#
    Two CTEs, `numbered` and `holm`: the rows of a relation with p_holm. Holm (1979) holds the chance of one wrong
    "significant" in a family to 5 %: of m p-values in ascending order the i-th is multiplied by m - i + 1, is at least
    the one before, and at most 1.
#}
{% macro holm_adjusted(relation) -%}
numbered as (

    select
        *,
        count(*) over (partition by family) as family_size,
        row_number() over (partition by family order by p_value, comparison_id, stratum) as p_rank,
    from {{ relation }}

),

holm as (

    select
        *,
        least(
            1.0,
            max(p_value * (family_size - p_rank + 1)) over (
                partition by family
                order by p_rank
                rows between unbounded preceding and current row
            )
        ) as p_holm,
    from numbered

)
{%- endmacro %}
