def model(dbt, session):
    """Grain: one row per data set, human dimension, judge, text it reads, level, system and statistic."""
    from finrag.metrics.calibration import calibrate

    return calibrate(
        session,
        human=dbt.ref("int_human_scores"),
        judged=dbt.ref("int_judge_scores"),
        summaries=dbt.ref("int_calibration_summaries"),
    )
