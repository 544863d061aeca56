-- A P2 alert asks for a look, so it warns.
{{ config(severity='warn') }}
select message
from {{ ref('alerts') }}
where is_fired and severity = 'P2'
