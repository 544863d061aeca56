with

anchor_draw as (

    select * from {{ ref('int_anchor_draw') }}

),

final as (

    select * exclude (suite)
    from anchor_draw
    where suite = 'p1'

)

select * from final
