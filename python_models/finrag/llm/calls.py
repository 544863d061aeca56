"""One call, from the rendered prompt to a status: attempts, waits, one repair, and what it took."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from finrag.errors import FinragError
from finrag.llm.budget import Budget
from finrag.llm.ledger import SUMS, Kept
from finrag.llm.limits import RateLimit
from finrag.llm.models import Model, redact
from finrag.llm.providers import Message, Provider, ProviderError, Reply, Request, counted
from finrag.llm.schemas import Reading, read_reply, storable
from finrag.llm.tokens import estimate_tokens, most_tokens

MOST_ATTEMPTS = 10
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
# More than any context window holds.
MOST_TOKENS = 100_000_000
GIVE_UP_AFTER = 20
"""Failed calls in a row, without a reply in between, after which a model's remaining calls are not sent."""

STOPPED = "not sent: the build was stopped"
INTERRUPTED = "the build ended before a reply came"
REPAIR = """Your reply does not fit the JSON Schema: {error}
Reply again to the same input. Give one JSON object that follows the schema, complete, and nothing else."""
REPAIR_OF_TEXT = "Your reply was empty. Reply again to the same input."

ENDED = ("recitation", "safety", "refused")
"""Outcomes of a reply that the provider or the model would not finish: what came of it is not read."""


@dataclass
class Outcome:
    """The end of one call, or how far it has come. Tokens, cost and latency are sums over the replies that came.

    unanswered_usd: at most, what attempts that were sent and not answered are billed. answered_by: the model that the
    provider says gave the last reply.
    """

    status: str = ""
    output: str | None = None
    raw_text: str | None = None
    raw_responses: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    error: str | None = None
    attempts: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    latency_seconds: float = 0.0
    unanswered_usd: float = 0.0
    answered_by: str | None = None

    def since(self, earlier: Outcome) -> Outcome:
        """The same with what was added to SUMS since then."""
        return replace(self, **{name: getattr(self, name) - getattr(earlier, name) for name in SUMS})


class OverBudgetError(Exception):
    """The next attempt could cost more than is left."""


class CallError(FinragError):
    """A call that met what only the user can mend, such as a refused key. outcome: what it had come to until then."""

    def __init__(self, message: str, outcome: Outcome):
        super().__init__(message)
        self.outcome = outcome


class Health:
    """Counts a model's failed calls in a row, so that a dead endpoint does not cost every call its deadline."""

    def __init__(self) -> None:
        self._failures = 0
        self._lock = threading.Lock()

    @property
    def is_given_up(self) -> bool:
        return self._failures >= GIVE_UP_AFTER

    def note(self, is_failure: bool) -> None:
        with self._lock:
            self._failures = self._failures + 1 if is_failure else 0


@dataclass
class Caller:
    """Carries out calls of one model; several threads may use it at once."""

    model: Model
    provider: Provider
    limit: RateLimit
    budget: Budget
    deadline_seconds: float
    repair_calls: int
    secrets: tuple[str | None, ...] = ()
    health: Health = field(default_factory=Health)
    stopped: threading.Event = field(default_factory=threading.Event)

    def call(
        self, request: Request, kept: Kept | None = None, write: Callable[[Outcome], object] = lambda outcome: None
    ) -> Outcome:
        """Send the request until there is a reply or no more time, and read the reply. Raises only CallError.

        kept: the reply that an earlier build got; then its repair is all that is sent. write: given, before each
        attempt, what is true of the call if the build is killed before the next reply.
        """
        outcome = Outcome()
        if kept:
            outcome = Outcome(raw_text=kept.text, finish_reason=kept.finish_reason, raw_responses=list(kept.raws))
        if self.stopped.is_set():
            return self._failed(outcome, "provider_error", STOPPED)
        if self.health.is_given_up:
            return self._failed(outcome, "provider_error", f"not sent: {GIVE_UP_AFTER} calls in a row had failed")
        if too_long := self._too_long(request):
            return self._failed(outcome, "provider_error", too_long)
        attempts = _Attempts(self, outcome, write)
        try:
            reply = _as_reply(kept) if kept else attempts.until_reply(request)
            self._read(request, reply, attempts, outcome)
        except FinragError as error:  # it quotes the provider, who may quote the key
            said = self._kept(str(error))
            raise CallError(said, self._failed(outcome, "provider_error", said)) from None
        except OverBudgetError as error:
            return self._failed(outcome, "over_budget", str(error))
        except ProviderError as failure:
            if outcome.attempts:  # what was never sent says nothing of the endpoint
                self.health.note(is_failure=True)
            return self._failed(outcome, failure.status, str(failure))
        if outcome.error is None and attempts.doubts:
            outcome.error = "; ".join(attempts.doubts)
        return self._redacted(outcome)

    def _failed(self, outcome: Outcome, status: str, error: str) -> Outcome:
        """No attempt brought what was to be sent. Where that was a repair, the fault it was for is in outcome.error."""
        outcome.status, outcome.error = status, _of_repair(outcome.error, error) if outcome.error else error
        return self._redacted(outcome)

    def _redacted(self, outcome: Outcome) -> Outcome:
        for name in ("error", "output", "finish_reason", "raw_text", "answered_by"):
            setattr(outcome, name, None if getattr(outcome, name) is None else self._kept(getattr(outcome, name)))
        outcome.raw_responses = [self._kept(raw) for raw in outcome.raw_responses]
        return outcome

    def _kept(self, text: str) -> str:
        """A text as it is kept and shown; also an error's may hold a key, or what no file takes."""
        return storable(redact(text, self.secrets) or "")

    def _too_long(self, request: Request) -> str | None:
        tokens = sum(map(estimate_tokens, _texts(request))) + request.max_output_tokens
        if self.model.context_tokens and tokens > self.model.context_tokens:
            return f"not sent: prompt and reply need about {tokens} tokens, the model takes {self.model.context_tokens}"
        return None

    def _read(self, request: Request, reply: Reply, attempts: _Attempts, outcome: Outcome) -> None:
        outcome.raw_text, outcome.finish_reason = reply.text, reply.finish_reason
        reading = read_reply(reply.text, request.task.output)
        if reply.outcome == "unreadable":
            outcome.status, outcome.finish_reason, outcome.error = "invalid_output", None, reply.finish_reason
        elif _fits(request, reply, reading):
            outcome.status, outcome.output = "ok" if reading.is_bare else "repaired", reading.output
        elif ending := _ending(request, reply):
            outcome.status, outcome.error = reply.outcome, ending
        else:
            self._repair(request, reply, reading, attempts, outcome)

    def _repair(self, request: Request, reply: Reply, reading: Reading, attempts: _Attempts, outcome: Outcome) -> None:
        """Show the model its own reply and the fault, so often as allowed; the last fault stays in error.

        Raises what until_reply does: a repair that was never carried out says nothing of the model.
        """
        outcome.status, outcome.error = "invalid_output", reading.error
        while _may_be_repaired(outcome.raw_responses, self.repair_calls):
            outcome.raw_text, outcome.finish_reason = reply.text, reply.finish_reason
            reply = attempts.until_reply(repair_of(request, reply.text, str(reading.error)))
            reading = read_reply(reply.text, request.task.output)
            if _fits(request, reply, reading):
                outcome.status, outcome.output, outcome.error = "repaired", reading.output, None
                outcome.raw_text, outcome.finish_reason = reply.text, reply.finish_reason
                return
            if ending := _ending(request, reply):
                outcome.error = _of_repair(outcome.error, ending)
                return
            outcome.error = reading.error


def _may_be_repaired(raws: Sequence[str], repair_calls: int) -> bool:
    """raws: the responses so far, of which all but the first are to repairs."""
    return len(raws) <= repair_calls


def repair_of(request: Request, text: str, error: str) -> Request:
    """The request that shows the model its reply to request, and what is wrong with it."""
    fault = REPAIR_OF_TEXT if request.task.output is None else REPAIR.format(error=error)
    turns = (*request.messages, Message("assistant", text or "(empty)"), Message("user", fault))
    return replace(request, messages=turns)


def next_request(request: Request, kept: Kept | None, repair_calls: int) -> Request | None:
    """What a call sends first: the request, or the repair of the kept reply; None where that reply is the end of it."""
    if kept is None:
        return request
    reading = read_reply(kept.text, request.task.output)
    if reading.error is None or not _may_be_repaired(kept.raws, repair_calls):
        return None
    return repair_of(request, kept.text, reading.error)


def _as_reply(kept: Kept) -> Reply:
    """Replies that the provider ended are not repaired, so the model ended this one."""
    return Reply(kept.text, "stop", kept.finish_reason, None, None, kept.raws[-1])


def _fits(request: Request, reply: Reply, reading: Reading) -> bool:
    """Whether the reply is what was asked for. A cut one is when it holds the whole object; cut text never is."""
    is_cut_text = reply.outcome == "max_tokens" and request.task.output is None
    return reading.error is None and reply.outcome not in (*ENDED, "unreadable") and not is_cut_text


def _ending(request: Request, reply: Reply) -> str | None:
    """What kept the reply from being complete, in words; None where the model ended it by itself."""
    if reply.outcome == "unreadable":
        return reply.finish_reason
    if reply.outcome in ENDED:
        return f"the provider ended the reply: {reply.finish_reason}"
    return f"the reply was cut at {request.max_output_tokens} tokens" if reply.outcome == "max_tokens" else None


def _of_repair(fault: str | None, failure: str) -> str:
    return f"{fault}; the repair failed: {failure}"


class _Attempts:
    """The attempts of one call inside one deadline, which starts when the first one is sent."""

    def __init__(self, caller: Caller, outcome: Outcome, write: Callable[[Outcome], object]):
        self._caller = caller
        self._outcome = outcome
        self._write = write
        self._end: float | None = None
        self._failure: ProviderError | None = None
        self.doubts: list[str] = []

    def until_reply(self, request: Request) -> Reply:
        """Raises ProviderError when time or attempts are used up, or no further attempt can help; OverBudgetError."""
        from tenacity import Retrying, retry_if_exception

        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, ProviderError) and error.is_retryable),
            wait=self._wait,
            stop=self._is_over,
            sleep=self._caller.stopped.wait,
            reraise=True,
        )
        reply = retrying(self._attempt, request)
        self._caller.health.note(is_failure=False)
        return reply

    def _is_over(self, state) -> bool:
        return (
            state.attempt_number >= MOST_ATTEMPTS
            or state.upcoming_sleep >= self._left()
            or self._caller.stopped.is_set()
        )

    def _left(self) -> float:
        return self._caller.deadline_seconds if self._end is None else self._end - time.monotonic()

    def _wait(self, state) -> float:
        """Exponential back-off with jitter, and never less than the provider asks for.

        One that asks for a second each time must not use up all attempts within seconds.
        """
        failure = state.outcome.exception()
        backoff = random.uniform(0.5, 1) * min(
            LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (state.attempt_number - 1)
        )
        asked = failure.retry_after
        if asked is not None and failure.status == "rate_limited":
            self._caller.limit.pause(asked)
        # the jitter keeps threads that were told the same moment from coming back at the same moment
        return max(backoff, (asked or 0.0) + random.uniform(0, min(1.0, backoff)))

    def _attempt(self, request: Request) -> Reply:
        caller, price = self._caller, self._caller.model.price
        texts = _texts(request)
        tokens = sum(map(estimate_tokens, texts)) + request.max_output_tokens
        patience = None if self._end is None else max(0.0, self._left())
        if not caller.limit.acquire(tokens, patience, caller.stopped, caller.deadline_seconds):
            self._look_whether_stopped()
            raise ProviderError("rate_limited", self._no_room(), is_retryable=False)
        most = price.cost(sum(map(most_tokens, texts)), request.max_output_tokens)
        if not caller.budget.reserve(most, caller.stopped):
            self._look_whether_stopped()
            raise OverBudgetError(
                f"not sent: it could cost ${most:.4f} and ${caller.budget.left:.4f} of the budget are left"
            )
        spent = 0.0
        if self._end is None:
            self._end = time.monotonic() + caller.deadline_seconds
        self._outcome.attempts += 1
        seconds = max(0.01, min(caller.model.timeout_seconds, self._end - time.monotonic()))
        try:
            self._write(self._if_killed(most))
            start = time.monotonic()
            reply = self._sent(request, seconds)
            spent = self._tally(request, reply, time.monotonic() - start)
            return reply
        except FinragError:
            # before the reservation is given up, which calls wait for that are not to be sent any more
            caller.stopped.set()
            raise
        except ProviderError as failure:
            spent = most if failure.may_be_billed else 0.0
            self._outcome.unanswered_usd += spent
            # the deadline cut this attempt short, so it says less of the model than the one before
            if self._failure and failure.status == "timeout" and seconds < caller.model.timeout_seconds:
                raise self._failure from failure
            self._failure = failure
            raise
        finally:
            caller.budget.settle(most, spent)

    def _if_killed(self, most: float) -> Outcome:
        """The call with an attempt under way that may cost so much: replies so far are kept, this one may be billed."""
        so_far = replace(self._outcome, unanswered_usd=self._outcome.unanswered_usd + most)
        return self._caller._failed(so_far, "provider_error", INTERRUPTED)

    def _no_room(self) -> str:
        if asked := self._caller.limit.paused():
            return f"not sent: the provider asks to wait {asked:,.0f} s more, longer than the deadline"
        return "not sent: no room within the rate limit before the deadline"

    def _look_whether_stopped(self) -> None:
        if self._caller.stopped.is_set():
            raise ProviderError("provider_error", STOPPED, is_retryable=False)

    def _sent(self, request: Request, seconds: float) -> Reply:
        """The provider's reply with texts that can be stored. Whatever else a provider raises is a failed attempt."""
        try:
            reply = self._caller.provider.send(request, seconds)
            texts = {name: storable(str(getattr(reply, name))) for name in ("text", "finish_reason", "raw")}
            return replace(reply, **texts)
        except (ProviderError, FinragError):
            raise
        except Exception as error:  # of the provider's own library, which may raise what it likes: the call has failed
            what = f"the client failed: {type(error).__name__}: {error}"
            # what cannot be encoded was not sent
            billed = not isinstance(error, UnicodeEncodeError)
            raise ProviderError("provider_error", what, is_retryable=False, may_be_billed=billed) from error

    def _tally(self, request: Request, reply: Reply, seconds: float) -> float:
        """Add a reply to the outcome; what counts against the budget: no less than its texts make likely.

        Tokens that the provider does not state, or states as what is no count, are estimated; a count that cannot be
        is a doubt.
        """
        estimated_input, estimated_output = sum(map(estimate_tokens, _texts(request))), estimate_tokens(reply.text)
        input_tokens = self._stated("input", reply.input_tokens, estimated_input)
        output_tokens = self._stated("output", reply.output_tokens, estimated_output)
        if output_tokens > 2 * request.max_output_tokens:
            self.doubts.append(
                f"{output_tokens:,} output tokens stated where {request.max_output_tokens:,} were allowed"
            )
        price, cached = self._caller.model.price, self._cached(reply.cached_input_tokens, input_tokens)
        cost = price.cost(input_tokens, output_tokens, cached_tokens=cached)
        outcome = self._outcome
        outcome.input_tokens += input_tokens
        outcome.cached_input_tokens += cached
        outcome.output_tokens += output_tokens
        outcome.cost_usd += cost
        outcome.latency_seconds += seconds
        outcome.raw_responses.append(reply.raw)
        outcome.answered_by = reply.answered_by if isinstance(reply.answered_by, str) else None
        likely = max(input_tokens, estimated_input), max(output_tokens, estimated_output)
        return max(cost, price.cost(*likely, cached_tokens=cached))

    def _cached(self, stated: object, input_tokens: int) -> int:
        """Of the input tokens, those that the provider says it had cached; more than there are is none, and a doubt."""
        cached = self._stated("cached input", stated, 0)
        if cached <= input_tokens:
            return cached
        self.doubts.append(f"{cached:,} cached input tokens stated where {input_tokens:,} went in")
        return 0

    def _stated(self, kind: str, stated: object, estimated: int) -> int:
        stated = counted(stated)
        if isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated <= MOST_TOKENS:
            return stated
        if stated is not None:
            self.doubts.append(
                f"{redact(str(stated), self._caller.secrets)[:40]!r} stated as {kind} tokens, {estimated:,} estimated"
            )
        return estimated


def _texts(request: Request) -> list[str]:
    return [request.system, *(turn.text for turn in request.messages)]
