-- A dollar amount of 10 or more says what it is counted in (a scale word, a caption, its item's way of writing dollars, or
-- that it is exact); one whose scale nobody can tell has no unit, and a reason. At most 2 in 100 may be bare dollars.
select
    count(*) as dollar_amounts,
    count(*) filter (where scale_source is null) as without_scale,
from {{ ref('int_kpi_amounts') }}
where
    unit = 'USD'
    and abs(value) >= 10
having without_scale > 0.02 * dollar_amounts
