-- A P0 alert means that the index is broken: nothing measured on it can be trusted, so the build fails. It is read where the
-- gate has it: a test of metrics.alerts itself that failed would keep dbt from making metrics.gate.
select message
from {{ ref('gate') }}
where decision = 'fails' and severity = 'P0'
