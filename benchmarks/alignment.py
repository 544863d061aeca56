"""Evidence of a suite in the sentences of a filing: passages of one reading of it, looked for in another reading.

What a passage is made of is known without any likeness: sentences of the corpus whose words, one by one, stand in it.
BENCH_FILINGS names filings as edgar-crawler writes them, BENCH_DATABASE a warehouse that holds the same filings read
otherwise, from HTML. Passages have 250 to 1,200 characters and begin at a word, so that their first and last sentences
are cut. No peer: suites publish no sentences.
"""

from __future__ import annotations

import glob
import json
import os
import random
import time
from pathlib import Path

import duckdb

from finrag.questions.alignment import Tokens, align

ITEMS = ("item_1", "item_1A", "item_7", "item_8")
LENGTHS = (250, 500, 1200)
SENTENCES = """
    select sentence_text from corpus.fct_sentences
    where cik = ? and report_year = ? and sentence_kind not in ('heading', 'index_line', 'written_row')
    order by section_id, sentence_pos
"""


def alignment(folder: Path) -> None:
    """Print how much of BENCH_ROWS passages a filing (default 60) is found, and how much of what is found is there."""
    del folder
    each = int(os.environ.get("BENCH_ROWS") or 60)
    draw = random.Random(5)
    n_passages = n_found = n_exact = n_of_exact = n_there = 0
    seconds = 0.0
    with duckdb.connect(os.environ["BENCH_DATABASE"], read_only=True) as connection:
        for path in sorted(glob.glob(os.environ["BENCH_FILINGS"])):
            cik, _, year, *_ = Path(path).name.split("_")
            texts = [Tokens(text) for (text,) in connection.execute(SENTENCES, [int(cik), int(year)]).fetchall()]
            filing = json.loads(Path(path).read_text(encoding="utf-8"))
            for passage in passages(filing, each, draw) if texts else ():
                start = time.perf_counter()
                found = {match.place for match in align(passage, texts)[0]}
                seconds += time.perf_counter() - start
                # the same sentence may stand at several places; which of them is meant, its words do not say
                there = {text.text for text in texts if text.is_telling and f" {text.text} " in f" {passage.text} "}
                found_texts = {texts[place].text for place in found}
                n_passages += 1
                n_found += len(found_texts)
                n_exact += len(there)
                n_of_exact += len(there & found_texts)
                n_there += len(found_texts & there)
    print(f"{n_passages:,} passages, {n_found:,} sentences found, {1000 * seconds / n_passages:.0f} ms a passage")
    print(f"of {n_exact:,} sentences that stand in them word for word {n_of_exact / n_exact:.3f} are found")
    print(f"of those found {n_there / n_found:.3f} stand there word for word; others are cut or a little different")


def passages(filing: dict, count: int, draw: random.Random) -> list[Tokens]:
    """Of items drawn by lot; an item that is too short gives none."""
    found = []
    for _ in range(count):
        text, length = filing.get(draw.choice(ITEMS)) or "", draw.choice(LENGTHS)
        if len(text) > 3 * length:
            start = text.find(" ", draw.randrange(len(text) - length)) + 1
            found.append(Tokens(text[start : start + length]))
    return found
