"""Facts of inline XBRL held against Arelle, and cells of tables against the facts that are tagged in them."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from finrag.corpus.html.facts import Fact
    from finrag.corpus.html.tables import Figure

ARELLE = "arelle-release==2.47.3"
# What Arelle says of a text that it cannot transform.
UNREAD = "(ixTransformValueError)"
COMMON = re.compile(r"\b(?:iso4217|xbrli|utr):")


def tagged_facts(folder: Path) -> None:
    """BENCH_HTML: a glob of filings. Arelle is installed in an environment of its own, since it pins what we use."""
    from finrag.inputs.setting import paths_of

    paths = paths_of(os.environ.get("BENCH_HTML", ""))
    if not paths:
        print("tagged_facts: left out, as BENCH_HTML names no 10-Ks in HTML")
        return
    subprocess.run([sys.executable, "-m", "venv", folder / "arelle"], check=True)
    python = folder / "arelle" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-qqq", ARELLE], check=True)
    both = unread = apart = 0
    for path in paths:
        here, there = read_here(path), read_by_arelle(python, path)
        both += (here & there).total()
        # transformations of the SEC, such as "one", are known to a plugin of Arelle only
        unknown = Counter(fact[:-1] for fact in (there - here).elements() if fact[-1] == UNREAD)
        unread += unknown.total()
        for whose, facts in (("here", here - there), ("Arelle", there - here)):
            for fact in facts.elements():
                if fact[-1] == UNREAD:
                    continue
                if unknown[fact[:-1]]:
                    unknown[fact[:-1]] -= 1
                    continue
                apart += 1
                print(f"tagged_facts: {Path(path).name}, {whose} alone: {fact}")
    print(
        f"tagged_facts: {len(paths)} filings, {both:,} facts alike, {unread:,} unread by Arelle, {apart:,} by one alone"
    )


def table_cells(folder: Path) -> None:
    """BENCH_HTML: a glob of filings. What cells are read as, from what is seen, against their tags; by halves of CIKs.

    A value counts as right by its size: the sign of an outflow is a matter of the tag's concept.
    """
    from finrag.corpus.html.facts import read_facts
    from finrag.corpus.html.filing import read_filing
    from finrag.corpus.html.tables import read_tables
    from finrag.inputs.setting import paths_of

    counts: dict[str, Counter] = {"first": Counter(), "second": Counter()}
    for path in paths_of(os.environ.get("BENCH_HTML", "")):
        filing = read_filing(path)
        facts = read_facts(filing.document)
        half = "first" if hashlib.md5(filing.cover.cik.lstrip("0").encode()).hexdigest() < "8" else "second"
        for table in read_tables(filing.document.lines, list(filing.places)):
            for figure in table.figures:
                counts[half].update(verdict(figure, facts[tag]) for tag in figure.tags if facts[tag].value is not None)
    for half, verdicts in counts.items():
        shares = ", ".join(f"{verdicts[name] / verdicts.total():.3f} {name}" for name in ("right", "wrong", "unread"))
        print(f"table_cells: {half} half, {verdicts.total():,} tagged cells: {shares}")


def verdict(figure: Figure, fact: Fact) -> str:
    if figure.value is None:
        return "unread"
    stated = fact.value * (100 if figure.unit == "%" else 1)
    return "right" if math.isclose(abs(figure.value), abs(stated), rel_tol=1e-9, abs_tol=1e-9) else "wrong"


def read_here(path: str) -> Counter:
    """(concept, first day, last day, dimensions, unit, value) of facts that are seen; those in error have no value."""
    from finrag.corpus.html.document import read_document
    from finrag.corpus.html.facts import read_facts

    return Counter(
        (fact.concept, fact.period_start, fact.period_end, fact.dimensions or "", fact.unit, number(fact.value))
        for fact in read_facts(read_document(path))
    )


def read_by_arelle(python: Path, path: str) -> Counter:
    script = Path(__file__).with_name("arelle_facts.py")
    done = subprocess.run([python, script, path], check=True, capture_output=True, text=True)
    facts = json.loads(done.stdout)
    return Counter((*fact[:4], COMMON.sub("", fact[4]), number(fact[5])) for fact in facts)


def number(value: float | str | None) -> str | None:
    """Fifteen digits, which is what a double holds of a decimal number; what is none (a fault in words) as it is."""
    try:
        return None if value is None else f"{float(value):.15g}"
    except ValueError:
        return str(value)
