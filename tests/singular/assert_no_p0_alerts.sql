-- A P0 alert means that the index is broken: nothing measured on it can be trusted, so the build fails.
select message
from {{ ref('alerts') }}
where is_fired and severity = 'P0'
