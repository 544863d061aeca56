"""ROUGE-L and BERTScore against the packages that define them, on real summaries, with equal scores as a condition.

    python benchmarks/scoring.py [rouge] [bertscore]

BENCH_SUMMARIES is the Parquet file of pairs (columns system, doc_id, reference, summary).
"""

from __future__ import annotations

import csv
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).parents[1]
SUMMARIES = Path(os.environ.get("BENCH_SUMMARIES", ROOT / "../shared/data/summaries/realsumm.parquet"))
DOCUMENTS, SYSTEMS = 25, 12  # of BERTScore: a small evaluation


def pairs() -> pl.DataFrame:
    """system, doc_id, candidate, reference; the marks around sentences removed."""
    if not SUMMARIES.is_file():
        raise SystemExit(f"{SUMMARIES} is missing: name a file of summaries in BENCH_SUMMARIES.")
    plain = (pl.col(column).str.replace_all("</?t>", "").str.strip_chars() for column in ("summary", "reference"))
    return pl.read_parquet(SUMMARIES).with_columns(*plain).rename({"summary": "candidate"})


def seconds(call: Callable[[], object], runs: int) -> tuple[float, object]:
    """The best of some runs, and the result of the last."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return best, result


def line(name: str, ours: float, peer_name: str, peer: float, note: str) -> None:
    print(f"{name:<44} {ours:8.3f} s   {peer_name:<44} {peer:8.3f} s   {peer / ours:7.1f}x  {note}", flush=True)


def require_equal(name: str, ours: np.ndarray, peer: np.ndarray, limit: float) -> str:
    difference = np.abs(ours - peer).max()
    if difference > limit:
        raise SystemExit(f"{name}: scores differ by {difference:.2g}, allowed is {limit:.2g}")
    return f"largest difference {difference:.1g}"


def rouge(folder: Path) -> None:
    """ROUGE-L F1 from raw text: all pairs, and one pair per document and reference so that no text repeats."""
    from rouge_score.rouge_scorer import RougeScorer

    from finrag.scoring.rouge import rouge_l

    scorer = RougeScorer(["rougeL"], use_stemmer=False)

    def package(candidates: list[str], references: list[str]) -> list[float]:
        return [scorer.score(r, c)["rougeL"].fmeasure for c, r in zip(candidates, references, strict=True)]

    table = pairs()
    for name, rows in (
        ("all pairs", table),
        ("no text twice", table.unique(["reference"], keep="first").unique(["candidate"])),
    ):
        candidates, references = rows["candidate"].to_list(), rows["reference"].to_list()
        ours, scores = seconds(partial(rouge_l, candidates, references), 5)
        peer, expected = seconds(partial(package, candidates, references), 1)
        note = f"{len(rows):,} pairs, {require_equal('rouge', scores.f1, np.array(expected), 1e-9)}"
        line(f"ROUGE-L, {name}", ours, "rouge_score", peer, note)


def bertscore(folder: Path) -> None:
    """F1 of several systems' answers to the same references, and of their shuffled pairs, on the default model.

    One call: the package gets every pair at once, and so encodes each text once, as we do. Per system: the package
    gets each system's pairs and then its shuffled pairs, model loaded once, as an evaluation that goes run by run does.
    """
    import torch
    from bert_score import BERTScorer

    from finrag.encoders.encoder import has_fast_bf16
    from finrag.encoders.score_models import ScoreModel, location
    from finrag.scoring.bertscore import BertScorer
    from finrag.scoring.shuffled import partners

    with (ROOT / "seeds" / "score_models.csv").open(newline="") as file:
        model = ScoreModel.from_row(next(row for row in csv.DictReader(file) if row["model_id"] == "bertscore-minilm"))
    table = pairs()
    systems = table["system"].unique().sort()[:SYSTEMS].to_list()
    documents = table["doc_id"].unique().sort()[:DOCUMENTS].to_list()
    table = table.filter(pl.col("system").is_in(systems), pl.col("doc_id").is_in(documents)).unique(
        ["system", "doc_id"]
    )
    reference = dict(table.select("doc_id", "reference").iter_rows())
    other = partners({str(document): text for document, text in reference.items()})
    calls = []  # the pairs of each system, then its shuffled pairs
    for system in systems:
        rows = table.filter(pl.col("system") == system).sort("doc_id")
        candidates = rows["candidate"].to_list()
        calls.append((candidates, rows["reference"].to_list()))
        calls.append((candidates, [reference[int(other[str(document)])] for document in rows["doc_id"]]))
    together = tuple([text for call in calls for text in call[side]] for side in (0, 1))
    note = f"{len(together[0])} pairs, {len({*together[0], *together[1]})} distinct texts"

    def package() -> BERTScorer:
        return BERTScorer(model_type=location(model), num_layers=model.num_layers, device="cpu")

    def by_system() -> np.ndarray:
        scorer = package()
        return np.concatenate([scorer.score(*call)[2].numpy() for call in calls])

    package()  # what a process does once, import and load, is not what is compared, on either side
    BertScorer(model, folder / "warm").score(*calls[0])
    cold, scores = seconds(lambda: BertScorer(model, folder / "cold").score(*together), 1)
    whole, expected = seconds(lambda: package().score(*together)[2].numpy(), 1)
    each, expected_each = seconds(by_system, 1)
    equal = require_equal("bertscore", scores.f1, expected, 1e-4)
    require_equal("bertscore by system", scores.f1, expected_each, 1e-4)
    line("BERTScore cold, loading and storing included", cold, "bert_score, one call", whole, f"{note}, {equal}")
    line("", cold, f"bert_score, {len(calls)} calls", each, "the runs of an evaluation, and their shuffled pairs")
    scorer = BertScorer(model, folder / "cold")
    disk, _ = seconds(lambda: scorer.score(*together), 1)
    line("BERTScore, vectors read from disk", disk, "bert_score, one call", whole, f"{scorer.encode.read} texts read")
    memory, again = seconds(lambda: scorer.score(*together), 5)
    require_equal("bertscore cached", again.f1, expected, 1e-4)
    line("BERTScore, vectors in memory", memory, "bert_score, one call", whole, "0 texts encoded")
    line("", memory, f"bert_score, {len(calls)} calls", each, "the runs of an evaluation, and their shuffled pairs")
    if has_fast_bf16():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            rounded = BertScorer(model).score(*together)
        print(f"in bf16, which is not used, scores would differ by up to {np.abs(rounded.f1 - expected).max():.1g}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python_models"))
    chosen = sys.argv[1:] or ["rouge", "bertscore"]
    for benchmark in chosen:
        with tempfile.TemporaryDirectory(prefix="finrag-bench-") as scratch:
            {"rouge": rouge, "bertscore": bertscore}[benchmark](Path(scratch))
