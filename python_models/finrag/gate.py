"""May a build go on? metrics.gate in words for a person, for CI (JSON, JUnit XML) and for a pull request (Markdown)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from finrag.errors import FinragError
from finrag.metrics.frozen import frozen_file
from finrag.project import command, existing_warehouse
from finrag.whole import write_whole

if TYPE_CHECKING:
    import duckdb

PASSES, FAILS, UNDECIDED = 0, 1, 2
REPORTS = Path("reports")
FILES = ("gate.json", "gate.xml", "gate.md")
# How many of the queries that a run lost are named.
NAMED = 20
# Of these nothing was shown, for the better or the worse.
UNTESTED = ("cannot tell", "not compared")
# In the order in which they are told.
TOLD = {"fails": "FAILS", "warns": "warns", "better": "better", "cannot tell": "cannot tell"}
ROWS = """
    select
        kind, rule, severity, place, run_id, baseline_id, model, baseline_model, metric, k, value, reference_value,
        difference, ci_low, ci_high, p_adjusted, n, n_frozen, n_missing, n_clusters, n_lost, n_won, decision, message,
    from metrics.gate
    order by array_position(['cannot tell', 'better', 'warns', 'fails'], decision) nulls first, kind desc,
        severity desc, rule, run_id
"""
LOST = """
    with

    frozen as (from read_parquet($file, hive_partitioning = false) where baseline_id = $baseline and model = $model)

    select distinct
        split_part(now.unit_id, ' ', 1) as query_id,
        any_value(queries.query_text) as query_text,
    from metrics.int_headline_scores as now
    inner join frozen using (unit_id, gold_window, gold_predicate, place, metric, k)
    left join gold.retrieval_queries as queries
        on queries.query_id = split_part(now.unit_id, ' ', 1)
    where now.run_id = $run and now.score < frozen.score
    group by all
    order by all
"""


def decide(connection: duckdb.DuckDBPyConnection) -> list[dict]:
    """The rows of metrics.gate, what fails last; to each run that is worse than it was, the queries that it lost."""
    import duckdb

    try:
        result = connection.execute(ROWS)
    except duckdb.CatalogException as error:
        raise FinragError(f"The warehouse holds no metrics.gate: no build came so far. {command('build')}") from error
    names = [column[0] for column in result.description]
    rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    for row in rows:
        if row["kind"] == "baseline" and row["decision"] == "fails":
            given = {"file": str(frozen_file()), "run": row["run_id"], "baseline": row["baseline_id"]}
            lost = connection.execute(LOST, given | {"model": row["baseline_model"] or ""}).fetchall()
            row["lost"] = [{"query_id": query_id, "query_text": text} for query_id, text in lost[:NAMED]]
    return rows


def told(rows: list[dict]) -> list[dict]:
    """Those that are worth a line: of what cannot be told, frozen runs that differ."""
    return [
        row
        for row in rows
        if row["decision"] in TOLD
        and (row["decision"] not in UNTESTED or (row["kind"] == "baseline" and row["difference"]))
    ]


def is_passed(rows: list[dict]) -> bool:
    return all(row["decision"] != "fails" for row in rows)


def lines(rows: list[dict]) -> list[str]:
    """What a person reads: how many there are of each decision, and those that are worth a line, failures last."""
    count = Counter(row["decision"] for row in rows)
    counted = ", ".join(f"{number} {decision}" for decision, number in sorted(count.items()))
    named = [f"  {TOLD[row['decision']]}: {row['message']}" for row in told(rows)]
    return [f"Gate (metrics.gate): {'passed' if is_passed(rows) else 'FAILED'}; {counted or 'no rules'}", *named]


def write(rows: list[dict], folder: Path) -> list[Path]:
    """gate.json, gate.xml (JUnit) and gate.md in the folder."""
    for name, written in zip(FILES, (as_json, as_junit, as_markdown), strict=True):
        write_whole(folder / name, written(rows))
    return [folder / name for name in FILES]


def as_json(rows: list[dict]) -> str:
    return json.dumps({"is_passed": is_passed(rows), "rules": rows}, indent=1, ensure_ascii=False) + "\n"


def as_junit(rows: list[dict]) -> str:
    count = Counter(row["decision"] for row in rows)
    suite = ElementTree.Element("testsuite", name="finrag gate", tests=str(len(rows)), errors="0")
    suite.set("failures", str(count["fails"]))
    suite.set("skipped", str(sum(count[decision] for decision in UNTESTED)))
    for row, name in zip(rows, case_names(rows), strict=True):
        case = ElementTree.SubElement(suite, "testcase", classname=f"finrag.{row['kind']}", name=name)
        if row["decision"] == "fails":
            ElementTree.SubElement(case, "failure", message=row["message"])
        elif row["decision"] in UNTESTED:
            ElementTree.SubElement(case, "skipped", message=f"{row['decision']}: {row['message']}")
        else:
            ElementTree.SubElement(case, "system-out").text = f"{row['decision']}: {row['message']}"
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def case_names(rows: list[dict]) -> list[str]:
    """Rule, place and model of each row, the same from build to build, for CI takes cases of one name for one.

    Where several of a kind agree in these, what was frozen, and the run, are named too.
    """
    names = []
    for row in rows:
        place = "" if row["rule"].startswith(row["place"]) else row["place"]
        names.append(" ".join(filter(None, (row["rule"], place, row["model"]))))
    for further in ("baseline_id", "baseline_model", "run_id"):
        count = Counter((row["kind"], name) for row, name in zip(rows, names, strict=True))
        names = [
            f"{name} {row[further]}" if count[row["kind"], name] > 1 and row[further] else name
            for row, name in zip(rows, names, strict=True)
        ]
    return names


def as_markdown(rows: list[dict]) -> str:
    """For a pull request: what changed for the worse or the better, in a table, and what the worse runs lost."""
    head, *_ = lines(rows)
    named = told(rows)[::-1]
    parts = [f"### {head}", ""]
    if named:
        parts += ["| Decision | Rule | Now | Before | Difference (95 %) | n |", "| --- | --- | --- | --- | --- | --- |"]
        parts += [f"| {' | '.join(cells(row))} |" for row in named]
    for row in named:
        if lost := row.get("lost"):
            parts += ["", f"<details><summary>{row['rule']}: {row['n_lost'] or len(lost)} queries lost, "]
            parts[-1] += f"{row['n_won'] or 0} won</summary>\n"
            parts += [f"- `{each['query_id']}` {plain(each['query_text'] or '')}" for each in lost]
            parts += ["", "</details>"]
    return "\n".join(parts) + "\n"


def cells(row: dict) -> list[str]:
    parts = [TOLD[row["decision"]], plain(" ".join(filter(None, (row["rule"], row["model"]))))]
    parts += [number(row["value"]), number(row["reference_value"])]
    spread = "" if row["ci_low"] is None else f" ({row['ci_low']:+.3f} to {row['ci_high']:+.3f})"
    items = str(row["n"] or "") + (f" of {row['n_frozen']}" if row["n_frozen"] else "")
    return [*parts, "" if row["difference"] is None else f"{row['difference']:+.3f}{spread}", items]


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def plain(text: str) -> str:
    """Text of filings and users, which is no Markdown and no HTML."""
    for mark in "\\`*_[]<>|#":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def forget(folder: Path = REPORTS) -> None:
    """What was decided of an earlier build is not said of this one."""
    for name in FILES:
        (folder / name).unlink(missing_ok=True)


def tell_last() -> bool:
    """The same of this project's warehouse. Raises FinragError where its last build did not come to the gate."""
    from finrag.build.turn import undecided

    try:
        database = existing_warehouse()
        if told := undecided(database):
            raise FinragError(f"{told} metrics.gate is of an earlier build, so nothing is decided: {command('build')}")
        return tell(database)
    except Exception:  # whatever keeps it from being told, what was told before does not stand
        forget()
        raise


def tell(database: Path, folder: Path = REPORTS) -> bool:
    """Print the gate of a warehouse and write its files; whether it passed. Undecided, it leaves none."""
    import duckdb

    with duckdb.connect(str(database), read_only=True) as connection:
        try:
            rows = decide(connection)
        except FinragError:
            forget(folder)
            raise
    written = write(rows, folder)
    print("\n" + "\n".join([f"For CI: {', '.join(map(str, written))}", *lines(rows)]))
    return is_passed(rows)
