"""Verdicts of the baseline faithfulness judge on scored summaries; known pairs are not judged again."""


def model(dbt, session):
    from finrag.calibration.faithfulness import judge_pairs

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select pair_id, judge_version from {dbt.this}").fetchall())
    return judge_pairs(dbt.ref("int_calibration_pairs"), done=done)
