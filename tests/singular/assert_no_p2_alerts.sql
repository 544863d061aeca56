-- A P2 alert asks for a look, so it warns.
{{ config(severity='warn') }}
select message
from {{ ref('gate') }}
where decision = 'warns' and severity = 'P2'
