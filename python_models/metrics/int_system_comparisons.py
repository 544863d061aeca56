def model(dbt, session):
    """Grain: one row per pair of systems' runs, gold predicate, stratum and metric."""
    from finrag.metrics.system_comparisons import compare_systems

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct pair_id, comparison_version from {dbt.this}").fetchall())
    return compare_systems(
        pairs=dbt.ref("int_system_pairs"), scores=dbt.ref("int_system_scores"), registry=dbt.ref("metrics"), done=done
    )
