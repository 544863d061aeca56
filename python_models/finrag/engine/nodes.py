"""What each node of the cluster has: code, versions, memory, and whether it reaches the project's folder."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finrag.engine import cluster

# Their versions decide what a vector is, or whether a worker understands the process that builds.
PACKAGES = ("ray", "pylance", "torch", "numpy", "sentence-transformers")
# Of a worker that embeds: torch, the model and a batch.
LEAST_GB_A_PROCESSOR = 1.5
GIGABYTE = 1024**3


@dataclass(frozen=True)
class Node:
    """memory_gb: of the machine. fault: why its workers cannot write into the project's folder, or None."""

    address: str
    code: str
    versions: dict[str, str]
    processors: float
    gpus: float
    memory_gb: float
    fault: str | None


def describe(folder: str, mark: str) -> dict[str, object]:
    """What is found where it runs. mark: name of a file that it leaves in the folder."""
    fault = None
    try:
        Path(folder, mark).touch()
    except OSError as error:
        fault = f"cannot write into {folder}: {error.strerror}"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE
    return {"code": cluster.digest(), "versions": versions(), "memory_gb": memory, "fault": fault}


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "none"
    return found


def nodes() -> Iterator[Node]:
    """Every node with a processor for workers. Raises FinragError as cluster.connect does."""
    cluster.connect()
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as Only

    asked = ray.remote(describe)
    for node in ray.nodes():
        resources = node["Resources"]
        if not node["Alive"] or not resources.get("CPU"):
            continue
        mark = f".finrag-{node['NodeID']}"
        there = asked.options(num_cpus=0, scheduling_strategy=Only(node["NodeID"], soft=False))
        told = ray.get(there.remote(str(Path.cwd()), mark))
        left = Path(mark)
        if told["fault"] is None and not left.exists():
            told["fault"] = f"writes into another {Path.cwd()} than this process: the folder is not shared"
        left.unlink(missing_ok=True)
        yield Node(
            address=node["NodeManagerAddress"],
            processors=resources["CPU"],
            gpus=resources.get("GPU", 0),
            **told,
        )


def faults(node: Node) -> list[str]:
    """What is wrong with a node, and what to do."""
    found = [node.fault + ". Put the project where all nodes reach it under one path."] if node.fault else []
    here = versions()
    for name, version in node.versions.items():
        if version != here[name]:
            found.append(f"has {name} {version}, this process {here[name]}. Install the same on all nodes.")
    if node.code != cluster.digest():
        found.append("has another finrag than this process. Install the same on all nodes.")
    if node.memory_gb < LEAST_GB_A_PROCESSOR * node.processors:
        found.append(
            f"has {node.memory_gb:,.1f} GB for {node.processors:g} workers, which need {LEAST_GB_A_PROCESSOR} GB each. "
            "Give it more, or start it with fewer processors (ray start --num-cpus)."
        )
    return found
