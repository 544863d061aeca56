select
    concat_ws(
        ' ', nullif(suite, 'none'), nullif(dataset, 'none'), nullif(regime, 'none'),
        coalesce(nullif(strategy, 'none'), system), nullif(model_id, 'none'), nullif(embedding_model, 'none')
    ) as run,
    metric || if(k > 0, '@' || k, '') as figure,
    task, suite, dataset, regime, strategy, system, model_id, embedding_model, is_baseline,
    value, ci_low, ci_high, random_value, n, n_clusters, is_interval_reliable, estimand, run_id
from bi_headline
order by task, suite, regime, value desc
