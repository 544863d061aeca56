"""What a run of dbt did to each node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from finrag.build.output import message_for_people, tracebacks_in

BUILT = ("seed", "model")
FAILED = ("error", "fail", "runtime error", "partial success")


@dataclass(frozen=True)
class Results:
    """Nodes of one run with their status and message."""

    nodes: list[dict]

    @classmethod
    def of_run(cls, results: Iterable) -> Results:
        """From dbt's own results."""
        stated = [(result.node.unique_id, str(result.status), result.message) for result in results]
        return cls([dict(zip(("unique_id", "status", "message"), each, strict=True)) for each in stated])

    def of_kind(self, *kinds: str) -> list[dict]:
        return [node for node in self.nodes if node["unique_id"].split(".")[0] in kinds]

    def summary(self, seconds: float) -> str:
        """seconds: that the whole build took."""
        built = Counter(kind_of(node) for node in self.of_kind(*BUILT) if node["status"] == "success")
        parts = [counted(built[noun], noun) for noun in BUILT if built[noun]]
        tests = Counter(node["status"] for node in self.of_kind("test", "unit_test"))
        if tests["pass"]:
            parts.append(f"{counted(tests['pass'], 'check')} passed")
        if tests["warn"]:
            parts.append(f"{tests['warn']} warned")
        return f"{', '.join(parts) or 'nothing'} in {duration(seconds)}"

    def failures(self) -> list[str]:
        """A line for each reason that nodes failed for, with their names: what a file lacks may stop several."""
        names: dict[str, list[str]] = {}
        for node in self.nodes:
            if node["status"] in FAILED:
                told = message_for_people(node["message"] or node["status"])
                names.setdefault(told, []).append(name_of(node))
        return [f"{', '.join(of_nodes)}: {told}" for told, of_nodes in names.items()]

    def tracebacks(self) -> list[str]:
        """Where the program itself is at fault: what Python said."""
        failed = [node["message"] or "" for node in self.nodes if node["status"] in FAILED]
        return [told for message in failed if (told := tracebacks_in(message))]

    def status_of(self, model: str) -> str | None:
        """None where the model had no part in it."""
        status = {node["unique_id"].split(".")[2]: node["status"] for node in self.of_kind("model")}
        return status.get(model)

    def skipped(self) -> int:
        return sum(node["status"] == "skipped" for node in self.nodes)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def kind_of(node: dict) -> str:
    return node["unique_id"].split(".")[0]


def name_of(node: dict) -> str:
    """As people write it: `model source_files`."""
    kind, _, name, *_ = node["unique_id"].split(".")
    return f"{kind.replace('_', ' ')} {name}"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
