-- What a judge is given to read a summary against: the source where the data set has it, the reference where it has
-- that, both where it has both, each as a pair of its own.
with

summaries as (

    select * from {{ ref('int_calibration_summaries') }}

),

pairs as (

    {%- for text in ['source', 'reference'] %}
        select
            summary_id,
            '{{ text }}' as compared_with,
            md5(concat_ws('|', summary_text, {{ text }}_text)) as pair_id,
            summary_text as candidate,
            {{ text }}_text as reference,
        from summaries
        where {{ text }}_text is not null
        {%- if not loop.last %}

            union all
        {% endif %}
    {%- endfor %}

)

select * from pairs
