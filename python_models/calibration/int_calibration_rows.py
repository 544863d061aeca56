def model(dbt, session):
    """Grain: one row per summary of the var calibration_data, and per row of its files that is none."""
    from finrag.inputs.calibration import load_summaries
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_summaries(session, meta["calibration_data"], demo=dbt.ref("demo_calibration"))
