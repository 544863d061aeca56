"""Verdicts of the baseline faithfulness judge on scored summaries; known pairs are not judged again."""


def model(dbt, session):
    from finrag.calibration.faithfulness import judge_pairs
    from finrag.metrics.rollup import done_before

    return judge_pairs(dbt.ref("int_calibration_pairs"), done=done_before(dbt, session, "pair_id", "judge_version"))
