"""A deck that asks the questions of a suite again, to see what each way to ask costs a search.

The deck is a suite like any other: it holds each question as it was written and once per perturbation that fits it,
with the same evidence, company and years, so a build scores all of them alike and pairs the figures of one run by
question (metrics.int_worded_items).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command
from finrag.questions.perturb import PERTURBATIONS, Asked, UnfitError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

AS_WRITTEN = "as_written"
# Between a question's id and how it is asked; models/metrics/int_worded_items.sql parts them
MARK = "~"


def deck_of(questions: list[dict], asked_of) -> tuple[list[dict], Counter]:
    """The deck of a suite's questions, and how many a perturbation did not fit, by its name and the reason.

    asked_of: of a question, what a perturbation is given.
    """
    deck, unfit = [], Counter()
    for question in questions:
        if not question["evidence_sentence_ids"]:
            unfit[AS_WRITTEN, "has no evidence to find"] += 1
            continue
        asked, wordings = asked_of(question), {AS_WRITTEN: question["question_text"]}
        for name, perturb in PERTURBATIONS.items():
            try:
                wordings[name] = perturb(asked)
            except UnfitError as reason:
                unfit[name, str(reason)] += 1
        if len(wordings) > 1:
            deck += [again(question, name, text) for name, text in wordings.items()]
    return deck, unfit


def again(question: dict, way: str, text: str) -> dict:
    """The question in other words: all wordings of it, and of its group, stand or fall together."""
    changed = {
        "question_id": f"{question['question_id']}{MARK}{way}",
        "question_text": text,
        "paraphrase_group_id": question["paraphrase_group_id"] or question["question_id"],
    }
    return {**question, **changed}


def export_deck(connection: duckdb.DuckDBPyConnection, path: Path, suite: str) -> str:
    """Write the deck of a suite; what was written, and what was not and why. Raises FinragError if there is nothing."""
    from finrag.questions.export import records_of
    from finrag.search.multi_path.entities import read_companies
    from finrag.text.companies import Companies

    names = ("corpus.dim_companies", "corpus.dim_filings", "questions.int_company_names")
    companies = Companies(read_companies(connection, *(connection.table(name) for name in names)))
    tickers = dict(
        connection.execute("select cik, ticker from corpus.dim_companies where ticker is not null").fetchall()
    )
    deck, unfit = deck_of(
        records_of(connection, suite),
        lambda question: Asked(question["question_id"], question["question_text"], companies, tickers),
    )
    if not deck:
        raise FinragError(f"No question of the suite {suite!r} can be asked again. Left out: {dict(unfit)}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(deck, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    written = Counter(question["question_id"].split(MARK)[1] for question in deck)
    lines = [f"{count:6,}  {way}" for way, count in written.items()]
    lines += [f"{count:6,}  {way}: left out, {reason}" for (way, reason), count in sorted(unfit.items())]
    return "\n".join([*lines, f"{len(deck):,} questions written to {path}. Next: {command('build', suites=str(path))}"])
