"""The registry of language models, their prices, and their keys.

Rows come from ``seeds/llm_models.csv`` and ``seeds/llm_prices.csv``. A key is read from the environment variable that
the row names, is handed to the provider's client and is nowhere else: ``redact`` takes it out of every text kept.
"""

from __future__ import annotations

import html
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from functools import lru_cache
from urllib.parse import urlsplit

from finrag.errors import FinragError
from finrag.project import registry_of

# Name and password of an address.
LOGIN = re.compile(r"(?<=//)[^/?#\s]*@")
STRUCTURED_OUTPUT = ("json_schema", "json_object", "none")


@dataclass(frozen=True)
class Price:
    """What a call costs, in USD."""

    input_usd_per_million: float = 0.0
    output_usd_per_million: float = 0.0
    usd_per_thousand_requests: float = 0.0
    # None: as all input
    cached_input_usd_per_million: float | None = None

    def cost(self, input_tokens: float, output_tokens: float, requests: int = 1, cached_tokens: float = 0) -> float:
        """cached_tokens: of the input tokens, those that the provider had cached."""
        full, cached = self.input_usd_per_million, self.cached_input_usd_per_million
        return (
            (input_tokens - cached_tokens) * full
            + cached_tokens * (full if cached is None else cached)
            + output_tokens * self.output_usd_per_million
            + requests * self.usd_per_thousand_requests * 1e3
        ) / 1e6


@dataclass(frozen=True)
class Model:
    """One row of ``seeds/llm_models.csv`` with the price in force; see ``seeds/llm_models.yml`` for the fields."""

    model_id: str
    provider: str
    model_name: str
    base_url: str | None = None
    base_url_env: str | None = None
    api_key_env: str | None = None
    structured_output: str = "json_schema"
    context_tokens: int | None = None
    max_output_tokens: int | None = None
    thinking_tokens: int = 0
    temperature: float | None = 0.0
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_seconds: float = 120.0
    price: Price = Price()

    @property
    def endpoint(self) -> str | None:
        """Where calls go: the variable that base_url_env names, else base_url; None is the provider's own address."""
        return self._spelled(self._written_endpoint)

    def goes_to(self, address: str | None) -> bool:
        """Whether an address, however it is written, is where calls go."""
        return without_login(self._spelled(address)) == without_login(self.endpoint)

    def logins(self) -> tuple[str, ...]:
        """The name and password that the address of the endpoint holds, with the sign that ends them."""
        return tuple(LOGIN.findall(self._written_endpoint or ""))

    def older_endpoints(self) -> list[str | None]:
        """What keys of calls to the endpoint may hold in its place: nothing up to 0.8.0, then what was written."""
        own = self.endpoint or self._default_endpoint
        written = dict.fromkeys([None, own, own and f"{own}/", self._written_endpoint])
        return [address for address in written if address != self.endpoint]

    @property
    def _written_endpoint(self) -> str | None:
        return (os.environ.get(self.base_url_env) if self.base_url_env else None) or self.base_url

    @property
    def _default_endpoint(self) -> str | None:
        from finrag.llm.providers import find_provider

        return getattr(find_provider(self.provider, self.model_id), "ENDPOINT", None)

    def _spelled(self, address: str | None) -> str | None:
        spelled = one_spelling(address) if address else None
        return None if spelled == self._default_endpoint else spelled

    @property
    def is_baseline(self) -> bool:
        return self.provider == "baseline"

    def key(self) -> str | None:
        """The key, or None where none is needed; raises FinragError naming the variable that holds none."""
        if not self.api_key_env:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise FinragError(
                f"The model {self.model_id!r} needs a key, and the environment variable {self.api_key_env} is not set. "
                f"Set it (export {self.api_key_env}=…), or choose another model, such as baseline, which needs none."
            )
        if fault := fault_of_key(key):
            raise FinragError(f"The model {self.model_id!r} needs a key, and that in {self.api_key_env} {fault}.")
        return key

    def output_limit(self, task_limit: int) -> int:
        """Tokens a reply to a task may have, a model's thinking included."""
        wanted = task_limit + self.thinking_tokens
        return min(wanted, self.max_output_tokens) if self.max_output_tokens else wanted


@lru_cache  # asked of every call, and of every call that a ledger holds
def one_spelling(address: str) -> str | None:
    """An address as all that lead to the same place are written: no slash at the end, no default port, a small host."""
    plain = address.strip().rstrip("/")
    try:
        parts = urlsplit(plain)
    except ValueError:  # whoever calls it says what is wrong with it
        return plain
    user, at, host = parts.netloc.rpartition("@")
    host = host.lower().removesuffix({"https": ":443", "http": ":80"}.get(parts.scheme, ":"))
    return parts._replace(netloc=f"{user}{at}{host}").geturl() or None


def fault_of_key(key: str) -> str | None:
    """Why no request can carry a key, such as a dash that a text program has put into it; nothing of the key itself."""
    odd = next((sign for sign in key if not (sign.isascii() and sign.isprintable())), None)
    if odd is None:
        return None
    name = unicodedata.name(odd, "a line break or another control character")
    return f"has a sign that no key has, {name} (U+{ord(odd):04X}): copy it anew"


def without_login(address: str | None) -> str | None:
    """An address as it may be shown and kept."""
    return LOGIN.sub("", address) if address else address


def redact(text: str | None, secrets: Iterable[str | None]) -> str | None:
    """The text without any of the secrets, as they are or as a JSON text, a page or an address writes them."""
    for secret in secrets:
        if text and secret:
            text = written_forms(secret).sub("[key removed]", text)
    return text


@lru_cache
def written_forms(secret: str) -> re.Pattern:
    """Letters, digits and -._~ are written as they are, other signs behind backslashes or by their numbers, too."""
    forms = []
    for sign in secret:
        number = f"{ord(sign):02x}"
        others = rf"|(?i:\\+u00{number}|%(?:25)*{number})|{re.escape(html.escape(sign))}"
        is_plain = sign.isalnum() or sign in "-._~"
        forms.append(re.escape(sign) if is_plain else rf"(?:\\*{re.escape(sign)}{others})")
    return re.compile("".join(forms))


def find_models(names: str | Sequence[str], models, prices, today: date | None = None) -> list[Model]:
    """The registry rows of some model ids (space-separated or a list), with the prices in force today.

    models, prices: DuckDB relations of the two seeds. Raises FinragError for an unknown id, an unknown setting in a
    row, or a hosted model without a price, which no budget could hold.
    """
    wanted = list(dict.fromkeys(names.split() if isinstance(names, str) else names))
    registry = {row["model_id"]: row for row in _rows(models)}
    unknown = [name for name in wanted if name not in registry]
    if unknown or not wanted:
        raise FinragError(
            f"{'No language model is named' if not wanted else f'Unknown language model: {chr(32).join(unknown)}'}. "
            f"Allowed: {', '.join(registry)}. They are the rows of "
            f"{registry_of('llm_models')}; add one and build again."
        )
    in_force = _prices(prices, today or datetime.now(UTC).date())
    return [_model(registry[name], in_force) for name in wanted]


def _rows(relation) -> list[dict]:
    columns = relation.columns
    return [dict(zip(columns, row, strict=True)) for row in relation.fetchall()]


def _prices(prices, today: date) -> dict[str, Price]:
    in_force: dict[str, tuple[date, Price]] = {}
    for row in _rows(prices):
        since = row["valid_from"]
        if since <= today and (row["model_id"] not in in_force or since > in_force[row["model_id"]][0]):
            cached = row.get("cached_input_usd_per_million")
            price = Price(
                *(float(row[field] or 0) for field in ("input_usd_per_million", "output_usd_per_million")),
                float(row.get("usd_per_thousand_requests") or 0),
                None if cached is None else float(cached),
            )
            in_force[row["model_id"]] = (since, price)
    return {model_id: price for model_id, (_, price) in in_force.items()}


def _model(row: dict, prices: dict[str, Price]) -> Model:
    from finrag.llm.providers import find_provider

    model_id = row["model_id"]
    provider = find_provider(row["provider"], model_id)
    if (row.get("structured_output") or "none") not in STRUCTURED_OUTPUT:
        raise FinragError(
            f"{registry_of('llm_models')}, {model_id}: structured_output is {row['structured_output']!r}. "
            f"Allowed: {', '.join(STRUCTURED_OUTPUT)}."
        )
    if provider.IS_PRICED and model_id not in prices:
        raise FinragError(
            f"The model {model_id!r} has no price in force, so no budget can hold it. "
            f"Add a row to {registry_of('llm_prices')} (0 for a server of your own) and build again."
        )
    known = {field.name for field in fields(Model)} - {"price"}
    given = {name: value for name, value in row.items() if name in known and value not in (None, "")}
    given.setdefault("structured_output", "none")
    given.setdefault("temperature", None)
    return Model(**given, price=prices.get(model_id, Price()))
