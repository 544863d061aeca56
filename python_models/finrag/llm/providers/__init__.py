"""Providers: how a request reaches a model. One file each; ``PROVIDER`` in the file is the name that registry rows use.

A provider file defines

- ``PROVIDER``: its name in the column provider of ``seeds/llm_models.csv``;
- ``IS_PRICED``: whether a price is required, because somebody sends a bill;
- ``IS_REMEMBERED``: whether calls go through the ledger (everything but the baseline);
- ``ENDPOINT``, where it has an address of its own: where calls go whose model names none;
- ``connect(model, key)``: an object with ``send(request, timeout) -> Reply``, safe to use from several threads, and
  ``close()``.

``send`` makes one attempt. It gives a ``Reply`` whatever the model chose to do, blocked and cut replies included, and
raises ``ProviderError`` for what a later attempt may mend and for what it may not, or ``FinragError`` for what only
the user can: a refused key, an unknown model. An error in the body is one whatever the HTTP status (``stated_error``).
It must end within ``timeout`` seconds, however slowly bytes arrive.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import textwrap
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from finrag import plugins
from finrag.errors import FinragError
from finrag.project import registry_of

if TYPE_CHECKING:
    from finrag.llm.models import Model
    from finrag.llm.tasks import Task

# What a provider file defines.
DEFINED = ("PROVIDER", "IS_PRICED", "IS_REMEMBERED", "connect")
# Seconds: longer than any build waits.
LONGEST_WAIT = 86_400.0


@dataclass(frozen=True)
class Message:
    """A turn of the conversation; role is user or assistant."""

    role: str
    text: str


@dataclass(frozen=True)
class Request:
    """One attempt's content: what the model is told, and how it is to decode. inputs are for the baseline alone."""

    task: Task
    inputs: dict
    system: str
    messages: tuple[Message, ...]
    max_output_tokens: int
    temperature: float | None
    structured_output: str


@dataclass(frozen=True)
class Reply:
    """What came back.

    outcome: ``stop`` when the model ended by itself, else ``max_tokens``, ``recitation``, ``safety`` or ``refused``;
    ``unreadable`` where the response came whole and cannot be read, finish_reason saying why. finish_reason: otherwise
    the provider's own word. Tokens are what the provider states, None when it states none; ``finrag.llm.calls`` takes
    what is no count for none. raw: the response as it came. cached_input_tokens: of the input tokens, those that the
    provider had cached, which may cost less. answered_by: the model that the provider says replied, a version of the
    one that was asked, or another.
    """

    text: str
    outcome: str
    finish_reason: str
    input_tokens: object
    output_tokens: object
    raw: str
    cached_input_tokens: object = None
    answered_by: object = None

    @classmethod
    def unreadable(
        cls,
        why: str,
        raw: str,
        input_tokens: object = None,
        output_tokens: object = None,
        cached_input_tokens: object = None,
    ) -> Reply:
        return cls("", "unreadable", why, input_tokens, output_tokens, raw, cached_input_tokens)


class Provider(Protocol):
    """A connection to one model."""

    def send(self, request: Request, timeout: float) -> Reply: ...

    def close(self) -> None: ...


class ProviderError(Exception):
    """An attempt without a reply. status: rate_limited, timeout or provider_error.

    retry_after: seconds the provider asked to wait. may_be_billed: the request may have been carried out unseen.
    """

    def __init__(
        self,
        status: str,
        message: str,
        *,
        is_retryable: bool = True,
        retry_after: float | None = None,
        may_be_billed: bool = False,
    ):
        super().__init__(message)
        self.status = status
        self.is_retryable = is_retryable
        self.retry_after = retry_after
        self.may_be_billed = may_be_billed


# asked for once a call: a folder's files are looked through once
@cache
def own_providers() -> dict[str, ModuleType]:
    """The files of this folder, by their PROVIDER."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.PROVIDER: module for module in modules}


def find_provider(name: str, model_id: str) -> ModuleType:
    """The file, or the plugin, whose PROVIDER is name; raises FinragError for another name."""
    providers = own_providers()
    others = plugins.plugins(plugins.PROVIDERS)
    if name not in providers and name in others:
        return of_plugin(name, plugins.load(plugins.PROVIDERS, name))
    if name not in providers:
        allowed = ", ".join(sorted({*providers, *others}))
        raise FinragError(
            f"{registry_of('llm_models')}, {model_id}: unknown provider {name!r}. Allowed: {allowed}. A provider is a "
            f"file in python_models/finrag/llm/providers, or an entry point of a package in the group "
            f"{plugins.PROVIDERS}."
        )
    return providers[name]


def of_plugin(name: str, found: object) -> ModuleType:
    """What a plugin is, if it is a provider; raises FinragError naming the plugin and what it lacks."""
    lacking = [each for each in DEFINED if not hasattr(found, each)]
    if lacking or not callable(found.connect):
        raise FinragError(
            f"The plugin {name!r} of {plugins.PROVIDERS} ({plugins.plugins(plugins.PROVIDERS)[name].value}) is no "
            f"provider: it lacks {', '.join(lacking) or 'a function connect'}. Needed: {', '.join(DEFINED)}."
        )
    return found


def http_failure(model: Model, code: int, message: str, headers: Mapping[str, str]) -> Exception:
    """What an HTTP error status means, the same for every provider.

    The message is cut between words: half of a key that it repeats would not be found where keys are taken out.
    """
    said = textwrap.shorten(message, 500, placeholder=" […]", break_long_words=False, break_on_hyphens=False)
    said = f"HTTP {code}: {said}"
    if code in (401, 403):
        key = f"the key in {model.api_key_env}" if model.api_key_env else "a call without a key (api_key_env is empty)"
        return FinragError(f"The provider of {model.model_id!r} refuses {key}: {said}")
    if code == 404:
        return FinragError(
            f"The provider of {model.model_id!r} does not know the model {model.model_name!r}: {said}. "
            f"Check model_name and base_url in {registry_of('llm_models')}."
        )
    if code == 429:
        return ProviderError("rate_limited", said, retry_after=retry_after(headers))
    if code == 408:
        return ProviderError("timeout", said, may_be_billed=True)
    return ProviderError("provider_error", said, is_retryable=code >= 500, retry_after=retry_after(headers))


def stated_error(body: object) -> dict | None:
    """The error that a body states in the place of a reply, as gateways do with HTTP 200; None where it states none.

    Google's gateways state it in a list.
    """
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, str) and error:
        return {"message": error}
    return error if isinstance(error, dict) and error else None


def code_of(error: Mapping) -> int:
    """The HTTP status that an error states; 500 where it states none, since what is unknown may pass."""
    stated = (str(error.get(name)) for name in ("code", "status"))
    return next((int(code) for code in stated if len(code) == 3 and code.isdecimal() and "400" <= code <= "599"), 500)


def no_reply(what: str, usage: object) -> ProviderError:
    """A whole response without a reply in it. It is paid for where it says so, by tokens used."""
    return ProviderError("provider_error", f"the response is no {what}: it has no reply", may_be_billed=bool(usage))


def counted(stated: object) -> object:
    """A count as an integer, where it is stated as 100.0; what is none as it is."""
    return int(stated) if isinstance(stated, float) and stated.is_integer() else stated


def with_reasoning(input_tokens: object, output_tokens: object, total: object) -> object:
    """Output tokens with those of reasoning, which are billed as output and which some count in the total alone.

    A total below the input is none, and counts that cannot be are handed on.
    """
    stated, output, total = counted(input_tokens), counted(output_tokens), counted(total)
    if not (isinstance(stated, int) and isinstance(total, int) and isinstance(output or 0, int)) or total < stated:
        return output
    return output if output is not None and output < 0 else max(total - stated, output or 0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that Retry-After asks for, as seconds or a date, or OpenAI's finer header; None without a usable one."""
    with suppress(ValueError):
        return bounded(float(headers.get("retry-after-ms") or "") / 1000)
    value = (headers.get("retry-after") or headers.get("Retry-After") or "").strip()
    try:
        return bounded(float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return bounded((moment - datetime.now(UTC)).total_seconds())


def bounded(seconds: float) -> float | None:
    """A wait that clocks can hold, LONGEST_WAIT at most; None for NaN."""
    return None if math.isnan(seconds) else min(max(0.0, seconds), LONGEST_WAIT)


def seconds_left(end: float) -> float:
    """Until a moment of time.monotonic, at least a little."""
    return max(0.01, end - time.monotonic())
