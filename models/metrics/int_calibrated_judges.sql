-- Judges that people's scores have calibrated, as they are called where they judge; one without a row is uncalibrated.
with

calibration as (

    select * from {{ ref('judge_calibration') }}
    where is_calibrated

),

-- The judge by rules is calibrated under the name of the score that it gives, and by what it says here: not by a column of
-- a file that has a name of its own.
calibrated_judges as (

    select distinct if(judge = 'baseline_faithfulness', 'baseline', judge) as judge_model
    from calibration
    where judge_kind != 'stated' or judge not in ('baseline', 'baseline_faithfulness')

)

select * from calibrated_judges
