-- A P1 alert means that retrieval changed by more than it may: the build fails until it is mended, or the change is
-- meant and frozen by `make baseline`.
select message
from {{ ref('gate') }}
where decision = 'fails' and severity = 'P1'
