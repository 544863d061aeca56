{{ run_history('int_anchor_planned_runs', 'int_anchor_hits') }}
