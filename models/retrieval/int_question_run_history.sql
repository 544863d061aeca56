{{ run_history('int_question_planned_runs', 'int_question_hits') }}
