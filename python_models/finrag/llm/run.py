"""Requests in, one row per request, model and replicate out; only calls that the ledger lacks are sent.

A dbt Python model is three lines:

    def model(dbt, session):
        from finrag.llm.run import run_requests

        return run_requests(
            session,
            dbt.ref("int_judge_claims_requests"),
            task="judge_claims",
            settings=dbt.config.get("meta"),
            models=dbt.ref("llm_models"),
            prices=dbt.ref("llm_prices"),
        )

with, in its yml, ``config: meta:`` the key ``models`` (``"{{ var('llm_judges') }}"``) and the ``llm_…`` vars under
their own names. Requests of several tasks have a column ``task``, which is then not given.
"""

from __future__ import annotations

import gc
import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from itertools import count, islice
from types import MappingProxyType

from finrag import plugins
from finrag.errors import FinragError
from finrag.llm.budget import Budget, budget_of_build
from finrag.llm.calls import Caller, CallError, Outcome
from finrag.llm.ledger import FINAL, RESULT_COLUMNS, Call, Ledger, call_key, ledger_path
from finrag.llm.limits import limit_of
from finrag.llm.models import Model, find_models, redact, without_login
from finrag.llm.prompts import Prompt, render
from finrag.llm.providers import Message, Provider, Request, find_provider, own_providers
from finrag.llm.requests import kept, read_tasks
from finrag.llm.tasks import Task
from finrag.llm.tokens import estimate_tokens
from finrag.project import registry_of
from finrag.settings import ROLES, in_force, named

# Calls that the ledger is asked for at once, and calls under way or waiting for each that is.
LOOKED_UP = 100
AHEAD = 2
# Beyond its deadline, how long a call is taken to be under way in a build on another machine.
CLAIMED_SECONDS = 60.0
# What clients leave of a call, some 10 kB, refers to itself, and a build collects garbage rarely (finrag.commands):
# after so many calls it is collected here.
COLLECTED_AFTER = 1_000

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

    older_keys: what the key was in older versions, which left the endpoint out or took it as written.
    place: among all wanted rows.
    """

    place: int
    item_id: str
    model: Model
    replicate: int
    key: str
    inputs: dict
    prompt: Prompt | None
    parameters: dict = field(default_factory=dict)
    older_keys: tuple[str, ...] = ()

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
    tasks = read_tasks(session, requests, task)
    budget = budget_of_build(chosen.budget_usd)

    def rows() -> Iterator[tuple[int, int, dict]]:
        for number, (found, own) in enumerate(tasks):
            with closing(carry_out(found, own, registry, chosen, ledger, budget, previous or {})) as carried_out:
                for place, row in carried_out:
                    yield number, place, row
            own.drop()

    with Ledger(ledger_path()) as ledger, closing(rows()) as found:
        return kept(session, found, COLUMNS)


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


def plan(task: Task, items: Iterable[tuple[str, dict]], models: Iterable[Model], replicates: int) -> Iterator[Planned]:
    """Every call that the items want, with its key; the baseline's have no prompt."""
    models = list(models)
    refuse_twins(task, models)
    older_endpoints = {model.model_id: [] if model.is_baseline else model.older_endpoints() for model in models}
    needs_prompt = any(not model.is_baseline for model in models)
    place = count()
    for item_id, inputs in items:
        prompt = render(task.text, inputs) if needs_prompt else None
        for model in models:
            parameters = parameters_of(task, model)
            # the baseline's replies are taken over only while its rules are the same; a model's prompt says it all
            asked = baseline_text(task, inputs) if model.is_baseline else prompt_text(prompt)
            for replicate in range(1, replicates + 1):
                decided_by = (
                    *(model.provider, model.model_name, task.name, task.prompt_version, asked),
                    *(json.dumps(parameters, sort_keys=True), replicate),
                )
                key, needed = call_key(*decided_by, model.endpoint), None if model.is_baseline else prompt
                older_keys = tuple(call_key(*decided_by, address) for address in older_endpoints[model.model_id])
                yield Planned(next(place), item_id, model, replicate, key, inputs, needed, parameters, older_keys)


def parameters_of(task: Task, model: Model) -> dict:
    """How a model is to decode."""
    return {
        "max_output_tokens": model.output_limit(task.max_output_tokens),
        "temperature": model.temperature,
        "structured_output": "none" if task.output is None else model.structured_output,
    }


def refuse_twins(task: Task, models: Iterable[Model]) -> None:
    """Raises FinragError for two rows whose calls would be the same: bought once, they would be charged to both."""
    seen: dict[str, Model] = {}
    for model in models:
        called = (model.provider, model.model_name, model.endpoint, parameters_of(task, model))
        other = seen.setdefault(json.dumps(called), model)
        if other is not model:
            raise FinragError(
                f"The models {other.model_id!r} and {model.model_id!r} are one: their rows of "
                f"{registry_of('llm_models')} have the same provider, model_name, endpoint and settings of a call of "
                f"{task.name}, so one answer would be counted and charged twice. Name one of them."
            )


def baseline_text(task: Task, inputs: dict) -> str:
    """What decides a reply of the baseline: its rules and what it is given."""
    return json.dumps([task.baseline_version, inputs], sort_keys=True)


def prompt_text(prompt: Prompt) -> str:
    """A rendered prompt as the ledger keeps it."""
    return json.dumps({"system": prompt.system, "user": prompt.user}, ensure_ascii=False)


def carry_out(
    task: Task,
    items: Iterable[tuple[str, dict]],
    models: list[Model],
    settings: Settings,
    ledger: Ledger,
    budget: Budget,
    previous: Mapping[str, dict] = MappingProxyType({}),
) -> Iterator[tuple[int, dict]]:
    """Rows for every request, model and replicate, each with its place, as they come: from the ledger, from the
    baseline, or by calls made now.

    items: gone through twice, so that what is wrong with one is said before anything is sent. Of them, of calls and of
    rows, those under way are held.
    """
    from finrag.progress import progress

    def looked_up() -> Iterator[tuple[Planned, dict | None]]:
        return known(plan(task, items, models, settings.replicates), ledger, previous)

    missing = Counter(planned.model.model_id for planned, row in looked_up() if row is None)
    to_send = sum(missing[model.model_id] for model in models if is_remembered(model))
    callers = {model.model_id: _caller(model, settings, budget) for model in models if not is_remembered(model)}
    sent = [model for model in models if is_remembered(model) and missing[model.model_id]]
    if not sent:
        for planned, row in looked_up():
            found = row or _unremembered(task, planned, callers, settings)
            yield planned.place, _row(task, planned, found)
        return
    with Calls(task, sent, settings, ledger, budget) as calls, progress(task.name, to_send, "call") as bar:
        for planned, row in looked_up():
            if row is None and is_remembered(planned.model):
                calls.add(planned)
                yield from calls.finished(bar, settings.concurrency * AHEAD)
            else:
                yield planned.place, _row(task, planned, row or _unremembered(task, planned, callers, settings))
        yield from calls.finished(bar, 1)


def known(
    wanted: Iterator[Planned], ledger: Ledger, previous: Mapping[str, dict]
) -> Iterator[tuple[Planned, dict | None]]:
    """Each wanted row with what is known of its call: from the ledger, or from previous where that keeps none."""
    while some := list(islice(wanted, LOOKED_UP)):
        found = ledger.finished(planned.key for planned in some if is_remembered(planned.model))
        found |= bought_before(some, found, ledger)
        for planned in some:
            yield planned, (found if is_remembered(planned.model) else previous).get(planned.key)


def _unremembered(task: Task, planned: Planned, callers: Mapping[str, Caller], settings: Settings) -> dict:
    """The reply of a model whose calls the ledger does not keep."""
    with called(planned.model):
        reply = callers[planned.model.model_id].provider.send(planned.request(task), settings.deadline_seconds)
    outcome = Outcome(
        "ok",
        None if task.output is None else reply.text,
        reply.text,
        finish_reason=reply.finish_reason,
        attempts=1,
    )
    return vars(_record(task, planned, outcome, _now()))


def bought_before(wanted: list[Planned], found: Mapping[str, dict], ledger: Ledger) -> dict[str, dict]:
    """Calls that older versions recorded under another key, of the endpoint that they would go to now."""
    missing = [each for each in wanted if each.key not in found]
    older = ledger.finished_with_endpoint(key for each in missing for key in each.older_keys)
    return {
        each.key: older[key][1]
        for each in missing
        for key in each.older_keys
        if key in older and each.model.goes_to(older[key][0])
    }


def is_remembered(model: Model) -> bool:
    return find_provider(model.provider, model.model_id).IS_REMEMBERED


def _caller(model: Model, settings: Settings, budget: Budget, stopped: threading.Event | None = None) -> Caller:
    key = model.key()
    return Caller(
        model=model,
        provider=connected(model, key),
        limit=limit_of(model),
        budget=budget,
        deadline_seconds=settings.deadline_seconds,
        repair_calls=settings.repair_calls,
        secrets=(key, *model.logins()),
        stopped=stopped or threading.Event(),
    )


def called(model: Model) -> AbstractContextManager:
    """What the provider of a model raises inside, where it is a plugin, is told as its fault."""
    is_own = model.provider in own_providers()
    return nullcontext() if is_own else plugins.called(plugins.PROVIDERS, model.provider)


def connected(model: Model, key: str | None) -> Provider:
    """A connection to a model; raises FinragError, without the key, for whatever keeps a provider from making one."""
    provider = find_provider(model.provider, model.model_id)
    secrets = (key, *model.logins())
    try:
        with called(model):
            return provider.connect(model, key)
    except FinragError as error:
        raise FinragError(redact(str(error), secrets)) from None
    except Exception as error:  # whatever a library raises may quote the key, so it is said again without
        said = redact(f"{type(error).__name__}: {error}", secrets)
        at = without_login(model.endpoint) or "its provider"
        raise FinragError(f"The model {model.model_id!r} cannot be reached at {at}: {said}") from None


class Calls:
    """Calls under way, so many at a time; equal ones are sent once."""

    def __init__(self, task: Task, models: Iterable[Model], settings: Settings, ledger: Ledger, budget: Budget) -> None:
        self.task, self.ledger = task, ledger
        self.stopped = threading.Event()
        self.callers = {model.model_id: _caller(model, settings, budget, self.stopped) for model in models}
        self.pool = ThreadPoolExecutor(settings.concurrency, thread_name_prefix="llm")
        self.pending: set[Future] = set()
        # rows that wait for a call, by its key; calls that failed, which the ledger does not give back as finished
        self.waiting: dict[str, list[Planned]] = {}
        self.failed: dict[str, dict] = {}
        self.over: list[tuple[Planned, dict]] = []
        self.cost = 0.0
        self.ended = 0

    def __enter__(self) -> Calls:
        return self

    def __exit__(self, *_) -> None:
        # after an error or Ctrl-C: no new call, no further retry; replies under way are paid for and still recorded
        self.stopped.set()
        self.pool.shutdown(wait=True, cancel_futures=True)
        for caller in self.callers.values():
            with suppress(Exception):  # of others' code: the replies are there and recorded
                caller.provider.close()

    def add(self, planned: Planned) -> None:
        """Make the call, unless an equal one is under way or has failed."""
        if planned.key in self.waiting:
            self.waiting[planned.key].append(planned)
            return
        if planned.key in self.failed:
            self.over.append((planned, self.failed[planned.key]))
            return
        self.waiting[planned.key] = [planned]
        self.pending.add(self.pool.submit(self._call, planned))

    def finished(self, bar, most: int) -> Iterator[tuple[int, dict]]:
        """Rows of calls that have ended, each with its place, until fewer than so many are under way."""
        while len(self.pending) >= most:
            done, self.pending = wait(self.pending, return_when=FIRST_COMPLETED)
            for future in done:
                self._end(*future.result())
            bar.set_postfix_str(f"${self.cost:.4f}")
        for planned, call in self.over:
            yield planned.place, _row(self.task, planned, call)
        bar.update(len(self.over))
        self.over = []

    def _end(self, call: Call, cost_usd: float) -> None:
        """cost_usd: of what was sent now; that of the call may be of earlier builds, too."""
        self.cost += cost_usd
        self.ended += 1
        if self.ended % COLLECTED_AFTER == 0:
            gc.collect(1)
        row = vars(call)
        if call.attempts and call.status not in FINAL:
            self.failed[call.call_key] = {name: row[name] for name in RESULT_COLUMNS}
        self.over += [(planned, row) for planned in self.waiting.pop(call.call_key)]

    def _call(self, planned: Planned) -> tuple[Call, float]:
        """The call as the ledger holds it then, and what it cost now: nothing where it has ended meanwhile."""
        caller = self.callers[planned.model.model_id]
        # an attempt that is cut at the deadline and what a full machine adds to it
        with self.ledger.asking(planned.key, caller.deadline_seconds + CLAIMED_SECONDS, self.stopped):
            if self.ledger.finished([planned.key]):
                return self.ledger.as_held(_record(self.task, planned, Outcome(), _now())), 0.0
            return self._made(planned, caller)

    def _made(self, planned: Planned, caller: Caller) -> tuple[Call, float]:
        """Written before each attempt and at the end, so that a kill loses neither a reply nor what one may cost."""
        requested_at, written = _now(), Outcome()

        def write(outcome: Outcome) -> None:
            nonlocal written
            self.ledger.record(_record(self.task, planned, outcome.since(written), requested_at))
            written = outcome

        # asked for here, since another build may have left it while this one waited for it
        kept = self.ledger.unrepaired([planned.key]).get(planned.key)
        try:
            outcome = caller.call(planned.request(self.task), kept, write)
        except CallError as refused:
            if refused.outcome.attempts:
                write(refused.outcome)
            raise
        if outcome.attempts or outcome.status in FINAL:
            write(outcome)
        return self.ledger.as_held(_record(self.task, planned, outcome, requested_at)), outcome.cost_usd


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
        endpoint=without_login(model.endpoint),
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
        unanswered_usd=outcome.unanswered_usd,
        cached_input_tokens=outcome.cached_input_tokens,
        answered_by=outcome.answered_by,
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
    row = {column: own[column] if column in own else call[column] for column in COLUMNS}
    # what was never sent took nothing that could be measured, and without a reply there is no time until one
    unmeasured = () if call["attempts"] else ("input_tokens", "output_tokens", "cost_usd")
    is_timed = bool(row["latency_seconds"]) or planned.model.is_baseline
    return row | dict.fromkeys(unmeasured if is_timed else (*unmeasured, "latency_seconds"))


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
    columns |= {"estimated_input_tokens": "bigint", "requested_at": "varchar", "unanswered_usd": "double"}
    columns |= {"cached_input_tokens": "bigint", "answered_by": "varchar"}
    with Ledger(ledger_path()) as ledger:
        rows = [dict(zip(columns, row, strict=True)) for row in ledger.rows(list(columns))]
    return as_relation(session, rows, columns)
