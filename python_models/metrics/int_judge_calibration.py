def model(dbt, session):
    """Grain: one row per data set, human dimension, judge, text it reads and statistic."""
    from finrag.metrics.calibration import calibrate

    return calibrate(session, human=dbt.ref("human_scores"), judged=dbt.ref("judge_scores"))
