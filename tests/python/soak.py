"""Whole builds on top of each other while files come, change, are damaged and go, and while builds are killed.

`make soak` runs it, BUILDS=25 SEED=0. A history is four builds of one warehouse, each after some changes of its files,
most of them killed once or more and run again, and a fifth from nothing of the files as they then are: the tables of
corpus and bundles have to be the same, row by row. Every build runs dbt's data tests and publishes. Any build that does
not end well after its kills, and any difference, is printed with the seed of its history and fails the soak.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "python_models"))

from finrag.demo import ensure
from test_incremental import differences, write_file
from warehouses import ROOT, Warehouse, environment

BUILDS_OF_A_HISTORY = 4
LONGEST_SECONDS = 1800
# A file that stays as it is, so that there always is a corpus to build.
KEPT = "finsights"
NEW_FILES = ("json", "jsonl", "csv", "parquet")
SUMMARY = {"source": "Revenue rose 5 % to $2 million. Costs fell.", "system": "a", "summary": "Revenue rose."}


def with_line(text: bytes, draw: random.Random, line: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    lines.insert(draw.randint(0, len(lines)), line + b"\n")
    return b"".join(lines)


def changed_byte(text: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(text))
    return text[:place] + b"\xe9" + text[place + 1 :]


# What is done to the bytes of a file, by name.
DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut": lambda text, draw: text[: draw.randrange(len(text))],
    "a line that is no JSON": lambda text, draw: with_line(text, draw, b'{"cik": 1.2.3'),
    "a line that is no object": lambda text, draw: with_line(text, draw, b"[1, 2]"),
    "half a surrogate pair": lambda text, draw: with_line(text, draw, b'{"cik": "\\ud800"}'),
    "a name twice": lambda text, draw: with_line(text, draw, b'{"cik": 1, "cik": 2}'),
    "an empty object": lambda text, draw: with_line(text, draw, b"{}"),
    "deep nesting": lambda text, draw: with_line(text, draw, b"[" * 100_000 + b"]" * 100_000),
    "a byte that is no UTF-8": changed_byte,
    "UTF-16": lambda text, draw: text.decode("utf-8", "replace").encode("utf-16"),
    "a gzip by another name": lambda text, draw: gzip.compress(text, mtime=0),
    "emptied": lambda text, draw: b"",
}


class History:
    """A warehouse, its files, and what has been done to them."""

    def __init__(self, folder: Path, pool: list[Path], seed: int) -> None:
        self.draw = random.Random(seed)
        self.seed = seed
        self.pool = pool
        self.folder = folder
        self.files = folder / "files"
        self.files.mkdir(parents=True)
        self.tried: Counter[str] = Counter()
        self.failures: list[str] = []
        shutil.copy(next(path for path in pool if path.parent.name == KEPT), self.files / "kept.jsonl")
        for path in self.draw.sample(pool, 3):
            self.add(path)
        (self.files / "facts.csv").write_bytes((pool[0].parents[1] / "company_facts.csv").read_bytes())
        self.write_summaries()

    def add(self, path: Path) -> None:
        shutil.copy(path, self.files / f"{self.draw.randrange(10**6)}{path.suffix}")

    def write_summaries(self) -> None:
        """A file of users' summaries, rows of it damaged."""
        rows = [json.dumps(SUMMARY | {"system": system}) for system in ("a", "b")]
        for line in self.draw.sample(["5", "{", '{"source": 1}', rows[0][:-3], '{"a": NaN}'], self.draw.randint(0, 3)):
            rows.insert(self.draw.randint(0, len(rows)), line)
        (self.files / "summaries.ndjson").write_text("\n".join(rows) + "\n", encoding="utf-8")

    def corpus(self) -> list[Path]:
        """The files that may be changed."""
        kept = ("kept.jsonl", "facts.csv", "summaries.ndjson")
        return sorted(path for path in self.files.iterdir() if path.name not in kept)

    def change(self) -> list[str]:
        """One to three changes of files."""
        return [self.change_one() for _ in range(self.draw.randint(1, 3))]

    def change_one(self) -> str:
        there = self.corpus()
        what = self.draw.choice(["add", "add", "write", "change", "rename", "remove", "damage", "damage", "others"])
        if not there or what == "add":
            self.add(self.draw.choice(self.pool))
            what = "add"
        elif what == "write":
            write_file(self.files / f"{self.draw.randrange(10**6)}.{self.draw.choice(NEW_FILES)}", self.draw, 2020)
        elif what == "change":
            shutil.copy(
                self.draw.choice([path for path in self.pool if path.suffix == there[0].suffix] or self.pool), there[0]
            )
        elif what == "rename":
            path = self.draw.choice(there)
            path.rename(path.with_stem(str(self.draw.randrange(10**6))))
        elif what == "remove":
            self.draw.choice(there).unlink()
        elif what == "others":
            self.write_summaries()
            self.damage(self.files / "facts.csv")
        else:
            what = f"damage: {self.damage(self.draw.choice(there))}"
        self.tried[what] += 1
        return what

    def damage(self, path: Path) -> str:
        name = self.draw.choice([*DAMAGES])
        content = path.read_bytes()
        path.write_bytes(DAMAGES[name](content, self.draw) if content else b"")
        return name

    def run(self) -> float:
        """The builds of the history, and the one from nothing; seconds."""
        started = time.monotonic()
        grown = warehouse_of(self.folder / "grown", self.files)
        usual = 60.0
        for number in range(1, BUILDS_OF_A_HISTORY + 1):
            changes = self.change() if number > 1 else ["the first files"]
            kills = []
            while self.draw.random() < 0.6 and len(kills) < 3:
                kills.append(self.draw.uniform(3, usual))
                self.build(grown, kills[-1])
            seconds, said = self.build(grown)
            usual = max(10.0, seconds)
            self.tell(number, changes, kills, seconds, said)
        whole = warehouse_of(self.folder / "whole", self.files)
        seconds, said = self.build(whole)
        self.tell(BUILDS_OF_A_HISTORY + 1, ["from nothing"], [], seconds, said)
        if not self.failures:
            found = differences(grown, whole)
            self.tried["comparison"] += 1
            print(f"seed {self.seed}: built step by step and from nothing, {len(found)} tables differ", flush=True)
            if found:
                self.failures.append(f"seed {self.seed}: rows that only one has: {found}")
        return time.monotonic() - started

    def tell(self, number: int, changes: list[str], kills: list[float], seconds: float, said: str) -> None:
        self.tried["build"] += 1
        killed = f", killed after {', '.join(f'{each:.0f} s' for each in kills)}" if kills else ""
        print(f"seed {self.seed}, build {number}: {', '.join(changes)}{killed}; {said} in {seconds:.0f} s", flush=True)

    def build(self, warehouse: Warehouse, kill_after: float | None = None) -> tuple[float, str]:
        """A build that runs to its end, or is killed; its seconds and how it ended."""
        started = time.monotonic()
        settings = ("--corpus", corpus_of(self.files), "--facts", "files/facts.csv")
        given = environment() | {"PYTHONPATH": str(ROOT / "python_models")}
        for name in ("FINRAG_SETTINGS", "DBT_WRITE_JSON"):
            del given[name]
        with (warehouse.project / "output.txt").open("w+", encoding="utf-8") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "finrag", "build", *settings, "--summaries", "mine=files/summaries.ndjson"],
                **{"cwd": warehouse.project, "env": given, "stdout": output, "stderr": subprocess.STDOUT},
                start_new_session=True,
            )
            try:
                code = process.wait(timeout=kill_after or LONGEST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                if kill_after:
                    self.tried["kill"] += 1
                    return time.monotonic() - started, "killed"
                code = None
            output.seek(0)
            said = output.read()
        if code == 0:
            return time.monotonic() - started, "built"
        ended = "hung" if code is None else "failed"
        self.tried[ended] += 1
        self.failures.append(f"seed {self.seed}: a build {ended}:\n{said[-3000:]}")
        return time.monotonic() - started, ended


def corpus_of(files: Path) -> str:
    endings = sorted({path.suffix for path in files.iterdir()} & {".json", ".jsonl", ".parquet"})
    tables = [path for path in files.glob("*.csv") if path.name != "facts.csv"]
    return " ".join([*(f"files/*{ending}" for ending in endings), *(f"files/{path.name}" for path in sorted(tables))])


def warehouse_of(project: Path, files: Path) -> Warehouse:
    """A folder of a project that has the files."""
    warehouse = Warehouse(project)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (project / name).symlink_to(ROOT / name)
    (project / "files").symlink_to(files)
    warehouse.parsed()
    return warehouse


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--builds", type=int, default=25, help="whole builds at least")
    asked.add_argument("--seed", type=int, default=0, help="of the first history; the next has the next")
    options = asked.parse_args()
    tried: Counter[str] = Counter()
    failures: list[str] = []
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        demo = Path(folder) / "demo"
        ensure(demo)
        parts = ("finsights", "hf", "edgar_crawler", "edgar_corpus", "edgar_html")
        pool = sorted(path for part in parts for path in (demo / part).iterdir())
        seed = options.seed
        while tried["build"] < options.builds:
            history = History(Path(folder) / str(seed), pool, seed)
            history.run()
            tried += history.tried
            failures += history.failures
            shutil.rmtree(history.folder)
            seed += 1
    print(f"\nTried in {(time.monotonic() - started) / 60:.0f} minutes, seeds {options.seed} to {seed - 1}:")
    for what, count in sorted(tried.items(), key=lambda each: (-each[1], each[0])):
        print(f"{count:6,}  {what}")
    print(f"{len(failures):6,}  that ended otherwise than they should" + "".join(f"\n\n{each}" for each in failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
