-- A run that is worse than what was frozen in its place, beyond chance, fails the build until it is mended, or the change
-- is meant and frozen by `make baseline`. Alerts have tests of their own.
select message
from {{ ref('gate') }}
where decision = 'fails' and kind = 'baseline'
