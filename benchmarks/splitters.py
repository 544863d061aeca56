"""Compare sentence splitters on filings that exist both whole and already split; the chosen one is marked with *.

    python benchmarks/splitters.py ../shared/data/finsights [--seconds 60]

The folder holds filings/*.json (edgar-crawler items) and sentences/*.parquet (one row per sentence, same base names).
A predicted sentence counts when the reference has one with the same letters and digits, case apart, each as often as
in both: multisets per filing, summed over filings. The reference runs headings into the sentence under them, ours are
sentences of their own: a heading (no full stop at its end) and what follows it count as one where the reference has
the two as one. Companies, in the order of
their CIK, fall by turns into a half that the rules were written on and one that they were only measured on. "plain"
is the library on the item with its lines joined by spaces, "layout" the library inside the layout rules of
finrag.corpus.splitting. Libraries that are not installed are named as not measured; slow ones stop after --seconds
and say how many filings they got through.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python_models"))

CHOSEN = "nupunkt"
HALVES = ("developed", "held out")

Splitter = Callable[[str], Iterable[str]]


@dataclass(frozen=True)
class Filing:
    """One filing: its company, the texts of its items, and the sentences the reference has of it."""

    cik: int
    items: list[str]
    reference: Counter[str]


@dataclass
class Score:
    """Counts of sentences over filings, and the time spent on their text."""

    hits: int = 0
    predicted: int = 0
    expected: int = 0
    filings: int = 0
    size: int = 0  # bytes of UTF-8
    seconds: float = 0.0  # of one core

    def __add__(self, other: Score) -> Score:
        return Score(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))

    @property
    def precision(self) -> float:
        return self.hits / max(self.predicted, 1)

    @property
    def recall(self) -> float:
        return self.hits / max(self.expected, 1)

    @property
    def f1(self) -> float:
        return 2 * self.hits / max(self.predicted + self.expected, 1)

    @property
    def speed(self) -> float:
        """MB of text per second."""
        return self.size / 1e6 / max(self.seconds, 1e-9)


def key(sentence: str) -> str:
    """Letters and digits of a sentence without regard to case: the reference lower-cases some item headings."""
    return "".join(filter(str.isalnum, sentence)).casefold()


def read_filings(folder: Path) -> list[Filing]:
    """Filings of ``folder`` that have a table of sentences, ordered by CIK and file name."""
    import duckdb

    rows = duckdb.execute(
        "select parse_filename(filename, true), sentence from read_parquet(?, union_by_name = true, filename = true)",
        [f"{folder}/sentences/*.parquet"],
    ).fetchall()
    sentences: dict[str, list[str]] = {}
    for name, sentence in rows:
        sentences.setdefault(name, []).append(sentence or "")
    filings = []
    for name in sorted(sentences, key=lambda name: (int(name.split("_")[0]), name)):
        path = folder / "filings" / f"{name}.json"
        if path.exists():
            content = json.loads(path.read_text(encoding="utf-8"))
            items = [text for label, text in content.items() if label.startswith("item_") and text]
            filings.append(Filing(int(content["cik"]), items, counted(sentences[name])))
    return filings


def counted(sentences: Iterable[str]) -> Counter[str]:
    """Multiset of the sentences' keys, those without a letter or digit left out."""
    return Counter(filter(None, map(key, sentences)))


def joined(sentences: Iterable[str], reference: Counter[str]) -> Iterator[str]:
    """The keys of ``sentences``, a heading and the next as one where only the two together are in ``reference``."""
    kept = [sentence for sentence in sentences if key(sentence)]
    position = 0
    while position < len(kept):
        first, both = key(kept[position]), "".join(map(key, kept[position : position + 2]))
        is_heading = not kept[position].rstrip().endswith((".", "!", "?", ":", ";", ","))
        is_pair = is_heading and position + 1 < len(kept) and first not in reference and both in reference
        yield both if is_pair else first
        position += 2 if is_pair else 1


def measured(split: Splitter, filings: list[Filing], seconds: float = float("inf")) -> dict[str, Score]:
    """Scores of ``split`` by half; no filing is begun once ``seconds`` are spent."""
    companies = sorted({filing.cik for filing in filings})
    scores = {half: Score() for half in HALVES}
    for filing in filings:
        if sum(score.seconds for score in scores.values()) > seconds:
            break
        begun = time.process_time()
        sentences = [sentence for item in filing.items for sentence in split(item)]
        spent = time.process_time() - begun
        predicted = Counter(joined(sentences, filing.reference))
        half = HALVES[companies.index(filing.cik) % 2]
        scores[half] += Score(
            hits=(predicted & filing.reference).total(),
            predicted=predicted.total(),
            expected=filing.reference.total(),
            filings=1,
            size=sum(len(item.encode()) for item in filing.items),
            seconds=spent,
        )
    return scores


def _nupunkt() -> Splitter:
    import nupunkt

    return nupunkt.sent_tokenize


def _nupunkt_rs() -> Splitter:
    import nupunkt_rs

    return nupunkt_rs.sent_tokenize


def _sentencex() -> Splitter:
    import sentencex

    return partial(sentencex.segment, "en")


def _blingfire() -> Splitter:
    import blingfire

    return lambda text: blingfire.text_to_sentences(text).split("\n")


def _syntok() -> Splitter:
    from syntok import segmenter

    def split(text: str) -> Iterator[str]:
        for paragraph in segmenter.process(text):
            for tokens in paragraph:
                yield "".join(token.spacing + token.value for token in tokens)

    return split


def _segtok() -> Splitter:
    from segtok import segmenter

    return segmenter.split_single


def _pysbd() -> Splitter:
    import pysbd

    return pysbd.Segmenter(language="en", clean=False).segment


def _spacy() -> Splitter:
    import spacy

    language = spacy.blank("en")
    language.add_pipe("sentencizer")
    language.max_length = sys.maxsize
    return lambda text: [sentence.text for sentence in language(text).sents]


LIBRARIES: dict[str, Callable[[], Splitter]] = {
    "nupunkt": _nupunkt,
    "nupunkt-rs": _nupunkt_rs,
    "blingfire": _blingfire,
    "sentencex": _sentencex,
    "syntok": _syntok,
    "segtok": _segtok,
    "pysbd": _pysbd,
    "spacy": _spacy,
}


def spans_of(split: Splitter, block: str) -> Iterator[tuple[int, int]]:
    """Where the sentences that ``split`` finds stand in ``block``; one it rewrote is passed over."""
    text = block.replace("\n", " ")
    position = 0
    for sentence in split(text):
        start = text.find(sentence.strip(), position)
        if start >= 0 and sentence.strip():
            position = start + len(sentence.strip())
            yield start, position


def variants(name: str) -> Iterator[tuple[str, Splitter]]:
    """The ways to measure library ``name``: alone, inside the layout rules, and as the warehouse runs it."""
    from finrag.corpus import splitting

    split = LIBRARIES[name]()
    yield "plain", lambda item: split(" ".join(item.split()))
    yield "layout", partial(splitting.split_with, partial(spans_of, split))
    if name == CHOSEN:
        yield "as used", splitting.split_sentences


def main() -> None:
    """Print one row per installed library and variant."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with filings/*.json and sentences/*.parquet")
    parser.add_argument("--seconds", type=float, default=60, help="time for one library and variant (default: 60)")
    arguments = parser.parse_args()
    filings = read_filings(arguments.folder)
    if not filings:
        sys.exit(f"{arguments.folder}: no filings/<name>.json with a sentences/<name>.parquet; name their folder.")
    print(f"{len(filings)} filings of {len({filing.cik for filing in filings})} companies")
    print(f"  {'library':<12}{'version':<10}{'variant':<9}" + "".join(f"{'F1 ' + half:>14}" for half in HALVES), end="")
    print(f"{'F1 all':>8}{'precision':>11}{'recall':>8}{'MB/s':>8}{'filings':>9}")
    missing = []
    for name in LIBRARIES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
            continue
        for variant, split in variants(name):
            list(split("Models load on first use. They do so here."))
            scores = measured(split, filings, arguments.seconds)
            total = sum(scores.values(), Score())
            mark = "*" if variant == "as used" else " "
            print(f"{mark} {name:<12}{version:<10}{variant:<9}", end="")
            print("".join(f"{scores[half].f1:>14.3f}" for half in HALVES), end="")
            print(f"{total.f1:>8.3f}{total.precision:>11.3f}{total.recall:>8.3f}{total.speed:>8.2f}", end="")
            print(f"{total.filings:>9}", flush=True)
    if missing:
        print("Not measured, because not installed: " + ", ".join(missing))


if __name__ == "__main__":
    main()
