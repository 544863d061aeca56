"""What a build says while it runs: the step that it has come to and what it is at, a line each, and no long silence.

dbt's own log, two lines for each of a thousand models and tests, is in logs/dbt.log. On a terminal a bar stands below
the lines; everywhere else, as in the log of a scheduler, a line says now and then what is being built.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager

from finrag import progress
from finrag.build.results import BUILT, FAILED

# What the models of a schema make, in words.
STEPS = {
    "seeds": "registries",
    "staging": "source files",
    "corpus": "filings and sentences",
    "bundles": "KPI statements, risks and bundles",
    "questions": "business questions",
    "gold": "gold sets",
    "retrieval": "embeddings, indexes, searches",
    "answers": "answers and their scores",
    "summaries": "summaries and what judges say of them",
    "sentiment": "headlines",
    "calibration": "human scores",
    "metrics": "values, intervals, comparisons, alerts",
}
# So many of the nodes that run are named.
NAMED = 3


class Display:
    """Hears dbt's events, which come from its threads, and tells people."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.lock = threading.RLock()
        self.over = threading.Event()
        self.teller = threading.Thread(target=self.tell_now_and_then, name="display", daemon=True)
        self.started = self.last_told = time.monotonic()
        self.steps: set[str] = set()
        self.running: dict[str, float] = {}
        self.done, self.total = 0, 0
        self.bar = None

    @contextmanager
    def open(self):
        """Inside, it tells."""
        is_terminal = sys.stderr.isatty() and sys.stdout.isatty()
        self.say(self.title)
        if is_terminal:
            from tqdm import tqdm

            self.bar = tqdm(desc="Reading the project", unit="step", leave=False, dynamic_ncols=True)
        with progress.heard(is_terminal):
            self.teller.start()
            try:
                yield self
            finally:
                self.over.set()
                self.teller.join()
                if self.bar is not None:
                    self.bar.close()

    def hear(self, event) -> None:
        """event: dbt's EventMsg."""
        name, data = event.info.name, event.data
        if name == "PrintEvent":
            self.say(data.msg)
        elif name == "LogStartLine":
            self.total = data.total
        elif name == "NodeStart":
            self.begin(data.node_info.unique_id, data.node_info.node_relation.schema)
        elif name == "NodeFinished":
            self.end(data.node_info.unique_id, data.node_info.node_status)

    def begin(self, node: str, schema: str) -> None:
        """A step is told when the first of its tables is begun: later steps begin before earlier ones have ended."""
        with self.lock:
            self.running[node] = time.monotonic()
            if schema not in self.steps and node.split(".")[0] in BUILT:
                self.steps.add(schema)
                self.say(f"{self.clock()}  {schema:12} {STEPS.get(schema, '')}".rstrip())
                if self.bar is not None:
                    self.bar.set_description(schema)

    def end(self, node: str, status: str) -> None:
        with self.lock:
            self.running.pop(node, None)
            self.done += 1
            if status in FAILED:
                self.say(f"{self.clock()}  failed: {' '.join(node.split('.')[0:3:2])}")
            if self.bar is not None:
                self.bar.total = self.total
                self.bar.update()

    def say(self, text: str) -> None:
        with self.lock:
            self.last_told = time.monotonic()
            if self.bar is None:
                print(text, flush=True)
            else:
                self.bar.write(text, file=sys.stdout)

    def clock(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self.started), 60)
        return f"{minutes:3}:{seconds:02}"

    def tell_now_and_then(self) -> None:
        """On a terminal the bar moves; elsewhere a line breaks a silence."""
        while not self.over.wait(self.seconds_to_wait()):
            with self.lock:
                if self.bar is not None:
                    self.bar.set_postfix_str(", ".join(self.longest()))
                    self.last_told = time.monotonic()
                elif self.seconds_to_wait() <= 0:
                    self.say(f"{self.clock()}  {self.sentence()}")

    def seconds_to_wait(self) -> float:
        if self.bar is not None:
            return 1.0
        now = time.monotonic()
        return self.last_told + progress.pause(now - self.started) - now

    def sentence(self) -> str:
        """`412 of 1,048 done; at int_run_comparisons (24 s); Embedding mine: 1,200 of 5,777 texts done (21 %)`."""
        if not self.total:
            return "reading the project"
        told = [f"{self.done:,} of {self.total:,} done"]
        if self.running:
            told.append(f"at {', '.join(self.longest())}")
        return "; ".join([*told, *progress.sentences()])

    def longest(self) -> list[str]:
        """The nodes that have run longest, with their seconds."""
        now = time.monotonic()
        nodes = sorted(self.running.items(), key=lambda item: item[1])[:NAMED]
        return [f"{node.split('.')[2]} ({now - began:.0f} s)" for node, began in nodes]
