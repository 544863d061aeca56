"""Parts as tasks of Ray Core: stateless, run again where a worker or a node is lost."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from ipaddress import ip_address
from pathlib import Path

from finrag.engine.choice import ADDRESS, RAY, VARIABLE
from finrag.errors import FinragError

# A part is given up once so many workers or nodes were lost over it.
TRIES = 5
# Parts under way, or done and not yet asked for, of each processor: none waits for work, and little is computed that is
# lost with the process that builds.
AHEAD = 3
# A cluster that does not answer, or refuses our token, is asked for minutes by Ray itself.
SECONDS_TO_ANSWER = 40
# What workers are told of the driver's environment. Keys are not among it.
TOLD = ("FINRAG_", "DBT_PROJECT_DIR", "HF_HUB_OFFLINE", "HF_HOME", "TRANSFORMERS_OFFLINE", "MKL_CBWR")
TOKEN = "token"
ASK = """
import json, sys, ray
ray.init(sys.argv[1], logging_level="error", log_to_driver=False, configure_logging=False)
print("nodes " + json.dumps([node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]]))
"""

_CONNECTING = threading.Lock()


def run(task: Callable, parts: Iterable, gpus: float, bar) -> Iterator:
    """As finrag.engine.run.run."""
    import ray

    connect()
    resources = ray.cluster_resources()
    do = ray.remote(_do).options(
        num_cpus=1, num_gpus=gpus if resources.get("GPU") else 0, max_retries=TRIES - 1, retry_exceptions=False
    )
    job = ray.put(Job(task, str(Path.cwd()), digest(), told(os.environ)))
    waiting: deque = deque()
    try:
        for part in parts:
            waiting.append(do.remote(job, part))
            if len(waiting) >= AHEAD * processors(bar):
                yield _result(waiting.popleft(), task)
        while waiting:
            processors(bar)
            yield _result(waiting.popleft(), task)
    finally:  # whoever asked wants no more
        for reference in waiting:
            ray.cancel(reference, force=True)


def processors(bar) -> int:
    """Processors of the cluster as it is now: nodes come and go."""
    import ray

    count = int(ray.cluster_resources().get("CPU", 0))
    if bar is not None:
        bar.set_postfix_str(f"{count} processors")
    return max(1, count)


def _result(reference, task: Callable):
    import ray

    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        name = (task.func if isinstance(task, partial) else task).__name__
        reason = str(error).strip().splitlines()[0]
        raise FinragError(
            f"The cluster lost a part of {name} {TRIES} times: {reason} What was stored is kept, and the next build "
            "goes on from there. Give workers more memory if they ran out of it, or build without the cluster "
            f"({VARIABLE}=here)."
        ) from error


@dataclass(frozen=True)
class Job:
    """What all parts of a run share."""

    task: Callable
    folder: str
    digest: str
    environment: dict[str, str]

    def prepare(self) -> None:
        """Make this worker's process one that the task finds as it would find the driver's."""
        if digest() != self.digest:
            raise FinragError(
                f"A worker ({os.uname().nodename}) has another finrag than the process that builds. Install the same "
                "on all nodes; finrag doctor says what each has."
            )
        if not Path(self.folder).is_dir():
            raise FinragError(
                f"A worker ({os.uname().nodename}) has no folder {self.folder}. The project lies in a folder that all "
                "nodes share, under the same path."
            )
        os.chdir(self.folder)
        os.environ.update(self.environment)
        os.environ[VARIABLE] = "here"
        from finrag.threads import keep_one_processor

        keep_one_processor()


def _do(job: Job, part: object) -> object:
    job.prepare()
    return job.task(part)


@cache
def digest() -> str:
    """Of the library's code: results are equal only where it is."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        found.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def told(environment) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(TOLD)}


def connect() -> None:
    """Join the cluster, once for this process. Raises FinragError where that cannot or must not be done."""
    with _CONNECTING:
        ray = installed()
        if ray.is_initialized():
            return
        address = os.environ.get(ADDRESS, "")
        refuse_open_nodes(ask_nodes(address))
        ray.init(address, logging_level="error", log_to_driver=False, configure_logging=False)


def installed():
    # before it is imported: nobody is told that a cluster is used, and of what size
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError as error:
        raise FinragError(
            f"{VARIABLE}={RAY} needs Ray, which is not installed: pip install 'finrag-gold-warehouse[ray]'."
        ) from error
    return ray


def ask_nodes(address: str) -> list[str]:
    """Addresses of the cluster's nodes. Another process asks: one whose token is refused would wait for minutes."""
    if not address or "://" in address:
        raise FinragError(
            f"{ADDRESS} is {address!r}. Allowed: host:port of the head node, such as 10.0.0.4:6379, or auto on a node "
            "of the cluster; the process that builds is one of a node."
        )
    try:
        done = subprocess.run(
            [sys.executable, "-c", ASK, address], capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=False
        )
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        output = f"{(error.stderr or b'').decode(errors='replace')}\nno answer within {SECONDS_TO_ANSWER} seconds"
    for line in output.splitlines():
        if line.startswith("nodes "):
            return json.loads(line.removeprefix("nodes "))
    if "InvalidAuthToken" in output:
        raise FinragError(
            f"The cluster at {address} refused the token. It takes the one it was started with: RAY_AUTH_MODE=token "
            "and RAY_AUTH_TOKEN, or the file that RAY_AUTH_TOKEN_PATH names, on every node and here."
        )
    raise FinragError(
        f"No cluster answers at {address} ({output.strip().splitlines()[-1]}). Start one (ray start --head), or build "
        f"without ({VARIABLE}=here)."
    )


def refuse_open_nodes(nodes: Iterable[str]) -> None:
    """A cluster that others can reach runs whatever code they send, unless it asks for a token."""
    reachable = [node for node in nodes if not ip_address(node).is_loopback]
    if reachable and os.environ.get("RAY_AUTH_MODE") != TOKEN:
        raise FinragError(
            f"The cluster can be reached from other machines ({reachable[0]}), so it must ask for a token: start it "
            "with RAY_AUTH_MODE=token and RAY_AUTH_TOKEN (ray get-auth-token --generate makes one), and set both here."
        )
