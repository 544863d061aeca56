select
    suite, regime, strategy, embedding_model, hardness_rank, reason_class, query_id, query_text, company_name,
    report_year, section_id, first_gold_rank, nearest_text
from bi_hardest_cases_slices
where gold_window in ('5', 'adaptive', 'none') and gold_predicate in ('positional', 'evidence')
order by suite, regime, strategy, hardness_rank
