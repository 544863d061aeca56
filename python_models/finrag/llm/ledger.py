"""The ledger: every call to a language model, in a SQLite file of its own.

A call is committed before each of its attempts and the moment it ends, outside the transaction that builds the
warehouse. So a build that is killed loses the replies under way and no other, what those may cost is here, and a
rebuild, a full refresh included, asks here before it asks a provider.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from filelock import FileLock, Timeout

from finrag.errors import FinragError
from finrag.llm.budget import LOOKS_EVERY_SECONDS, refused_in_build

DEFAULT_PATH = "warehouse/ledger/calls.sqlite"
VERSION = 1

FINAL = ("ok", "repaired", "invalid_output", "recitation", "safety", "max_tokens", "refused")
"""The model has answered, and would answer the same again: never sent again. After any other status no answer came, and
the next build sends it again, or one whose repair could not be carried out, and the next build sends the repair. A call
is a row when something was sent: over_budget is one whose money ran out between two attempts."""

CLAIMED: set[tuple[Path, str]] = set()
"""Calls that this process is asking: the file of the ledger and call_key."""


@dataclass(frozen=True)
class Call:
    """One row: what was asked, what came back, and what it took. SUMS are over all attempts, those of all builds."""

    call_key: str
    task: str
    item_id: str
    model_id: str
    provider: str
    model_name: str
    endpoint: str | None
    prompt_version: str
    replicate: int
    parameters: str
    prompt: str
    status: str
    finish_reason: str | None
    attempts: int
    estimated_input_tokens: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    latency_seconds: float
    requested_at: str
    error: str | None
    output: str | None
    raw_text: str | None
    raw_response: str | None
    # at most, of attempts that were sent and not answered, which may be billed; it is in no cost
    unanswered_usd: float = 0.0
    # of input_tokens, those that the provider had cached
    cached_input_tokens: int = 0
    # the model that the provider says gave the last reply; of calls of 0.9.0 and before not known
    answered_by: str | None = None


@dataclass(frozen=True)
class Kept:
    """A reply that did not fit, is paid for, and whose repair could not be carried out.

    raws: the responses of the call, that of the last, which text and finish_reason are of, at the end.
    """

    text: str
    finish_reason: str
    raws: tuple[str, ...]


NUMBERS = {
    "replicate": "integer",
    "attempts": "integer",
    "estimated_input_tokens": "integer",
    "input_tokens": "integer",
}
NUMBERS |= {"output_tokens": "integer", "cost_usd": "real", "latency_seconds": "real"}
NUMBERS |= {"unanswered_usd": "real default 0", "cached_input_tokens": "integer default 0"}
COLUMNS = tuple(field.name for field in fields(Call))
RESULT_COLUMNS = tuple(
    name for name in COLUMNS if name not in ("prompt", "parameters", "raw_response", "endpoint", "model_name")
)
# What adds up where a call is made again after a failure.
SUMS = ("attempts", "input_tokens", "output_tokens", "cost_usd", "latency_seconds", "unanswered_usd")
SUMS += ("cached_input_tokens",)
# -001, -0613, -2024-07-18, @20250929, -v1:0: what a provider adds to the name of a model. 4.1 is not a version of 4.
VERSION_OF_MODEL = re.compile(r"[-@:](?:[0-9]{3,}|v[0-9])[-0-9.:v]*")
KEYS_PER_QUERY = 500
WAIT_SECONDS = 60


def call_key(
    provider: str,
    model_name: str,
    prompt_id: str,
    prompt_version: str,
    prompt: str,
    parameters: str,
    replicate: int,
    endpoint: str | None = None,
) -> str:
    """What makes two calls the same call. The schema is part of prompt_version and of the rendered prompt.

    endpoint: where the call goes; None for the provider's own. Up to 0.8.0 keys were made without it.
    """
    parts = [provider, model_name, prompt_id, prompt_version, prompt, parameters, replicate]
    return hashlib.sha256(json.dumps(parts + ([endpoint] if endpoint else [])).encode()).hexdigest()[:32]


def ledger_path() -> Path:
    return Path(os.environ.get("FINRAG_LEDGER") or DEFAULT_PATH)


@dataclass(frozen=True)
class Total:
    """What the ledger's calls come to."""

    usd: float = 0.0
    calls: int = 0
    unfinished: int = 0
    unanswered_usd: float = 0.0
    unanswered: int = 0
    answered_by_others: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def since(cls, moment: str = "") -> Total:
        """Of all calls, or those that began at a moment or later; nothing where there is no ledger."""
        if not ledger_path().exists():
            return cls()
        with Ledger(ledger_path()) as ledger:
            return cls(*ledger.total(moment), ledger.answered_by_others(moment))


def cost_of_calls(place: str) -> str:
    """The line that ends a build; place: where else the calls stand. The table of calls may be of an earlier build."""
    try:
        total = Total.since()
    except FinragError as error:  # which is what the build fails by, where it needs the ledger
        return f"unknown. {error}"
    line = f"${total.usd:.2f} for {total.calls:,} calls to language models so far ({place})"
    if total.unanswered:
        most = math.ceil(total.unanswered_usd * 100) / 100
        line += f"; at most ${most:.2f} more for {total.unanswered:,} of them, by attempts that got no answer"
    for asked, by, calls in total.answered_by_others:
        line += f"; {calls:,} of them to {asked} were answered by {by}, and stand here at the price of {asked}"
    if refused := refused_in_build():
        line += f"; the budget of this build ran out before {refused:,} calls"
    if total.unfinished:
        line += f"; {total.unfinished:,} unfinished calls are tried again by the next build that wants them"
    return line


class Ledger:
    """The file, open. Threads may share one; several processes may open the same file."""

    def __init__(self, path: Path):
        """Open or create the file; raises FinragError when it is something else or was written by a newer version."""
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # two processes that make the file meet in what SQLite does not wait for: the switch to WAL
            with FileLock(f"{path}.lock", timeout=WAIT_SECONDS, mode=0o600, poll_interval=0.005):
                # prompts and replies are its owner's; what SQLite puts beside it has the same mode
                path.touch(mode=0o600)
                if path.is_file():
                    path.chmod(0o600)
                self._connection = sqlite3.connect(
                    path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
                )
                self._prepare()
        except (sqlite3.Error, OSError, Timeout) as error:
            raise FinragError(
                f"The ledger of language model calls {path} cannot be opened: {error}. "
                "FINRAG_LEDGER names the file; it must be writable and be a ledger or not exist yet."
            ) from error

    def _prepare(self) -> None:
        # With WAL, "normal" keeps every commit when the process is killed; only a power cut may lose the last few.
        for setting in ("journal_mode = wal", "synchronous = normal"):
            self._connection.execute(f"pragma {setting}")
        version = self._connection.execute("pragma user_version").fetchone()[0]
        if version > VERSION:
            raise FinragError(
                f"The ledger {self.path} has version {version}, this code knows {VERSION}. Update the code."
            )
        columns = ", ".join(f"{name} {NUMBERS.get(name, 'text')}" for name in COLUMNS)
        with self._transaction():
            self._connection.execute(f"create table if not exists calls ({columns}, primary key (call_key))")
            self._connection.execute(
                "create table if not exists asked (call_key text primary key, host text, process integer, until real)"
            )
            held = {name for _, name, *_ in self._connection.execute("pragma table_info(calls)")}
            # of ledgers of 0.9.0 and before; those versions name the columns that they write, so they may go on
            for name in [name for name in COLUMNS if name not in held]:
                self._connection.execute(f"alter table calls add column {name} {NUMBERS.get(name, 'text')}")
            self._connection.execute(f"pragma user_version = {VERSION}")

    def _transaction(self):
        return _Transaction(self._connection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def record(self, call: Call) -> None:
        """Commit one call. Where the ledger holds it, SUMS are added to, and the rest is replaced unless it is FINAL.

        Of two builds that ask the same at the same time, the one that fails or comes later takes no answer away.
        """
        columns = ", ".join(COLUMNS)
        final = ", ".join(f"'{status}'" for status in FINAL)
        replaced = ", ".join(
            f"{name} = {name} + excluded.{name}"
            if name in SUMS
            else f"{name} = case when status in ({final}) then {name} else {_later(name)} end"
            for name in COLUMNS
            if name != "call_key"
        )
        statement = (
            f"insert into calls ({columns}) values ({', '.join('?' * len(COLUMNS))}) "
            f"on conflict (call_key) do update set {replaced}"
        )
        with self._writing("A finished call") as connection:
            connection.execute(statement, astuple(call))

    @contextmanager
    def asking(self, key: str, seconds: float, stopped: threading.Event) -> Iterator[None]:
        """While inside, for so many seconds at most, no other build sends the call; one that does is waited for.

        A build that was killed keeps nobody waiting, unless it ran on another machine. Nothing is waited for once
        stopped is set.
        """
        while not (is_mine := self._claim(key, seconds)):
            if stopped.wait(LOOKS_EVERY_SECONDS):
                break
        try:
            yield
        finally:
            if is_mine:
                with self._writing("The end of a call") as connection, self._transaction():
                    connection.execute("delete from asked where call_key = ?", [key])
                    CLAIMED.discard((self.path.resolve(), key))

    def _claim(self, key: str, seconds: float) -> bool:
        mine = (key, socket.gethostname(), os.getpid(), time.time() + seconds)
        with self._writing("A call that is to be sent") as connection, self._transaction():
            held = connection.execute("select host, process, until from asked where call_key = ?", [key]).fetchone()
            claim = (self.path.resolve(), key)
            if held and _is_under_way(*held, is_ours=claim in CLAIMED):
                return False
            connection.execute("insert or replace into asked values (?, ?, ?, ?)", mine)
            CLAIMED.add(claim)
        return True

    @contextmanager
    def _writing(self, what: str) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connection
        except sqlite3.Error as error:
            raise FinragError(
                f"{what} could not be written to the ledger {self.path}: {error}. The build stops, because "
                "calls without a record would be paid again. Check the disk and build again."
            ) from error

    def as_held(self, call: Call) -> Call:
        """The call as the next build will find it: SUMS over all builds, and the answer where another one got it."""
        for row in self._select(RESULT_COLUMNS, [call.call_key]):
            return replace(call, **(row if row["status"] in FINAL else {name: row[name] for name in SUMS}))
        return call

    def unrepaired(self, keys: Iterable[str]) -> dict[str, Kept]:
        """Replies among some calls that did not fit and whose repair could not be carried out, by call_key."""
        columns = ("call_key", "status", "raw_text", "finish_reason", "raw_response")
        rows = [row for row in self._select(columns, keys) if row["status"] not in FINAL]
        return {
            row["call_key"]: Kept(row["raw_text"], row["finish_reason"], tuple(json.loads(row["raw_response"])))
            for row in rows
            if row["raw_text"] is not None and row["raw_response"]
        }

    def finished(self, keys: Iterable[str]) -> dict[str, dict]:
        """Final calls among some keys: call_key to RESULT_COLUMNS."""
        return {row["call_key"]: row for row in self._select(RESULT_COLUMNS, keys) if row["status"] in FINAL}

    def finished_with_endpoint(self, keys: Iterable[str]) -> dict[str, tuple[str | None, dict]]:
        """Final calls among some keys: call_key to where the call went and its RESULT_COLUMNS."""
        rows = self._select((*RESULT_COLUMNS, "endpoint"), keys)
        return {row["call_key"]: (row.pop("endpoint"), row) for row in rows if row["status"] in FINAL}

    def _select(self, columns: Sequence[str], keys: Iterable[str]) -> Iterator[dict]:
        wanted = list(dict.fromkeys(keys))
        for start in range(0, len(wanted), KEYS_PER_QUERY):
            some = wanted[start : start + KEYS_PER_QUERY]
            marks = ", ".join("?" * len(some))
            with self._lock:
                rows = self._connection.execute(
                    f"select {', '.join(columns)} from calls where call_key in ({marks})", some
                ).fetchall()
            for row in rows:
                yield dict(zip(columns, row, strict=True))

    def rows(self, columns: Sequence[str]) -> list[tuple]:
        """Some columns of every call, oldest first."""
        with self._lock:
            return self._connection.execute(
                f"select {', '.join(columns)} from calls order by requested_at, call_key"
            ).fetchall()

    def total(self, since: str) -> tuple:
        """What Total has, of calls that began at a moment or later."""
        final = ", ".join("?" * len(FINAL))
        with self._lock:
            return self._connection.execute(
                f"select coalesce(sum(cost_usd), 0.0), count(*), count(*) filter (where status not in ({final})), "
                "coalesce(sum(unanswered_usd), 0.0), count(*) filter (where unanswered_usd > 0) "
                "from calls where requested_at >= ?",
                (*FINAL, since),
            ).fetchone()

    def answered_by_others(self, since: str) -> tuple[tuple[str, str, int], ...]:
        """model_id, who answered in its place, and how many calls, of those that began at a moment or later."""
        with self._lock:
            found = self._connection.execute(
                "select model_id, answered_by, model_name, count(*) from calls "
                "where answered_by is not null and requested_at >= ? group by 1, 2, 3 order by 1, 2, 3",
                (since,),
            ).fetchall()
        return tuple((asked, by, calls) for asked, by, name, calls in found if not is_version_of(by, name))

    def usage(self, model_id: str, task: str) -> tuple[int, float | None, float | None]:
        """Of a model's answered calls of a task: count, input tokens per estimated one, output tokens per call."""
        with self._lock:
            return self._connection.execute(
                "select count(*), sum(input_tokens) * 1.0 / nullif(sum(estimated_input_tokens), 0), avg(output_tokens) "
                "from calls where model_id = ? and task = ? and input_tokens > 0 and status in ('ok', 'repaired')",
                (model_id, task),
            ).fetchone()


def _later(name: str) -> str:
    """What a column of an unfinished call becomes: who gave a reply that is kept stays known."""
    return "coalesce(excluded.answered_by, answered_by)" if name == "answered_by" else f"excluded.{name}"


def is_version_of(answered: str, asked: str) -> bool:
    """Whether the model that answered is the one that was asked: its name, or that with a date or a version's number.

    What stands before a slash is whose it is, which gateways leave out or add. A name for no model, as servers of one's
    own take, and a name for whichever is the latest have no version.
    """
    answered, asked = (name.lower().rsplit("/", 1)[-1] for name in (answered, asked))
    rest = answered.removeprefix(asked)
    return answered == asked or (rest != answered and VERSION_OF_MODEL.fullmatch(rest) is not None)


def _is_under_way(host: str, process: int, until: float, *, is_ours: bool) -> bool:
    """Whether who asked may still ask; is_ours: this process has claimed the call and not let go of it."""
    if time.time() > until:
        return False
    if host != socket.gethostname():
        return True
    if process == os.getpid():  # else of a container before its restart, which has the same name and numbers again
        return is_ours
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of somebody else, and alive
        return True
    return True


class _Transaction:
    """Several statements at once, so that two processes that create the file do not meet halfway."""

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("begin immediate")

    def __exit__(self, kind: object, *rest: object) -> None:
        self._connection.execute("rollback" if kind else "commit")
