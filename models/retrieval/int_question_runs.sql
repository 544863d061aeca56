{{ runs_of_history('int_question_run_history', 'int_question_planned_runs') }}
