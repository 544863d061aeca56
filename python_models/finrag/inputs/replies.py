"""Free-text replies of a system elsewhere, matched to the headlines that they label.

Rows of JSON, JSONL or Parquet: ``reply`` (the raw text), and ``id`` or ``text`` of the headline; optional ``dataset``,
``model``, ``input_tokens``, ``output_tokens``, ``cost_usd`` and ``latency_seconds``. A missing reply is an error of the
system and is counted as one, like one that names no label; so is a headline without a row, of a data set of which the
system labels others (missing_headline). Rows that name no model are of the system's one model, where it names one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from finrag.inputs.headlines import text_hash
from finrag.inputs.rows import Amount, Id, LooseText, Row, SourceRow, Text, as_text, only_models, read_rows
from finrag.inputs.setting import Grammar
from finrag.tables import as_relation

GRAMMAR = Grammar("sentiment_replies", "name=path pairs separated by spaces, globs allowed", "llama=replies.jsonl")
UNKNOWN_MODEL = "unknown"
OUTPUT = {
    "system": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "headline_id": "varchar",
    "source_id": "varchar",
    "model": "varchar",
    "raw_text": "varchar",
    "input_tokens": "bigint",
    "output_tokens": "bigint",
    "cost_usd": "double",
    "latency_seconds": "double",
    "reason": "varchar",
    "detail": "varchar",
}


class ReplyRow(Row):
    """What a row states."""

    reply: Text = None
    input_tokens: Amount = None
    output_tokens: Amount = None
    cost_usd: Amount = None
    latency_seconds: Amount = None
    dataset: LooseText = None
    id: Id = None
    text: LooseText = None
    model: LooseText = None


class Headlines:
    """The headlines by id and by text, in every data set."""

    def __init__(self, rows: list[tuple[str, str, str, str]]) -> None:
        """rows: headline_id, dataset, source_id, text_hash."""
        self._by: dict[tuple, list[str]] = defaultdict(list)
        for headline_id, dataset, source_id, hashed in rows:
            for key in ((None, "id", source_id), (None, "text", hashed)):
                self._by[key].append(headline_id)
                self._by[(dataset, *key[1:])].append(headline_id)

    def find(self, dataset: str | None, source_id: str | None, text: str | None) -> tuple[list[str], str]:
        """Headlines of an id, or else of a text; with why there are none."""
        place = f" in the data set {dataset!r}" if dataset else ""
        if source_id is not None:
            found = self._by.get((dataset, "id", source_id), [])
            if len(found) > 1:
                return [], f"the id {source_id!r} stands in several data sets; state the dataset"
            if found or text is None:
                return found, f"no headline has the id {source_id!r}{place}"
        if text is None:
            return [], "neither id nor text is stated"
        return self._by.get((dataset, "text", text_hash(text)), []), f"no headline has this text{place}"


def load_replies(session, setting: str, headlines):
    """Relation with the columns OUTPUT: a row per reply and headline, and per row that is none (with a reason).

    session: DuckDB connection. setting: var sentiment_replies. headlines: relation of sentiment.headlines.
    """
    all_headlines = headlines.project("headline_id, dataset, source_id, text_hash").order("headline_id").fetchall()
    known = Headlines(all_headlines)
    rows = [
        reply
        for file in GRAMMAR.parse(setting)
        for row in read_rows(file)
        for reply in read_row(file.name, row.as_object(), known)
    ]
    only = only_models((reply["system"], reply.get("model")) for reply in rows)
    taken: dict[tuple, dict] = {}
    # what names its model first: a failed call that names none is no reply in its place
    for reply in sorted(rows, key=lambda reply: reply.get("model") is None):
        if "model" in reply and reply["model"] is None:
            reply["model"] = only.get(reply["system"], UNKNOWN_MODEL)
        if "reason" not in reply:
            key = (reply["system"], reply["model"], reply["headline_id"])
            first = taken.setdefault(key, reply)
            if first is not reply:
                reply["reason"] = "second_reply"
                reply["detail"] = f"row {first['source_row']} of {first['file_path']} replies to the same headline"
    return as_relation(session, rows + missing_headlines(taken, all_headlines), OUTPUT)


def missing_headlines(taken: Iterable[tuple[str, str, str]], headlines: Sequence[tuple]) -> list[dict]:
    """What a system leaves out of the data sets that it labels. taken: system, model and headline_id of its replies."""
    dataset_of = {headline_id: dataset for headline_id, dataset, *_ in headlines}
    labelled: dict[tuple, set[str]] = defaultdict(set)
    for system, model, headline_id in taken:
        labelled[system, model, dataset_of[headline_id]].add(headline_id)
    detail = "The model {!r} labels other headlines of the data set {!r}, not this one; it counts as wrong."
    return [
        {"system": system, "model": model, "source_id": source_id}
        | {"reason": "missing_headline", "detail": detail.format(model, dataset)}
        for (system, model, dataset), ids in sorted(labelled.items())
        for headline_id, place, source_id, _ in headlines
        if place == dataset and headline_id not in ids
    ]


def read_row(system: str, row: SourceRow, known: Headlines) -> Iterator[dict]:
    base = {"system": system, "file_path": row.path, "source_row": row.number}
    if row.reason is not None:
        yield base | {"reason": row.reason, "detail": row.detail}
        return
    stated, faults = ReplyRow.read(row.value)
    base |= {name: value for name, value in stated if name in OUTPUT}
    source_id = as_text(stated.id)
    base |= {"source_id": source_id, "model": stated.model, "raw_text": stated.reply}
    for name in ("input_tokens", "output_tokens"):
        base[name] = None if base[name] is None else int(base[name])
    for name, fault in faults.items():
        yield base | {"reason": "bad_reply" if name == "reply" else "bad_value", "detail": fault}
        return
    found, why = known.find(stated.dataset, source_id, stated.text)
    if not found:
        yield base | {"reason": "unknown_headline", "detail": why}
    for headline_id in found:
        yield base | {"headline_id": headline_id}
