-- A system's whole summary of a source: its themes in their order, one after the other, without the general summary, which
-- would say them twice. Where a theme failed the
-- whole is an error: questions about what it left out would count against what the system wrote.
with

summaries as (

    select * from {{ ref('summaries') }}
    where theme != 'general'

),

whole as (

    select
        dataset,
        source_id,
        system,
        replicate,
        any_value(provider) as provider,
        bool_or(is_baseline) as is_baseline,
        bool_or(is_error) as is_error,
        string_agg(
            trim(summary_text), chr(10)
            order by list_position([
                {%- for theme in summary_themes() %}
                    '{{ theme }}',
                {%- endfor %}
            ], theme)
        ) as summary_text,
    from summaries
    group by
        dataset,
        source_id,
        system,
        replicate

),

final as (

    select
        *,
        md5(concat_ws('|', 'summary', source_id, coalesce(summary_text, ''))) as text_id,
    from whole

)

select * from final
