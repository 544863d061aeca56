select
    concat_ws(
        ' ', nullif(suite, 'none'), nullif(dataset, 'none'), nullif(regime, 'none'),
        coalesce(nullif(strategy, 'none'), system), nullif(model_id, 'none'), nullif(embedding_model, 'none')
    ) as run,
    metric || if(k > 0, '@' || k, '') as figure,
    task, suite, dataset, regime, strategy, system, model_id, embedding_model, is_baseline,
    coalesce(corpus_value, value) as value, coalesce(corpus_ci_low, ci_low) as ci_low,
    coalesce(corpus_ci_high, ci_high) as ci_high, if(corpus_value is null, random_value, random_corpus_value) as random_value,
    n, n_clusters, is_interval_reliable, estimand, run_id
from bi_headline
order by task, suite, regime, value desc
