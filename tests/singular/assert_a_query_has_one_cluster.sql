-- Retrieval and answers of a query are resampled in one cluster, and its items are joined by it.
select
    suite,
    query_id,
    count(distinct cluster_id) as n_clusters,
from {{ ref('evidence_losses') }}
group by
    suite,
    query_id
having count(distinct cluster_id) > 1
