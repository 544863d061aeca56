"""Requests in, one row per request, model and replicate out; only calls that the ledger lacks are sent.

A dbt Python model is three lines:

    def model(dbt, session):
        from finrag.llm.run import run_requests

        return run_requests(
            session,
            dbt.ref("int_answer_question_requests"),
            task="answer_question",
            settings=dbt.config.get("meta"),
            models=dbt.ref("llm_models"),
            prices=dbt.ref("llm_prices"),
        )

with, in its yml, ``config: meta:`` the key ``models`` (``"{{ var('llm_answers') }}"``) and the ``llm_…`` vars under
their own names. Requests of several tasks have a column ``task``, which is then not given.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from itertools import pairwise
from types import MappingProxyType

from finrag.errors import FinragError
from finrag.llm.budget import Budget, budget_of_build
from finrag.llm.calls import Caller, Outcome
from finrag.llm.ledger import Call, Ledger, call_key, ledger_path
from finrag.llm.limits import limit_of
from finrag.llm.models import Model, find_models
from finrag.llm.prompts import Prompt, render
from finrag.llm.providers import Message, Request, find_provider
from finrag.llm.tasks import Task, find_task
from finrag.llm.tokens import estimate_tokens
from finrag.settings import ROLES, in_force, named

COLUMNS = {
    "item_id": "varchar",
    "task": "varchar",
    "model_id": "varchar",
    "provider": "varchar",
    "is_baseline": "boolean",
    "replicate": "integer",
    "status": "varchar",
    "output": "varchar",
    "raw_text": "varchar",
    "finish_reason": "varchar",
    "error": "varchar",
    "call_key": "varchar",
    "input_tokens": "bigint",
    "output_tokens": "bigint",
    "cost_usd": "double",
    "latency_seconds": "double",
    "attempts": "integer",
    "prompt_version": "varchar",
}


@dataclass(frozen=True)
class Settings:
    """How calls are made; the fields but models are the vars ``llm_<field>`` of dbt_project.yml."""

    models: str
    replicates: int = 1
    concurrency: int = 8
    budget_usd: float = 5.0
    deadline_seconds: float = 300.0
    repair_calls: int = 1

    @classmethod
    def read(cls, meta: Mapping) -> Settings:
        """From a model's meta, whose values may be text; raises FinragError naming the var that is wrong."""
        given = in_force(meta or {})
        models = given.get("models") or next((given[role] for role in ROLES if given.get(role)), None)
        if not models:
            raise FinragError(
                "No language model is named: the meta of the response model needs `models`, "
                f"the value of {' or '.join(map(named, ROLES))}."
            )
        values: dict = {"models": models if isinstance(models, str) else " ".join(models)}
        for setting in fields(cls)[1:]:
            value = given.get(f"llm_{setting.name}", given.get(setting.name))
            if value is None:
                continue
            kind = int if setting.type == "int" else float
            least = 0 if setting.name in ("budget_usd", "repair_calls") else 1
            try:
                values[setting.name] = kind(value)
                is_allowed = least <= values[setting.name] < float("inf")
            except (TypeError, ValueError):
                is_allowed = False
            if not is_allowed:
                allowed = f"{'a whole number' if kind is int else 'a number'} of at least {least}"
                raise FinragError(f"{named(f'llm_{setting.name}', begins=True)} is {value!r}. Allowed: {allowed}.")
        return cls(**values)


@dataclass
class Planned:
    """One wanted row, and what it takes to send it. prompt is None for the baseline.

    older_key: what the key was up to 0.8.0, when it left the endpoint out.
    """

    item_id: str
    model: Model
    replicate: int
    key: str
    inputs: dict
    prompt: Prompt | None
    parameters: dict = field(default_factory=dict)
    older_key: str = ""

    def request(self, task: Task) -> Request:
        return Request(
            task=task,
            inputs=self.inputs,
            system=self.prompt.system if self.prompt else "",
            messages=(Message("user", self.prompt.user),) if self.prompt else (),
            **self.parameters,
        )


def run_requests(
    session, requests, settings: Mapping, task: str | None = None, models=None, prices=None, previous=None
):
    """Relation with the columns COLUMNS, one row per request, model and replicate.

    session: DuckDB connection of the dbt model. requests: relation with item_id (unique) and inputs (JSON object).
    task: of all requests; by default each names its own in the column task. settings: see ``Settings``. models, prices:
    the registry seeds, by default the tables in the schema seeds; handing them over as dbt.ref makes dbt build them
    first. previous: rows of the last build, from ``previous_rows``; those of models that the ledger does not keep (the
    baseline) are taken over where the request is the same. A failed call is a row with its status. Raises FinragError
    for what the user can mend: an unknown model or task, a missing or refused key, a request without a field of the
    prompt.
    """
    chosen = Settings.read(settings)
    registry = find_models(chosen.models, *seed_relations(session, models, prices))
    items = read_tasks(requests, task)
    budget = budget_of_build(chosen.budget_usd)
    rows: list[dict] = []
    with Ledger(ledger_path()) as ledger:
        for found, own in items:
            rows += carry_out(found, own, registry, chosen, ledger, budget, previous or {})
    return as_relation(session, rows)


def previous_rows(session, table: str) -> dict[str, dict]:
    """Rows that the last build left in a response model, by call_key; none where it has not been built."""
    import duckdb

    try:
        relation = session.table(table)
    except duckdb.CatalogException:
        return {}
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in relation.project(", ".join(COLUMNS)).fetchall())
    return {row["call_key"]: row for row in rows}


def seed_relations(session, models=None, prices=None) -> tuple:
    """The two registries as relations."""
    import duckdb

    try:
        return models or session.table("seeds.llm_models"), prices or session.table("seeds.llm_prices")
    except duckdb.CatalogException as error:
        raise FinragError("The tables seeds.llm_models and seeds.llm_prices are missing. Run dbt seed.") from error


def read_tasks(requests, task: str | None = None) -> list[tuple[Task, list[tuple[str, dict]]]]:
    """Every task that is asked for and its items: the one that is named, or those of the column task."""
    if task is not None:
        return [(find_task(task), read_items(requests, task))]
    names = [name for (name,) in requests.project("task").distinct().order("task").fetchall()]
    return [(find_task(name), read_items(requests.filter(f"task = '{name}'"), name)) for name in names]


def read_items(requests, task: str) -> list[tuple[str, dict]]:
    """(item_id, input fields) of every request, in the order of item_id."""
    items = []
    for item_id, text in requests.project("item_id::varchar, inputs::varchar").fetchall():
        try:
            inputs = json.loads(text)
        except (TypeError, ValueError):
            inputs = None
        if not isinstance(inputs, dict) or item_id is None:
            raise FinragError(f"Requests of {task}, item {item_id!r}: inputs must be a JSON object.")
        items.append((item_id, inputs))
    items.sort(key=lambda item: item[0])
    for (item_id, _), (following, _) in pairwise(items):
        if item_id == following:
            raise FinragError(f"Requests of {task} have the item {item_id!r} more than once; item_id must be unique.")
    return items


def plan(task: Task, items: Iterable[tuple[str, dict]], models: Iterable[Model], replicates: int) -> Iterator[Planned]:
    """Every call that the items want, with its key; the baseline's have no prompt."""
    models = list(models)
    needs_prompt = any(not model.is_baseline for model in models)
    for item_id, inputs in items:
        prompt = render(task.text, inputs) if needs_prompt else None
        for model in models:
            parameters = {
                "max_output_tokens": model.output_limit(task.max_output_tokens),
                "temperature": model.temperature,
                "structured_output": "none" if task.output is None else model.structured_output,
            }
            # the baseline's replies are taken over only while its rules are the same; a model's prompt says it all
            asked = baseline_text(task, inputs) if model.is_baseline else prompt_text(prompt)
            for replicate in range(1, replicates + 1):
                decided_by = (
                    *(model.provider, model.model_name, task.name, task.prompt_version, asked),
                    *(json.dumps(parameters, sort_keys=True), replicate),
                )
                key, older_key = call_key(*decided_by, model.endpoint), call_key(*decided_by)
                needed = None if model.is_baseline else prompt
                yield Planned(item_id, model, replicate, key, inputs, needed, parameters, older_key)


def baseline_text(task: Task, inputs: dict) -> str:
    """What decides a reply of the baseline: its rules and what it is given."""
    return json.dumps([task.baseline_version, inputs], sort_keys=True)


def prompt_text(prompt: Prompt) -> str:
    """A rendered prompt as the ledger keeps it."""
    return json.dumps({"system": prompt.system, "user": prompt.user}, ensure_ascii=False)


def carry_out(
    task: Task,
    items: list[tuple[str, dict]],
    models: list[Model],
    settings: Settings,
    ledger: Ledger,
    budget: Budget,
    previous: Mapping[str, dict] = MappingProxyType({}),
) -> list[dict]:
    """Rows for every request, model and replicate: from the ledger, from the baseline, or by calls made now."""
    wanted = list(plan(task, items, models, settings.replicates))
    found = ledger.finished(planned.key for planned in wanted if is_remembered(planned.model))
    found |= bought_before(wanted, found, ledger)
    forgotten = {planned.key for planned in wanted if not is_remembered(planned.model)}
    found |= {key: previous[key] for key in forgotten & previous.keys()}
    todo: dict[str, Planned] = {}
    for planned in wanted:
        if planned.key not in found:
            todo.setdefault(planned.key, planned)  # equal requests are sent once
    results = dict(found)
    unremembered = {model.model_id: _caller(model, settings, budget) for model in models if not is_remembered(model)}
    for key, planned in todo.items():
        if planned.model.model_id in unremembered:
            reply = unremembered[planned.model.model_id].provider.send(planned.request(task), settings.deadline_seconds)
            outcome = Outcome(
                "ok",
                None if task.output is None else reply.text,
                reply.text,
                finish_reason=reply.finish_reason,
                attempts=1,
            )
            results[key] = vars(_record(task, planned, outcome, _now()))
    to_send = [planned for key, planned in todo.items() if key not in results]
    if to_send:
        results |= _send(task, to_send, settings, ledger, budget)
    return [_row(task, planned, results[planned.key]) for planned in wanted]


def bought_before(wanted: list[Planned], found: Mapping[str, dict], ledger: Ledger) -> dict[str, dict]:
    """Calls that 0.8.0 or an older version recorded, of the endpoint that they would go to now."""
    missing = {each.older_key: each for each in wanted if each.model.endpoint and each.key not in found}
    older = ledger.finished_without_endpoint({key: each.model.endpoint for key, each in missing.items()})
    return {missing[key].key: row for key, row in older.items()}


def is_remembered(model: Model) -> bool:
    return find_provider(model.provider, model.model_id).IS_REMEMBERED


def _caller(model: Model, settings: Settings, budget: Budget, stopped: threading.Event | None = None) -> Caller:
    key = model.key()
    return Caller(
        model=model,
        provider=find_provider(model.provider, model.model_id).connect(model, key),
        limit=limit_of(model),
        budget=budget,
        deadline_seconds=settings.deadline_seconds,
        repair_calls=settings.repair_calls,
        secrets=(key,),
        stopped=stopped or threading.Event(),
    )


def _send(task: Task, todo: list[Planned], settings: Settings, ledger: Ledger, budget: Budget) -> dict[str, dict]:
    from finrag.progress import progress

    models = {planned.model.model_id: planned.model for planned in todo}
    stopped = threading.Event()
    callers = {model_id: _caller(model, settings, budget, stopped) for model_id, model in models.items()}

    def one(planned: Planned) -> Call:
        requested_at = _now()
        outcome = callers[planned.model.model_id].call(planned.request(task))
        call = _record(task, planned, outcome, requested_at)
        if outcome.attempts:
            ledger.record(call)
        return call

    results: dict[str, dict] = {}
    cost = 0.0
    pool = ThreadPoolExecutor(settings.concurrency, thread_name_prefix="llm")
    try:
        pending: set[Future] = {pool.submit(one, planned) for planned in todo}
        with progress(task.name, len(todo), "call") as calls_done:
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    call = future.result()
                    results[call.call_key] = vars(call)
                    cost += call.cost_usd
                calls_done.set_postfix_str(f"${cost:.4f}")
                calls_done.update(len(done))
    finally:
        # after an error or Ctrl-C: no new call, no further retry; replies under way are paid for and still recorded
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for caller in callers.values():
            caller.provider.close()
    return results


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _record(task: Task, planned: Planned, outcome: Outcome, requested_at: str) -> Call:
    model, prompt = planned.model, planned.prompt
    return Call(
        call_key=planned.key,
        task=task.name,
        item_id=planned.item_id,
        model_id=model.model_id,
        provider=model.provider,
        model_name=model.model_name,
        endpoint=model.endpoint,
        prompt_version=task.prompt_version,
        replicate=planned.replicate,
        parameters=json.dumps(planned.parameters, sort_keys=True),
        prompt=prompt_text(prompt) if prompt else "",
        status=outcome.status,
        finish_reason=outcome.finish_reason,
        attempts=outcome.attempts,
        estimated_input_tokens=estimate_tokens(prompt.system) + estimate_tokens(prompt.user) if prompt else 0,
        input_tokens=outcome.input_tokens,
        output_tokens=outcome.output_tokens,
        cost_usd=outcome.cost_usd,
        latency_seconds=round(outcome.latency_seconds, 6),
        requested_at=requested_at,
        error=outcome.error,
        output=outcome.output,
        raw_text=outcome.raw_text,
        raw_response=json.dumps(outcome.raw_responses, ensure_ascii=False) if outcome.raw_responses else None,
    )


def _row(task: Task, planned: Planned, call: Mapping) -> dict:
    own = {
        "item_id": planned.item_id,
        "task": task.name,
        "model_id": planned.model.model_id,
        "provider": planned.model.provider,
        "is_baseline": planned.model.is_baseline,
        "replicate": planned.replicate,
        "call_key": planned.key,
        "prompt_version": task.prompt_version,
    }
    return {column: own[column] if column in own else call[column] for column in COLUMNS}


def as_relation(session, rows: list[dict], columns: Mapping[str, str] = COLUMNS):
    """The rows as a relation of the session, typed also when there are none."""
    import pyarrow

    types = {"varchar": pyarrow.string(), "boolean": pyarrow.bool_(), "integer": pyarrow.int32()}
    types |= {"bigint": pyarrow.int64(), "double": pyarrow.float64()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(rows, schema=schema))


def read_ledger(session):
    """Relation with one row per call of the ledger, without prompts, replies and raw responses."""
    columns = {name: kind for name, kind in COLUMNS.items() if name not in ("is_baseline", "output", "raw_text")}
    columns |= {"estimated_input_tokens": "bigint", "requested_at": "varchar"}
    with Ledger(ledger_path()) as ledger:
        rows = [dict(zip(columns, row, strict=True)) for row in ledger.rows(list(columns))]
    return as_relation(session, rows, columns)
