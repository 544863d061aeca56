select
    severity, rule_id, status, suite, regime, strategy, embedding_model, metric, value, threshold, message
from bi_alerts
order by status = 'fired' desc, severity, rule_id
