"""Requests to EDGAR as the SEC asks for them: with a contact, few a second, and a pause where it says no.

https://www.sec.gov/os/accessing-edgar-data: at most ten requests a second from all machines of a user, a User-Agent
that names who asks. Who asks for more gets 403 or 429 until ten minutes have passed with less.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.settings import variable_named

if TYPE_CHECKING:
    import requests

CONTACT = "FINRAG_EDGAR_CONTACT"
# Where EDGAR is, for tests: an address of this machine.
ADDRESS = "FINRAG_EDGAR_ADDRESS"
WWW, DATA = "https://www.sec.gov", "https://data.sec.gov"
REQUESTS_PER_SECOND = 8
BLOCKED = (403, 429)
BLOCKED_SECONDS = 600.0
# Times that a request is made: with growing waits after faults of the server or the line, and after being blocked.
ATTEMPTS = 5
BLOCKED_ATTEMPTS = 2
TIMEOUT_SECONDS = 60
_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|localhost)(?::\d+)?")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


class MissingError(FinragError):
    """EDGAR has no such document."""


class UnreachableError(FinragError):
    """EDGAR did not give a document although it was asked again."""


def contact() -> str:
    """Who asks, as the SEC wants to know it; raises FinragError."""
    stated = os.environ.get(CONTACT, "").strip()
    if not _EMAIL.search(stated):
        said = f"is {stated!r}, without an e-mail address" if stated else "is not set"
        raise FinragError(
            f"The SEC asks everyone who downloads from EDGAR for a name and an e-mail address, and "
            f"{variable_named(CONTACT)} {said}. Set {CONTACT}, or "
            'contact under [edgar] in finrag.toml: contact = "Jane Doe jane@example.com".'
        )
    return stated


def addresses() -> tuple[str, str]:
    """Of the pages and of the data of EDGAR, without a slash at the end; raises FinragError."""
    stated = os.environ.get(ADDRESS, "").rstrip("/")
    if not stated:
        return WWW, DATA
    if not _LOOPBACK.fullmatch(stated):
        raise FinragError(
            f"{ADDRESS} is {stated!r}. Allowed: an address of this machine such as http://127.0.0.1:8080."
        )
    return stated, stated


@dataclass
class Client:
    """clock, sleep: of time, for tests. told: what a person is told of a wait."""

    session: requests.Session
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    told: Callable[[str], None] = print
    next_at: float = 0.0
    www: str = field(default_factory=lambda: addresses()[0])
    data: str = field(default_factory=lambda: addresses()[1])

    def get(self, address: str) -> bytes:
        """A document, whole. Raises MissingError and UnreachableError."""
        import requests

        faults = blocks = 0
        while True:
            self.take_turn()
            try:
                response = self.session.get(address, timeout=TIMEOUT_SECONDS)
                content = response.content
            except requests.RequestException as error:  # a line that is cut, in mid-document as well
                fault, wait = f"{type(error).__name__}: {error}", 2.0**faults
                faults += 1
            else:
                if response.status_code == 200:
                    return content
                if response.status_code == 404:
                    raise MissingError(f"{address}: not found")
                fault = f"HTTP {response.status_code}"
                if response.status_code in BLOCKED:
                    blocks += 1
                    wait = max(BLOCKED_SECONDS, seconds_in(response.headers.get("Retry-After")))
                elif response.status_code >= 500:
                    wait, faults = max(2.0**faults, seconds_in(response.headers.get("Retry-After"))), faults + 1
                else:
                    raise UnreachableError(f"{address}: {fault}")
            if faults >= ATTEMPTS or blocks >= BLOCKED_ATTEMPTS:
                raise UnreachableError(f"{address}: {fault}, asked {faults + blocks} times")
            if wait >= BLOCKED_SECONDS:
                self.told(f"EDGAR says {fault}. It wants {wait / 60:.0f} minutes without requests; waiting.")
            self.sleep(wait)

    def take_turn(self) -> None:
        """Wait until a request keeps to the rate."""
        now = self.clock()
        if now < self.next_at:
            self.sleep(self.next_at - now)
        self.next_at = max(now, self.next_at) + 1 / REQUESTS_PER_SECOND


def connect(**options: object) -> Client:
    """A client that says who asks; raises FinragError where nobody does."""
    import requests

    session = requests.Session()
    session.headers.update({"User-Agent": contact(), "Accept-Encoding": "gzip, deflate"})
    return Client(session, **options)


def seconds_in(stated: str | None) -> float:
    """Of a Retry-After in seconds; 0 for a date or none."""
    return float(stated) if stated and stated.strip().isdecimal() else 0.0
