"""Labelled headlines: FiQA's JSON, the FLARE layout, and the demo set.

FiQA     one JSON object per file, by id: ``{"1": {"sentence": …, "info": [{"sentiment_score": "-0.37", …}]}}``. A
         headline has a score between -1 and 1 for each company that it speaks of; its score here is their mean, and the
         thresholds of dbt_project.yml make a label of it.
FLARE    rows of JSON, JSONL or Parquet with id, text, choices, and the label as answer, or gold (its place in choices,
         from 0). Of the two, one that is null, NaN or blank says nothing.

A row that cannot be used is rejected with a reason; nothing is left out silently and nothing is repaired.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from finrag.errors import FinragError
from finrag.inputs.rows import SourceRow, as_text, id_as_text, read_rows, stated_texts, without_repeats
from finrag.inputs.setting import DEMO, Grammar, NamedFile
from finrag.sentiment.matching import CLASSES
from finrag.settings import named
from finrag.tables import as_relation

GRAMMAR = Grammar(
    "sentiment_data",
    '"path" or "name=path", several separated by spaces, globs allowed',
    "fiqa=fiqa/*.json",
    is_name_needed=False,
)
OUTPUT = {
    "dataset": "varchar",
    "layout": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "source_id": "varchar",
    "headline_text": "varchar",
    "text_hash": "varchar",
    "scores": "double[]",
    "stated_label": "varchar",
    "choices": "varchar[]",
    "reason": "varchar",
    "detail": "varchar",
}


@dataclass
class Headline:
    """A headline, or why it is none (reason and detail)."""

    dataset: str
    layout: str
    file_path: str
    source_row: int
    source_id: str | None = None
    headline_text: str | None = None
    scores: tuple[float, ...] = ()
    stated_label: str | None = None
    choices: tuple[str, ...] = CLASSES
    reason: str | None = None
    detail: str | None = None

    def rejected(self, reason: str, detail: str) -> Headline:
        self.reason, self.detail = reason, detail
        return self


def load_headlines(session, setting: str, demo, negative_below: object, positive_from: object):
    """Relation with the columns OUTPUT, a row per headline, or per row of a file that is none (with a reason).

    session: DuckDB connection. setting: var sentiment_data. demo: relation of the seed demo_headlines. The last two are
    the thresholds, which are only checked here. Raises FinragError for a setting that is wrong.
    """
    check_thresholds(negative_below, positive_from)
    if GRAMMAR.is_demo(setting):
        found = demo_headlines(demo.order("headline_id").fetchall(), demo.columns)
    else:
        found = (headline for file in GRAMMAR.parse(setting) for headline in read_file(file))
    rows = [
        vars(headline) | {"text_hash": text_hash(headline.headline_text) if headline.headline_text else None}
        for headline in without_repeats(found)
    ]
    return as_relation(session, rows, OUTPUT)


def check_thresholds(negative_below: object, positive_from: object) -> None:
    try:
        is_allowed = -1 <= float(negative_below) <= float(positive_from) <= 1
    except (TypeError, ValueError):
        is_allowed = False
    if not is_allowed:
        raise FinragError(
            f"{named('sentiment_negative_below', begins=True)} and {named('sentiment_positive_from')} are "
            f"{negative_below!r} and {positive_from!r}. Allowed: numbers between -1 and 1, the first no larger than "
            "the second."
        )


def demo_headlines(rows: Iterable[tuple], columns: list[str]) -> Iterator[Headline]:
    for number, row in enumerate(rows, start=1):
        stated = dict(zip(columns, row, strict=True))
        yield Headline(
            DEMO,
            "demo",
            "seeds/demo_headlines.csv",
            number,
            stated["headline_id"],
            stated["headline_text"],
            (stated["sentiment_score"],),
        )


def read_file(file: NamedFile) -> Iterator[Headline]:
    """The headlines of one file, in its order."""
    for row in read_rows(file):
        if row.reason is None and is_fiqa(row.value):
            for number, (key, stated) in enumerate(row.value.items(), start=1):
                aspects = SourceRow(row.path, number, stated)
                yield read_fiqa(Headline(file.name, "fiqa", row.path, number, str(key)), aspects.as_object())
        else:
            yield read_flare(Headline(file.name, "flare", row.path, row.number), row.as_object())


def is_fiqa(value: object) -> bool:
    """Whether an object is FiQA's: others keyed by id, the first of which has a sentence."""
    first = next(iter(value.values()), None) if isinstance(value, Mapping) else None
    return isinstance(first, Mapping) and "sentence" in first


def read_fiqa(headline: Headline, row: SourceRow) -> Headline:
    if row.reason is not None:
        return headline.rejected(row.reason, row.detail)
    stated = row.value
    headline.headline_text = as_text(stated.get("sentence"))
    if headline.headline_text is None:
        return headline.rejected("no_text", "sentence is missing or blank")
    aspects = stated.get("info")
    if not isinstance(aspects, list) or not aspects:
        return headline.rejected("no_score", "info holds no scores")
    scores = []
    for aspect in aspects:
        score = as_score(aspect.get("sentiment_score") if isinstance(aspect, Mapping) else None)
        if score is None:
            return headline.rejected("bad_score", f"{str(aspect)[:120]} has no sentiment_score between -1 and 1")
        scores.append(score)
    headline.scores = tuple(scores)
    return headline


def as_score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        score = float(value)
    except ValueError:
        return None
    return score if isfinite(score) and -1 <= score <= 1 else None


def read_flare(headline: Headline, row: SourceRow) -> Headline:
    if row.reason is not None:
        return headline.rejected(row.reason, row.detail)
    stated = row.value
    if not {"text", "choices"} <= stated.keys():
        return headline.rejected(
            "unknown_layout", f"neither FiQA (sentence, info) nor FLARE (text, choices): {', '.join(map(str, stated))}"
        )
    texts, fault = stated_texts(stated, "id")
    if fault:
        return headline.rejected("bad_value", fault)
    headline.source_id = texts["id"]
    headline.headline_text = as_text(stated["text"])
    if headline.headline_text is None:
        return headline.rejected("no_text", "text is missing or blank")
    choices = stated["choices"]
    labels = [as_label(choice) for choice in choices] if isinstance(choices, list) else []
    if len(labels) < 2 or len(set(labels)) < len(labels) or not set(labels) <= set(CLASSES):
        return headline.rejected(
            "bad_choices", f"choices are {choices!r}; two or three of {', '.join(CLASSES)} are meant"
        )
    headline.choices = tuple(labels)
    return labelled(headline, stated.get("answer"), stated.get("gold"))


def labelled(headline: Headline, answer: object, gold: object) -> Headline:
    """The label that a FLARE row states once or twice; two that differ reject it."""
    found = {}
    if not is_blank(answer):
        found["answer"] = as_label(answer)
    if not is_blank(gold):
        place = None if isinstance(gold, str) else as_text(gold)
        found["gold"] = {str(number): choice for number, choice in enumerate(headline.choices)}.get(place)
    if not found:
        return headline.rejected("no_label", "neither answer nor gold is stated")
    if not set(found.values()) <= set(headline.choices):
        return headline.rejected(
            "unknown_label", f"answer is {answer!r}, gold is {gold!r}; choices: {headline.choices}"
        )
    if len(set(found.values())) > 1:
        return headline.rejected("label_disagrees", f"answer is {found['answer']}, but gold is {found['gold']}")
    headline.stated_label = next(iter(found.values()))
    return headline


def is_blank(value: object) -> bool:
    value = id_as_text(value)
    return value is None or (isinstance(value, str) and not value.strip())


def as_label(value: object) -> str | None:
    return value.strip().lower() if isinstance(value, str) else None


def text_hash(text: str) -> str:
    """Of the text, whatever its case and spacing."""
    return hashlib.md5(" ".join(text.lower().split()).encode(), usedforsecurity=False).hexdigest()
