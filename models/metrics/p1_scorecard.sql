with

scorecard_rows as (

    select * from {{ ref('int_scorecard_rows') }}

),

p1_scorecard as (

    select * from scorecard_rows
    where suite = 'p1'

)

select * from p1_scorecard
