"""What the next build would send to language models, and what that would cost.

For every table ``int_<task>_requests`` of the warehouse, and every model that the meta of ``int_<task>_responses``
names, each request is rendered as it would be sent. Where the tables have another name, the column ``task`` of the
requests or the key ``task`` in that meta is the task. Calls that the ledger holds are subtracted, equal ones counted
once. Nothing is sent, no key is read, and no table is written.

Some requests, such as to judge claims, are made of replies to others. While any of these are yet to come, the requests
in the warehouse are of the replies of the last build, and what the next one asks has no bound but the budget: such a
row is open.

Input tokens are estimated from the text (``finrag.llm.tokens``) and corrected by the model's own counts in the calls of
the task that the ledger holds. The expected length of a reply is the mean of those calls, or, before there are any,
that of the baseline's reply or of what stands in for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from finrag.errors import FinragError
from finrag.llm.calls import next_request
from finrag.llm.ledger import Ledger, ledger_path
from finrag.llm.models import Model, find_models
from finrag.llm.providers import Request
from finrag.llm.requests import read_tasks
from finrag.llm.run import Planned, Settings, is_remembered, known, plan, seed_relations
from finrag.llm.tasks import Task
from finrag.llm.tokens import estimate_tokens
from finrag.project import command, registry_of
from finrag.settings import named

LEAST_CALLS = 5
"""Calls in the ledger from which a model's own counts are used."""
THINKING_SHARE = 0.1
"""Of its allowance, what a thinking model is expected to use for a short answer, until the ledger knows better."""


@dataclass(frozen=True)
class Estimate:
    """Calls of one task by one model that are yet to be made.

    is_sent: whether its calls are sent to anybody, as the baseline's are not. awaits: tasks to which replies are yet to
    come that its requests will be made of.
    """

    task: str
    model_id: str
    wanted: int
    calls: int
    input_tokens: int
    expected_output_tokens: int
    max_output_tokens: int
    expected_usd: float
    max_usd: float
    is_sent: bool = True
    awaits: tuple[str, ...] = ()

    @property
    def finished(self) -> int:
        return self.wanted - self.calls

    @property
    def most(self) -> tuple[str, str]:
        """Tokens out and USD at most, as they are shown."""
        return ("open", "open") if self.awaits else (f"{self.max_output_tokens:,}", f"{self.max_usd:,.4f}")


def estimate_task(
    task: Task, items: Iterable[tuple[str, dict]], models: Iterable[Model], settings: Settings, ledger: Ledger
) -> list[Estimate]:
    """One row per model. Requests that are equal, or already answered in the ledger, need no call.

    Of a call whose reply the ledger keeps and whose repair is to be sent, the repair alone is counted.
    """
    models = list(models)
    wanted: dict[str, list[tuple[Planned, Request | None]]] = {model.model_id: [] for model in models}
    for planned, row in known(plan(task, items, models, settings.replicates), ledger, {}):
        request = None
        if row is None and is_remembered(planned.model):
            kept = ledger.unrepaired([planned.key]).get(planned.key)
            request = next_request(planned.request(task), kept, settings.repair_calls)
        wanted[planned.model.model_id].append((planned, request))
    return [_estimate(task, model, wanted[model.model_id], ledger) for model in models]


def _estimate(task: Task, model: Model, wanted: list[tuple[Planned, Request | None]], ledger: Ledger) -> Estimate:
    """wanted: each row that is wanted of the model, with what is to be sent for it."""
    if not is_remembered(model):
        return Estimate(task.name, model.model_id, len(wanted), 0, 0, 0, 0, 0.0, 0.0, is_sent=False)
    todo = list({planned.key: (planned, request) for planned, request in wanted if request}.values())
    calls, ratio, mean_output = ledger.usage(model.model_id, task.name)
    is_measured = calls >= LEAST_CALLS
    correction = ratio if is_measured and ratio else 1.0
    instructions = estimate_tokens(task.text.instructions)
    input_tokens = round(
        correction
        * sum(instructions + sum(estimate_tokens(turn.text) for turn in request.messages) for _, request in todo)
    )
    if is_measured:
        expected = round(mean_output * len(todo))
    else:
        reply = task.stand_in or task.baseline_reply
        replies = sum(estimate_tokens(reply(planned.inputs)) for planned, _ in todo)
        expected = replies + round(THINKING_SHARE * model.thinking_tokens * len(todo))
    most = model.output_limit(task.max_output_tokens) * len(todo)
    return Estimate(
        task=task.name,
        model_id=model.model_id,
        wanted=len(wanted),
        calls=len(todo),
        input_tokens=input_tokens,
        expected_output_tokens=min(expected, most),
        max_output_tokens=most,
        expected_usd=model.price.cost(input_tokens, min(expected, most), len(todo)),
        max_usd=model.price.cost(input_tokens, most, len(todo)),
    )


def estimate_warehouse(connection, manifest: Mapping) -> tuple[list[Estimate], float]:
    """Estimates for every request table of a warehouse, and the budget in USD of a build.

    connection: DuckDB connection. manifest: dbt's, which holds the settings of every response model.
    """
    tables = connection.execute(
        "select table_schema, table_name from information_schema.tables "
        r"where regexp_full_match(table_name, 'int_\w+_requests') order by table_name"
    ).fetchall()
    if not tables:
        raise FinragError(f"The warehouse has no table int_<task>_requests. Build it first: {command('build')}")
    meta = {
        node["name"]: node["config"].get("meta") or node.get("meta") or {}
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
    }
    names = {table: table.removeprefix("int_").removesuffix("_requests") for _, table in tables}
    unknown = [f"{schema}.{table}" for schema, table in tables if f"int_{names[table]}_responses" not in meta]
    if unknown:
        raise FinragError(
            "dbt's manifest has no model int_<task>_responses, which would name the language models, for "
            f"{', '.join(unknown)}. Run dbt parse; tables that are left over from an older version have to be dropped: "
            + " ".join(f"drop table {table};" for table in unknown)
        )
    rows: dict[str, list[Estimate]] = {}
    budget = 0.0
    with Ledger(ledger_path()) as ledger:
        for schema, table in tables:
            own = meta[f"int_{names[table]}_responses"]
            requests, settings = connection.table(f"{schema}.{table}"), Settings.read(own)
            models = find_models(settings.models, *seed_relations(connection))
            for task, items in read_tasks(
                connection, requests, None if "task" in requests.columns else own.get("task", names[table])
            ):
                rows.setdefault(names[table], []).extend(estimate_task(task, items, models, settings, ledger))
            budget = max(budget, settings.budget_usd)
    return marked(rows, manifest), budget


def marked(rows: Mapping[str, list[Estimate]], manifest: Mapping) -> list[Estimate]:
    """The rows of every pair of tables, by its name; those say what they await whose requests are made of replies that
    are yet to come."""
    parents = {name: node.get("depends_on", {}).get("nodes", ()) for name, node in manifest["nodes"].items()}
    by_model = {node["name"]: name for name, node in manifest["nodes"].items()}
    found: list[Estimate] = []
    for name, estimates in rows.items():
        before = ancestors(by_model.get(f"int_{name}_requests", ""), parents)
        awaits = {
            row.task
            for other, others in rows.items()
            if by_model[f"int_{other}_responses"] in before
            for row in others
            if row.calls
        }
        found += [replace(row, awaits=tuple(sorted(awaits)) if row.is_sent else ()) for row in estimates]
    return found


def ancestors(node: str, parents: Mapping[str, Iterable[str]]) -> set[str]:
    """Whatever a node of dbt's graph is made of, at any remove."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        new = set(parents.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def report(rows: list[Estimate], budget_usd: float) -> str:
    """The estimates as a table for people."""
    header = ("task", "model", "rows", "known", "calls", "input tokens", "output tokens", "at most", "USD", "at most")
    total = Estimate(
        "total",
        "",
        *(sum(getattr(row, name) for row in rows) for name in ("wanted", "calls", "input_tokens")),
        *(sum(getattr(row, name) for row in rows) for name in ("expected_output_tokens", "max_output_tokens")),
        *(sum(getattr(row, name) for row in rows) for name in ("expected_usd", "max_usd")),
        awaits=tuple(sorted({task for row in rows for task in row.awaits})),
    )
    lines = [header] + [
        (
            row.task,
            row.model_id,
            *(f"{number:,}" for number in (row.wanted, row.finished, row.calls, row.input_tokens)),
            *(f"{row.expected_output_tokens:,}", row.most[0], f"{row.expected_usd:,.4f}", row.most[1]),
        )
        for row in [*rows, total]
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    table = [
        "  ".join(cell.ljust(width) if column < 2 else cell.rjust(width) for column, (cell, width) in enumerate(pairs))
        for pairs in (zip(line, widths, strict=True) for line in lines)
    ]
    notes = [
        "",
        "Nothing has been sent. known: answered in the ledger, equal to another request, or the baseline's own work.",
        "at most: every reply as long as its limit. Repairs and retries come on top; the budget holds them too.",
        *open_note(rows),
        f"Budget of a build: ${budget_usd:,.2f} ({named('llm_budget_usd')}). Prices: {registry_of('llm_prices')}.",
    ]
    if total.awaits or total.max_usd > budget_usd:
        notes.append(
            f"The budget may end the build early: calls beyond it become rows of status over_budget. Expected are "
            f"${total.expected_usd:,.4f}."
        )
    return "\n".join([*table, *notes])


def open_note(rows: list[Estimate]) -> list[str]:
    """What is said of rows that are open."""
    asked = sorted({row.task for row in rows if row.awaits})
    if not asked:
        return []
    awaited = sorted({task for row in rows for task in row.awaits})
    return [
        f"open: what {', '.join(asked)} will ask depends on replies to {', '.join(awaited)} that are yet to come. "
        "The figures are of the replies that the warehouse holds; the budget alone is a bound. "
        "Build up to those replies and estimate again."
    ]


def estimate(database: Path, manifest: Path) -> str:
    """The table for people, of a warehouse and dbt's manifest."""
    import duckdb

    with duckdb.connect(str(database), read_only=True) as connection:
        return report(*estimate_warehouse(connection, json.loads(manifest.read_text(encoding="utf-8"))))
