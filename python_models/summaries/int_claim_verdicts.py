def model(dbt, session):
    """Grain: one row per request for verdicts, judge, replicate and claim."""
    from finrag.judging.requests import read_verdicts

    return read_verdicts(session, dbt.ref("int_judge_claims_responses"), dbt.ref("int_judge_claims_requests"))
