select
    *,
    'these filings' as estimand,
    true as is_current,
    'none' as answer_model,
    false as is_baseline,
from {{ ref('int_chunking_metric_values') }}
