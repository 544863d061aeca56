{{ runs_of_history('int_anchor_run_history', 'int_anchor_planned_runs') }}
