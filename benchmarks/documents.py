"""PDFs against the HTML that they were printed from: speed, how much of the text comes through, evidence by its page.

    make bench BENCH=documents BENCH_PDFS="pdfs/*.pdf" BENCH_FILINGS="filings/*.html"

A PDF and a filing are one where their files are called the same. Any browser makes one of the other, for instance
``chromium --headless --no-pdf-header-footer --print-to-pdf=pdfs/aapl.pdf filings/aapl.html``. Prints, file by file:
pages, pages a second of one processor, items of the HTML that the PDF has too, and the share of the HTML's sentences,
and of its rows of tables, that the PDF has letter for letter. Then passages of three to six printed lines, as suites
quote them with their page: how many are found on it, and in which time.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from finrag.corpus.documents.document import Told, read_any
from finrag.corpus.documents.pdf import read_pdf
from finrag.corpus.filings import pages_of
from finrag.corpus.html.filing import read_filing
from finrag.corpus.splitting import END_OF_ROW, split_sentences
from finrag.inputs.setting import paths_of
from finrag.questions.alignment import Tokens, align

PASSAGES_PER_PDF = 20
FEWEST_LETTERS = 120


def documents(folder: Path) -> None:
    pdfs = {Path(path).stem: path for path in paths_of(os.environ["BENCH_PDFS"])}
    filings = {Path(path).stem: path for path in paths_of(os.environ["BENCH_FILINGS"])}
    print(f"{'file':<28} {'pages':>5} {'pages/s':>8} {'items':>7} {'sentences':>16} {'rows':>16}")
    sums = [0.0] * 8
    found = passages = 0
    seconds_of_passages = 0.0
    for name in sorted(pdfs.keys() & filings.keys()):
        begun = time.process_time()
        told = read_any(pdfs[name])
        seconds = time.process_time() - begun
        pages = max(paragraph.page for paragraph in read_pdf(pdfs[name]))
        counts = [pages, seconds, *compared(told, filings[name])]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        show(name, counts)
        on_page = sentences_by_page(told)
        for page, passage in drawn(pdfs[name]):
            begun = time.process_time()
            # those that began on the page before may end on it
            near = [*on_page.get(page - 1, []), *on_page.get(page, [])]
            found += bool(align(Tokens(passage), [Tokens(text) for text in near])[0])
            seconds_of_passages += time.process_time() - begun
            passages += 1
    show("all", sums)
    print(f"passages: {found} of {passages} found on their page, {1000 * seconds_of_passages / passages:.0f} ms each")


def compared(told: Told, path: str) -> list[int]:
    """Items found and to be found; sentences; rows: each of the HTML that the PDF has, and how many the HTML has."""
    html = {item.label: item.text for item in read_filing(path).items if item.text}
    printed = {item.label: item.text for item in told.items if item.text}
    sentences, rows = [], []
    for text in html.values():
        parts = text.split(END_OF_ROW)
        for part in parts:
            # a row stands alone between two ends of rows
            is_row = len(parts) > 1 and len(part.strip().splitlines()) == 1
            (rows if is_row else sentences).extend(letters(sentence) for sentence in split_sentences(part))
    there = {letters(each) for text in printed.values() for each in split_sentences(text)}
    return [
        *(len(html.keys() & printed.keys()), len(html)),
        *(sum(text in there for text in sentences), len(sentences)),
        *(sum(text in there for text in rows), len(rows)),
    ]


def sentences_by_page(told: Told) -> dict[int, list[str]]:
    by_page: dict[int, list[str]] = {}
    for item in told.items:
        if item.text and item.first_page:
            sentences = split_sentences(item.text)
            for page, sentence in zip(pages_of(sentences, item.text, item.first_page), sentences, strict=True):
                by_page.setdefault(page, []).append(sentence)
    return by_page


def drawn(path: str) -> list[tuple[int, str]]:
    """Passages as the PDF's own text has them, with their pages from 1, of pages behind the cover and its contents."""
    import pypdfium2

    source = random.Random(Path(path).stem)
    document = pypdfium2.PdfDocument(path)
    pages = list(range(12, len(document) - 10))
    source.shuffle(pages)
    passages: list[tuple[int, str]] = []
    for page in pages:
        lines = document[page].get_textpage().get_text_range().split("\r\n")
        if len(lines) >= 20 and len(passages) < PASSAGES_PER_PDF:
            first = source.randint(4, len(lines) - 10)
            passage = "\n".join(lines[first : first + source.randint(3, 6)])
            if len(letters(passage)) >= FEWEST_LETTERS:
                passages.append((page + 1, passage))
    return passages


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def show(name: str, counts: list[float]) -> None:
    pages, seconds, *shares = counts
    pairs = [f"{shares[place] / max(shares[place + 1], 1):.3f} of {shares[place + 1]:.0f}" for place in (2, 4)]
    items = f"{shares[0]:.0f}/{shares[1]:.0f}"
    print(f"{name:<28} {pages:>5.0f} {pages / seconds:>8.0f} {items:>7} {pairs[0]:>16} {pairs[1]:>16}")
