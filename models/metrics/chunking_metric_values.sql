select
    *,
    'these filings' as estimand,
from {{ ref('int_chunking_metric_values') }}
