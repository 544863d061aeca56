"""The baseline faithfulness judge on summaries that people have scored, once per pair and version of its rules."""

from __future__ import annotations

from collections.abc import Iterable

from finrag.judging import baseline_verdicts, split_claims
from finrag.text.words import sentences
from finrag.versions import code_version

COLUMNS = {
    "pair_id": "varchar",
    "judge_version": "varchar",
    "claim_count": "bigint",
    "true_count": "bigint",
    "false_count": "bigint",
    "unclear_count": "bigint",
    "faithfulness": "double",
    "support": "double",
    "label": "varchar",
}


def judge_pairs(pairs, done: Iterable[tuple[str, str]]):
    """Arrow table with the columns COLUMNS for the distinct pairs that done, of (pair_id, judge_version), lacks.

    pairs: relation with pair_id, candidate (the summary) and reference (the text to read it against). faithfulness:
    True claims / all claims; support: mean of the verdicts' scores; label: consistent where all claims are True. A
    summary without claims has none of the three.
    """
    import pyarrow

    version = f"rules {code_version(__name__)}"
    known = {pair_id for pair_id, of in done if of == version}
    rows = pairs.project("pair_id, candidate, reference").distinct().order("reference, pair_id").fetchall()
    judged = [judge_pair(*row) | {"judge_version": version} for row in rows if row[0] not in known]
    types = {"varchar": pyarrow.string(), "bigint": pyarrow.int64(), "double": pyarrow.float64()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    return pyarrow.Table.from_pylist(judged, schema=schema)


def judge_pair(pair_id: str, summary: str, text: str) -> dict:
    claims = split_claims(summary)
    verdicts = baseline_verdicts(sentences(text), claims)
    counts = {name: sum(each.verdict == name for each in verdicts) for name in ("True", "False", "Unclear")}
    row = {"pair_id": pair_id, "claim_count": len(claims)}
    row |= {f"{name.lower()}_count": count for name, count in counts.items()}
    if claims:
        row["faithfulness"] = counts["True"] / len(claims)
        row["support"] = sum(each.score for each in verdicts) / len(claims)
        row["label"] = "consistent" if counts["True"] == len(claims) else "inconsistent"
    return row
