"""A published suite over its PDFs, from the files to the scores: time and peak memory of each stage of `finrag build`.

    make bench BENCH=suites BENCH_PDFS_MADE=8      a tenth (default: 80 PDFs of 150 pages and 150 questions)

PDFs are made of real filings where these lie beside the checkout, else of the demo corpus: as many as BENCH_PDFS_MADE
says, of BENCH_PAGES pages, each of about 2,300 characters, as pages of 10-Ks have. A filing that is too short is filled
up with others' paragraphs whose figures are drawn anew, so that few texts are there twice. A question takes an amount
out of a sentence, in the form of FinanceBench: its evidence is the printed lines that the sentence stands in, begun and
ended where they are, with their page. So it is known what has to be found.

Stages are told by the models that a build ran, from dbt's own results. A stage's seconds are those in which one of its
models ran, its memory the most that the build held then, and its seconds of processors what the build used then; two
stages that run at once share them.
"""

from __future__ import annotations

import glob
import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import duckdb

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "python"))

PDFS = int(os.environ.get("BENCH_PDFS_MADE", "80"))
PAGES = int(os.environ.get("BENCH_PAGES", "150"))
QUESTIONS_PER_PDF = 150 / 80
REAL = ("edgar_crawler/*.json", "finsights/filings/*.json")
# In Courier of 10 points, whose characters are all as wide: 32 lines of 80 are the 2,343 characters that a page of the
# fourteen 10-Ks of docs/benchmarks.md has when it is printed.
WIDTH, LINES = 80, 32
AMOUNT = re.compile(r"\$\s?\d[\d,.]*\d (?:million|billion)")
SENTENCE = re.compile(r"(?<=[a-z)]\. )[A-Z][^.$]{40,200}(?:\$\s?\d[\d,.]*\d (?:million|billion))[^.$]{0,120}\.(?= |$)")
SECONDS_BETWEEN_SAMPLES = 0.1

# The first that fits names the stage: a part of the path of the model's file.
STAGES = {
    "find and read files": "source_files",
    "read into items": "stg_documents__filings",
    "sentences": "/corpus/",
    "suite, evidence": "int_external_questions",
    "embedding": "int_embedded_texts",
    "indexes": "int_sentence_index",
    "recall of the index": "int_index_recall",
    "search": "/retrieval/",
    "statements, bundles": "/bundles/",
    "questions, gold": "/questions/ /gold/",
    "answers": "/answers/",
    "scores": "/metrics/",
    "seeds": "/seeds/ seeds/",
    "data tests": "/tests/ tests/",
    "others": "",
}


READING = ("find and read files", "read into items", "sentences")
HITS = """
    select strategy, value, ci_low, ci_high, n_measured from metrics.metric_values
    inner join metrics.runs using (run_id)
    where suite = 'financebench' and task = 'retrieval' and metric = 'hit' and k = 5 and variant = 'evidence'
        and stratum = 'all' and population = 'covered' and is_current
    order by value desc
"""


@dataclass(frozen=True)
class Sample:
    """What a build held, in GB, and the seconds of processors that it had used at a moment, in seconds since 1970."""

    at: float
    held: float
    processors: float


@dataclass(frozen=True)
class Filing:
    """A filing of another format, as it is going to be printed."""

    company: str
    year: int
    period_end: str
    paragraphs: list[str]


@dataclass(frozen=True)
class Page:
    """Printed lines, those of one paragraph together. is_own: of the filing itself."""

    paragraphs: list[list[str]]
    is_own: bool


def suites(folder: Path) -> None:
    """Make PDFs and a suite about them, build, and print what each stage took."""
    from finrag.cli.place import make

    begun = time.perf_counter()
    project = folder / "project"
    make(project)
    questions = written(folder, list(filings(folder)))
    print(
        f"{PDFS} PDFs of {PAGES} pages and {questions} questions made in {time.perf_counter() - begun:.0f} s",
        flush=True,
    )
    options = ("--corpus", str(folder / "pdfs" / "*.pdf"), "--suites", f"financebench={folder / 'suite.jsonl'}")
    seconds, samples = built(project, *options)
    ran = nodes(project / "target")
    show(ran, samples, PDFS * PAGES)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"build: {seconds:.0f} s, {usage.ru_utime + usage.ru_stime:.0f} s of processors, {usage.ru_maxrss / 1e6:.2f} GB"
    )
    with duckdb.connect(str(project / "warehouse" / "finrag.duckdb"), read_only=True) as connection:
        outcome(connection, folder / "suite.jsonl")


# What is read


def filings(folder: Path) -> Iterator[Filing]:
    """Real filings, else those of the demo corpus, as edgar-crawler has both."""
    shared = Path(os.environ.get("BENCH_FILINGS_IN") or ROOT.parent / "shared" / "data")
    paths = sorted(path for pattern in REAL for path in glob.glob(str(shared / pattern)))
    if not paths:
        from finrag.demo import ensure

        paths = list(map(str, ensure(folder / "demo").edgar_crawler))
    for path in paths:
        stated = json.loads(Path(path).read_text(encoding="utf-8"))
        items = [text for name, text in stated.items() if name.startswith("item_") and isinstance(text, str)]
        lines = (" ".join(line.split()) for text in items for line in text.split("\n"))
        period = stated["period_of_report"]
        yield Filing(stated["company"], int(period[:4]), period, [line for line in lines if line])


def written(folder: Path, found: list[Filing]) -> int:
    """Write the PDFs and the suite; how many questions it has."""
    from pdfs import lines, pdf

    (folder / "pdfs").mkdir()
    draw = random.Random(18)
    longest = sorted(found, key=lambda filing: -sum(map(len, filing.paragraphs)))
    candidates = []
    for number in range(PDFS):
        filing = longest[number % len(longest)]
        if number >= len(longest):
            filing = another(filing, 1 + number // len(longest), draw)
        name = f"{re.sub('[^A-Z0-9]', '', filing.company.upper())}_{filing.year}_10K"
        pages = list(printed(filing, found, draw))
        texts = [[latin(line) for paragraph in page.paragraphs for line in paragraph] for page in pages]
        (folder / "pdfs" / f"{name}.pdf").write_bytes(pdf(*(lines(*text) for text in texts), font="Courier"))
        candidates.append(list(questions(filing, name, pages, draw)))
    wanted = round(PDFS * QUESTIONS_PER_PDF)
    by_turns = [each[turn] for turn in range(max(map(len, candidates))) for each in candidates if turn < len(each)]
    with (folder / "suite.jsonl").open("w", encoding="utf-8") as stream:
        for number, question in enumerate(by_turns[:wanted]):
            stream.write(json.dumps({"financebench_id": f"made_{number:03}"} | question) + "\n")
    return len(by_turns[:wanted])


def another(filing: Filing, number: int, draw: random.Random) -> Filing:
    """Where filings are fewer than PDFs: one of a company called otherwise, its figures drawn anew."""
    return replace(
        filing,
        company=f"{filing.company} {number}",
        paragraphs=[with_other_figures(text, draw) for text in filing.paragraphs],
    )


def latin(text: str) -> str:
    """What the fonts of every reader can print."""
    return text.encode("cp1252", "replace").decode("cp1252")


def printed(filing: Filing, others: list[Filing], draw: random.Random) -> Iterator[Page]:
    """The pages of a PDF: a cover, the filing, and paragraphs of others."""
    cover = ["FORM 10-K", f"For the fiscal year ended {filing.period_end}", filing.company,
             "(Exact name of registrant as specified in its charter)"]  # fmt: skip
    yield Page([[line] for line in cover], is_own=False)
    fillers = (with_other_figures(text, draw) for _ in iter(int, 1) for text in draw.choice(others).paragraphs)
    paragraphs: list[list[str]] = []
    room, is_own, count = LINES, True, 1
    for text, is_own in chain_of(filing.paragraphs, fillers):
        left = textwrap.wrap(text, WIDTH)
        while left:
            paragraphs.append(left[:room])
            left, room = left[room:], room - len(left[:room])
            if room == 0:
                yield Page(paragraphs, is_own)
                paragraphs, room, count = [], LINES, count + 1
                if count == PAGES:
                    return


def chain_of(own: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, bool]]:
    yield from ((text, True) for text in own)
    yield from ((text, False) for text in others)


def with_other_figures(text: str, draw: random.Random) -> str:
    """Each digit but a leading zero drawn anew, from 1; years and numbers of items stay."""

    def anew(found: re.Match) -> str:
        return "".join(str(draw.randint(1, 9)) if digit.isdigit() else digit for digit in found[0])

    return re.sub(r"(?<![\w.])(?!(?:19|20)\d\d\b)\d[\d,.]*\d", anew, text)


def questions(filing: Filing, name: str, pages: list[Page], draw: random.Random) -> Iterator[dict]:
    """Questions of FinanceBench's form about a filing's own pages, in an order drawn by lot."""
    found = [
        (number, paragraph, sentence)
        for number, page in enumerate(pages)
        if page.is_own
        for paragraph in page.paragraphs
        for sentence in SENTENCE.findall(" ".join(paragraph))
    ]
    draw.shuffle(found)
    for number, paragraph, sentence in found:
        amount = AMOUNT.findall(sentence)
        if len(amount) != 1:
            continue
        asked = sentence.replace(amount[0], "how much")
        yield {
            "company": filing.company,
            "doc_name": name,
            "question_type": "domain-relevant",
            "question": f"In fiscal {filing.year}, of {filing.company}: {asked[:-1]}?",
            "answer": amount[0],
            "evidence": [
                {
                    "evidence_text": "\n".join(lines_of(paragraph, sentence)),
                    "doc_name": name,
                    "evidence_page_num": number,
                }
            ],
            # no field of FinanceBench: what the lines were chosen for
            "made_of": sentence,
        }


def lines_of(paragraph: list[str], sentence: str) -> list[str]:
    """The printed lines that a sentence of the paragraph stands in."""
    begins = " ".join(paragraph).index(sentence)
    ends, at, chosen = begins + len(sentence), 0, []
    for line in paragraph:
        if at < ends and at + len(line) > begins:
            chosen.append(line)
        at += len(line) + 1
    return chosen


# What is run


def built(project: Path, *words: str) -> tuple[float, list[Sample]]:
    """Seconds of a build, and what it held and had used at times."""
    samples: list[Sample] = []
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "finrag", "build", *words], cwd=project, stdout=output, stderr=subprocess.STDOUT
        )
        while process.poll() is None:
            samples.append(Sample(time.time(), *used_by(process.pid)))
            time.sleep(SECONDS_BETWEEN_SAMPLES)
        if process.returncode:
            output.seek(0)
            raise SystemExit(f"finrag build ended with {process.returncode}:\n{output.read()}")
    return time.perf_counter() - begun, samples


def used_by(process: int) -> tuple[float, float]:
    """GB that a process and those that it started hold, and the seconds of processors that they have used.

    Of one that has ended nothing.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        times = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        started = " ".join(each.read_text() for each in Path(f"/proc/{process}/task").glob("*/children")).split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0
    held = sum(int(kilobytes) for kilobytes in re.findall(r"VmRSS:\s+(\d+) kB", status)) / 1e6
    # its own and those of what it started and has waited for
    seconds = sum(map(int, times[11:15])) / os.sysconf("SC_CLK_TCK")
    others = [used_by(int(child)) for child in started]
    return held + sum(each[0] for each in others), seconds + sum(each[1] for each in others)


def nodes(target: Path) -> list[tuple[str, float, float]]:
    """Stage, begin and end, in seconds since 1970, of every node that dbt ran."""
    results = json.loads((target / "run_results.json").read_text(encoding="utf-8"))["results"]
    manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    ran = []
    for result in results:
        times = [
            (at(each["started_at"]), at(each["completed_at"])) for each in result["timing"] if each["name"] == "execute"
        ]
        path = manifest[result["unique_id"]]["original_file_path"]
        stage = stage_of(path, result["unique_id"].partition(".")[0])
        ran += [(stage, begin, end) for begin, end in times]
    return ran


def stage_of(path: str, kind: str) -> str:
    if kind == "test":
        return "data tests"
    return next(stage for stage, parts in STAGES.items() if any(part in path for part in parts.split()) or not parts)


def at(stated: str) -> float:
    return datetime.fromisoformat(stated.replace("Z", "+00:00")).timestamp()


# What is shown


def show(ran: list[tuple[str, float, float]], samples: list[Sample], pages: int) -> None:
    print(f"{'stage':<22} {'nodes':>5} {'seconds':>8} {'of processors':>14} {'peak GB':>8}")
    spans = {stage: [(begin, end) for each, begin, end in ran if each == stage] for stage in STAGES}
    processors = dict.fromkeys(STAGES, 0.0)
    held = dict.fromkeys(STAGES, 0.0)
    for before, after in itertools.pairwise(samples):
        running = [stage for stage in STAGES if any(begin <= after.at <= end for begin, end in spans[stage])]
        for stage in running:
            processors[stage] += (after.processors - before.processors) / len(running)
            held[stage] = max(held[stage], after.held)
    for stage in STAGES:
        if spans[stage]:
            seconds = f"{covered(spans[stage]):>8.1f} {processors[stage]:>14.1f}"
            print(f"{stage:<22} {len(spans[stage]):>5} {seconds} {held[stage]:>8.2f}")
    reading = sum(processors[stage] for stage in READING)
    print(f"reading: {pages / reading:.0f} pages a second of one processor", flush=True)


def covered(spans: list[tuple[float, float]]) -> float:
    """Seconds in which at least one of them ran."""
    total, until = 0.0, 0.0
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def outcome(connection: duckdb.DuckDBPyConnection, suite: Path) -> None:
    """How large the corpus was, and whether the evidence is the sentence that the lines were chosen for."""
    sentences, texts, filings_read = connection.execute(
        "select count(*), count(distinct text_hash), count(distinct filing_id) from corpus.fct_sentences"
    ).fetchone()
    print(f"{filings_read} documents, {sentences:,} sentences, {texts:,} texts")
    asked = [json.loads(line) for line in suite.read_text(encoding="utf-8").splitlines()]
    made_of = {each["financebench_id"]: letters(each["made_of"]) for each in asked}
    rows = connection.execute(
        "select question_id, list(sentence_text) from gold.p3_evidence "
        "inner join corpus.fct_sentences using (sentence_id) where suite = 'financebench' and grade = 2 group by all"
    ).fetchall()
    right = sum(any(letters(text) == made_of[question] for text in texts) for question, texts in rows)
    print(f"evidence: {len(rows)} of {len(asked)} questions have some, {right} the very sentence")
    print("Hit@5 of evidence, open regime:")
    for strategy, value, low, high, n in connection.execute(HITS).fetchall():
        print(f"  {strategy:<12} {value:.2f} ({low:.2f}-{high:.2f}), n {n}")


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
