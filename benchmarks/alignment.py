"""Evidence of a suite in the sentences of a corpus: a sample that was read by hand, sentence by sentence.

Real filings beside the checkout (BENCH_FILINGS_IN, by default ../shared/data) become a corpus of 10-Ks in HTML, of
edgar-crawler's JSON and of PDFs, and passages of them are looked for in it, altered as suites alter them. By kind:

    print     lines of a PDF as its text layer has them, begun and ended anywhere, looked for in that PDF
    reading   a passage of edgar-crawler's text, looked for in the 10-K as read from HTML
    rows      rows of a table of a 10-K in HTML with other marks between cells, looked for there
    year      a passage of a company's filing, looked for in its filing of the year after

Passages are as they are, or have letters taken for others (OCR), spaces lost where lines end, or one figure written
otherwise. tests/fixtures/aligned_evidence.csv has what was read: a row for each sentence that a passage was found in
and for each that ought to have been found, by the beginnings of MD5 sums, no text. A passage that is another by now, or
a sentence that nobody read, is told and counted in nothing. Companies are parted into two halves by their number: the
rules of alignment may be changed by what the first shows, the second is only counted.

    make bench BENCH=alignment                     precision and recall
    make bench BENCH=alignment BENCH_READ=pairs    write the pairs that nobody has read yet to a file, to be read
"""

from __future__ import annotations

import csv
import glob
import hashlib
import json
import os
import random
import re
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from finrag.inputs.suite_formats import Place
from finrag.questions.alignment import Tokens
from finrag.questions.evidence import Evidence
from finrag.statistics.wilson import wilson_interval

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "python"))

SHARED = Path(os.environ.get("BENCH_FILINGS_IN") or ROOT.parent / "shared" / "data")
SAMPLE = ROOT / "tests" / "fixtures" / "aligned_evidence.csv"
PASSAGES = {"print": 2, "reading": 6, "rows": 2, "year": 2}
ITEMS = ("item_1", "item_1A", "item_7", "item_8")
LENGTHS = (160, 300, 500, 800)
SEPARATORS = (" | ", "\n", "  ", "\t")
# What text recognition takes letters for.
MISREAD = {"l": "1", "O": "0", "m": "rn", "rn": "m", "e": "c", "h": "b", "fi": "ﬁ", ",": ".", "'": "’"}
ALTERATIONS = ("as it is", "as it is", "misread", "joined", "other figure")
FIGURE = re.compile(r"\d[\d,.]*\d")


@dataclass(frozen=True)
class Passage:
    """A passage, how it was altered, and the filing that it is looked for in."""

    kind: str
    alteration: str
    cik: int
    filing_id: str
    text: str

    @property
    def key(self) -> str:
        return short_hash(f"{self.kind} {self.filing_id} {self.text}")

    @property
    def half(self) -> str:
        return "first" if int(short_hash(str(self.cik)), 16) % 2 else "second"


def alignment(folder: Path) -> None:
    """Print precision and recall of the passages that were read, by half and by kind."""
    from tables import dbt

    if not (SHARED / "edgar_crawler").is_dir():
        print(f"no filings in {SHARED}: BENCH_FILINGS_IN names the folder of edgar_crawler/, finsights/ and edgar/")
        return
    pdfs(folder / "pdfs")
    corpus = f"{SHARED}/edgar/10k/*.html {SHARED}/edgar_crawler/*.json {folder}/pdfs/*.pdf"
    database = folder / "alignment.duckdb"
    dbt(database, "build", "--exclude-resource-type", "test", "unit_test", "--select", "+fct_sentences", corpus=corpus)
    with duckdb.connect(str(database)) as connection:
        drawn = list(passages(connection, folder / "pdfs"))
        sentences = connection.table("corpus.fct_sentences")
        evidence = Evidence(connection, sentences, [(passage.text, passage.cik) for passage in drawn])
        begun = time.perf_counter()
        found = [found_in(evidence, passage) for passage in drawn]
        print(f"{len(drawn)} passages, {1000 * (time.perf_counter() - begun) / len(drawn):.0f} ms each")
        read = passages_read()
        show(drawn, found, read)
        if to := os.environ.get("BENCH_READ"):
            Path(to).write_text("\n\n".join(unread(evidence, drawn, found, read)), encoding="utf-8")


def passages_read() -> dict[str, dict[str, bool]]:
    """By passage and sentence, whether the passage quotes it."""
    read: dict[str, dict[str, bool]] = {}
    with SAMPLE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            verdicts = read.setdefault(row["passage"], {})
            if row["sentence"]:
                verdicts[row["sentence"]] = row["is_quoted"] == "true"
    return read


# The passages


def pdfs(folder: Path) -> None:
    """Print the filings of FinSights as PDFs, 80 characters a line."""
    from pdfs import lines, pdf
    from suites import LINES, WIDTH, latin

    folder.mkdir()
    for stated in crawled("finsights/filings"):
        text = "\n".join(stated.get(item) or "" for item in ITEMS)
        wrapped = [latin(line) for part in text.split("\n") for line in textwrap.wrap(" ".join(part.split()), WIDTH)]
        pages = [lines(*wrapped[start : start + LINES]) for start in range(0, len(wrapped), LINES)]
        name = re.sub("[^A-Z0-9]", "", stated["company"].upper())
        (folder / f"{name}_{stated['year']}_10K.pdf").write_bytes(pdf(*pages, font="Courier"))


def crawled(folder: str) -> Iterator[dict]:
    """Filings as edgar-crawler has them, with the year that their file's name states."""
    for path in sorted(glob.glob(str(SHARED / folder / "*.json"))):
        cik, _, year, *_ = Path(path).name.split("_")
        yield json.loads(Path(path).read_text(encoding="utf-8")) | {"cik": int(cik), "year": int(year)}


def passages(connection: duckdb.DuckDBPyConnection, printed: Path) -> Iterator[Passage]:
    filings = connection.execute(
        "select distinct filing_id, cik, report_year from corpus.fct_sentences order by all"
    ).fetchall()
    whose = {(cik, year): filing_id for filing_id, cik, year in filings}
    ciks = {filing_id: cik for filing_id, cik, _ in filings}
    for path in sorted(printed.glob("*.pdf")):
        for draw in draws("print", path.stem):
            yield altered("print", ciks[path.stem], path.stem, lines_of_pdf(path, draw), draw)
    for filing_id, tables in tables_in_html(connection).items():
        for draw in draws("rows", filing_id):
            yield altered("rows", ciks[filing_id], filing_id, rows_of(tables, draw), draw)
    for kind, folder, later in (("reading", "finsights/filings", 0), ("year", "edgar_crawler", 1)):
        for stated in crawled(folder):
            if filing_id := whose.get((stated["cik"], stated["year"] + later)):
                for draw in draws(kind, filing_id):
                    yield altered(kind, stated["cik"], filing_id, passage_of(stated, draw), draw)


def draws(kind: str, filing_id: str) -> Iterator[random.Random]:
    """A lot for each passage, so that what changes in one filing changes no passage of another."""
    return (random.Random(f"{kind} {filing_id} {number}") for number in range(PASSAGES[kind]))


def lines_of_pdf(path: Path, draw: random.Random) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    printed = document[draw.randrange(len(document))].get_textpage().get_text_range().split("\r\n")
    count = draw.randint(2, 7)
    start = draw.randrange(max(1, len(printed) - count))
    return "\n".join(printed[start : start + count])


def passage_of(stated: dict, draw: random.Random) -> str:
    """Of an item drawn by lot, from a word on; every other one begins with a line."""
    texts = [text for item in ITEMS if len(text := stated.get(item) or "") > 3 * max(LENGTHS)]
    text, length = draw.choice(texts), draw.choice(LENGTHS)
    mark = draw.choice(" \n")
    start = text.find(mark, draw.randrange(len(text) - 2 * length)) + 1
    return text[start : start + length].rsplit(" ", 1)[0]


def tables_in_html(connection: duckdb.DuckDBPyConnection) -> dict[str, list[list[str]]]:
    """Rows of tables that stand below each other in the 10-Ks in HTML, by filing."""
    tables: dict[str, list[list[str]]] = {}
    rows = connection.execute(
        "select filing_id, section_id, sentence_pos, sentence_text from corpus.fct_sentences "
        "where source = 'edgar_html' and sentence_kind = 'table_row' order by all"
    ).fetchall()
    last = None
    for filing_id, section_id, position, text in rows:
        of_filing = tables.setdefault(filing_id, [])
        if last != (filing_id, section_id, position - 1):
            of_filing.append([])
        of_filing[-1].append(text)
        last = (filing_id, section_id, position)
    return {filing_id: [table for table in found if len(table) >= 3] for filing_id, found in tables.items()}


def rows_of(tables: list[list[str]], draw: random.Random) -> str:
    """One to four rows of a table drawn by lot, their cells parted otherwise."""
    table, count = draw.choice(tables), draw.randint(1, 4)
    start = draw.randrange(len(table) - min(count, len(table) - 1))
    mark = draw.choice(SEPARATORS)
    return "\n".join(re.sub(r" (?=[$(]?\s?\d|—)", mark, text) for text in table[start : start + count])


def altered(kind: str, cik: int, filing_id: str, text: str, draw: random.Random) -> Passage:
    """The passage as one of ALTERATIONS, drawn by lot; without a figure none is written otherwise."""
    alteration = draw.choice(ALTERATIONS)
    if alteration == "misread":
        parts = re.split("(" + "|".join(map(re.escape, MISREAD)) + ")", text)
        text = "".join(MISREAD[part] if part in MISREAD and draw.random() < 0.05 else part for part in parts)
    elif alteration == "joined":
        text = re.sub(r"(?<=\w)\s(?=\w)", lambda space: "" if draw.random() < 0.04 else space[0], text)
    elif figures := [found.span() for found in FIGURE.finditer(text)] if alteration == "other figure" else []:
        _, end = draw.choice(figures)
        digit = text[end - 1]
        text = text[: end - 1] + str((int(digit) + draw.randint(1, 9)) % 10) + text[end:]
    return Passage(kind, alteration, cik, filing_id, text)


# What is found, and what was read


def found_in(evidence: Evidence, passage: Passage) -> set[str]:
    """The sentences that a passage is found in, by their short hashes: copies of a text are one."""
    found = evidence.finder({}, [Place(passage.filing_id)], [passage.filing_id])(passage.text, [passage.cik], [])
    filing = evidence.filing(passage.filing_id)
    ids = {sentence.sentence_id for sentence in found}
    pairs = zip(filing.sentences, filing.texts, strict=True)
    return {sentence_hash(text) for sentence, text in pairs if sentence.sentence_id in ids}


def show(drawn: list[Passage], found: list[set[str]], read: dict[str, dict[str, bool]]) -> None:
    """Shares of passages with Wilson's intervals, and of sentences."""
    pairs = list(zip(drawn, found, strict=True))
    known = [pair for pair in pairs if pair[0].key in read and pair[1] <= read[pair[0].key].keys()]
    print(f"{'':<20} {'all that is found is quoted':<34} all that is quoted is found")
    for title, kinds in (("all", [*PASSAGES]), *((kind, [kind]) for kind in PASSAGES)):
        for half in ("first", "second", "both"):
            chosen = [
                (texts, {text for text, is_quoted in read[passage.key].items() if is_quoted})
                for passage, texts in known
                if passage.kind in kinds and half in (passage.half, "both")
            ]
            precision = share([texts <= quoted for texts, quoted in chosen if texts])
            recall = share([quoted <= texts for texts, quoted in chosen if quoted])
            print(f"{title + ', ' + half:<20} {precision:<34} {recall}")
            if title == "all":
                n_found, n_quoted, n_both = (
                    sum(map(len, each))
                    for each in (
                        [texts for texts, _ in chosen],
                        [quoted for _, quoted in chosen],
                        [texts & quoted for texts, quoted in chosen],
                    )
                )
                print(f"{'  of sentences':<20} {f'{n_both} of {n_found}':<34} {n_both} of {n_quoted}")
    print(f"{len(read.keys() - {passage.key for passage in drawn})} passages that were read are others by now")
    print(f"{len(drawn) - len(known)} passages are new, or are found in a sentence that nobody held against them")


def share(each: list[bool]) -> str:
    if not each:
        return "0 of 0"
    low, high = wilson_interval(np.mean(each), len(each))
    return f"{sum(each)} of {len(each)} ({low:.3f}-{high:.3f})"


def unread(
    evidence: Evidence, drawn: list[Passage], found: list[set[str]], read: dict[str, dict[str, bool]]
) -> Iterator[str]:
    """Passages that are not read yet with the sentences found (+) and those near them or like them (-)."""
    for passage, texts in zip(drawn, found, strict=True):
        if passage.key in read and texts <= read[passage.key].keys():
            continue
        filing = evidence.filing(passage.filing_id)
        places = [place for place, text in enumerate(filing.texts) if sentence_hash(text) in texts]
        near = {place + step for place in places for step in (-2, -1, 0, 1, 2)}
        words = Tokens(passage.text).words
        alike = sorted(range(len(filing.texts)), key=lambda place: -len(words & filing.tokens[place].words))[:3]
        lines = [
            f"{passage.key} {passage.kind}, {passage.alteration}, {passage.half}: {passage.filing_id}",
            passage.text,
        ]
        for place in sorted({*near, *alike} & {*range(len(filing.texts))}):
            text = filing.texts[place]
            mark = "+" if sentence_hash(text) in texts else "-"
            lines.append(f"{mark} {sentence_hash(text)} {text}")
        yield "\n".join(lines)


def short_hash(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()[:12]


def sentence_hash(text: str) -> str:
    return short_hash(" ".join(text.lower().split()))
