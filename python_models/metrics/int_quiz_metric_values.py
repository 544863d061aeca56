def model(dbt, session):
    """Grain: one row per run of closed questions, statements or choices, population, stratum and metric."""
    import pyarrow

    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import by_dataset, done_before, roll_up_runs, strata_of_items

    done = done_before(dbt, session, "run_id", "rollup_version")
    runs, registry = by_dataset(dbt.ref("int_quiz_runs")), dbt.ref("metrics")
    closed, statements, choices = dbt.ref("qag_items"), dbt.ref("statement_items"), dbt.ref("choice_items")
    return pyarrow.concat_tables(
        roll_up_runs(
            name,
            read_metrics(registry, name),
            runs=runs,
            items=by_dataset(items),
            strata=strata_of_items(by_dataset(items), length="length_stratum"),
            done=done,
        )
        for name, items in (("qag_items", closed), ("statement_items", statements), ("choice_items", choices))
    )
