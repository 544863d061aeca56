with

scorecard_rows as (

    select * from {{ ref('int_scorecard_rows') }}

),

p2_scorecard as (

    select * from scorecard_rows
    where suite = 'p2'

)

select * from p2_scorecard
