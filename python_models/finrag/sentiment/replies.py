"""Free-text replies of a system elsewhere, matched to the headlines that they label.

Rows of JSON, JSONL or Parquet: ``reply`` (the raw text), and ``id`` or ``text`` of the headline; optional ``dataset``,
``model``, ``input_tokens``, ``output_tokens``, ``cost_usd`` and ``latency_seconds``. A missing reply is an error of the
system and is counted as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import isfinite

from finrag.named_files import SourceRow, as_text, parse_setting, read_rows
from finrag.sentiment.headlines import text_hash

FORM = 'It takes "name=path", several separated by spaces, globs allowed, as in REPLIES="llama=replies.jsonl".'
UNKNOWN_MODEL = "unknown"
NUMBERS = {"input_tokens": "bigint", "output_tokens": "bigint", "cost_usd": "double", "latency_seconds": "double"}
OUTPUT = {
    "kind": "varchar",
    "system": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "headline_id": "varchar",
    "source_id": "varchar",
    "model": "varchar",
    "raw_text": "varchar",
    **NUMBERS,
    "reason": "varchar",
    "detail": "varchar",
}


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
    """Relation with the columns OUTPUT: a row per reply and headline (kind reply), and per unused row (kind rejected).

    session: DuckDB connection. setting: var sentiment_replies. headlines: relation of sentiment.headlines.
    """
    import pyarrow

    known = Headlines(headlines.project("headline_id, dataset, source_id, text_hash").order("headline_id").fetchall())
    rows: list[dict] = []
    taken: dict[tuple, SourceRow] = {}
    for system, path in parse_setting(setting, "REPLIES", FORM, is_name_needed=True):
        for row in read_rows(path):
            for reply in read_row(system, row, known):
                key = (system, reply.get("model"), reply.get("headline_id"))
                if reply["kind"] == "reply" and taken.setdefault(key, row) is not row:
                    first = taken[key]
                    reply |= {"kind": "rejected", "reason": "second_reply"}
                    reply["detail"] = f"row {first.number} of {first.path} replies to the same headline"
                rows.append(reply)
    types = {"varchar": pyarrow.string(), "bigint": pyarrow.int64(), "double": pyarrow.float64()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in OUTPUT.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(rows, schema=schema))


def read_row(system: str, row: SourceRow, known: Headlines) -> Iterator[dict]:
    base = {"kind": "rejected", "system": system, "file_path": row.path, "source_row": row.number}
    if row.problem is not None:
        yield base | dict(zip(("reason", "detail"), row.problem, strict=True))
        return
    if not isinstance(row.value, Mapping):
        detail = f"{type(row.value).__name__} where an object is expected"
        yield base | {"reason": "unreadable_row", "detail": detail}
        return
    stated = row.value
    base["source_id"] = as_text(stated.get("id"))
    base["model"] = as_text(stated.get("model")) or UNKNOWN_MODEL
    reply = stated.get("reply")
    if reply is not None and not isinstance(reply, str):
        yield base | {"reason": "bad_reply", "detail": f"reply is {str(reply)[:80]!r}, no text"}
        return
    base["raw_text"] = reply
    for name, kind in NUMBERS.items():
        value = stated.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0
        ):
            yield base | {"reason": "bad_value", "detail": f"{name} is {value!r}, no number of at least 0"}
            return
        base[name] = None if value is None else int(value) if kind == "bigint" else float(value)
    found, why = known.find(as_text(stated.get("dataset")), base["source_id"], as_text(stated.get("text")))
    if not found:
        yield base | {"reason": "unknown_headline", "detail": why}
    for headline_id in found:
        yield base | {"kind": "reply", "headline_id": headline_id}
