"""The folder that a command runs in, and the dbt project that it runs.

In a clone that is the clone. In a folder with a finrag.toml it is `.finrag/`, made of links to the dbt project of this
installation and of its seeds with the folder's own rows added, so that nobody edits what an upgrade replaces.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from finrag.cli import registries, toml
from finrag.errors import FinragError, together
from finrag.project import DBT_FILE, FILE, FRONT, PARTS, command, front, product
from finrag.publish.files import remove
from finrag.settings import SET_BY_FILE, default_variables

STAGE = Path(".finrag")
# dbt-duckdb writes the path of a seed between quotes, and DuckDB and dbt's search take the others for a pattern or
# for folders, so that a project beside it, or none, would be read.
NOT_IN_FOLDER = "'*?[\\"


def enter() -> None:
    """Tell dbt and the library where the project is, in the environment of this process and those it starts."""
    check_folder(Path.cwd())
    if Path(FILE).exists():
        variables, seeds, _ = together(
            lambda: toml.environment(Path(FILE)),
            lambda: registries.merged(product() / "seeds", Path(FILE), Path("registry")),
            lambda: toml.variables(Path(FILE), default_variables(product())),
        )
        stated = {name: value for name, value in variables.items() if name not in os.environ}
        if stated:
            os.environ |= {**stated, SET_BY_FILE: json.dumps({name: toml.VARIABLES[name] for name in stated})}
        stage = set_up(Path.cwd() / STAGE, seeds)
        os.environ |= {"DBT_PROJECT_DIR": str(stage), "DBT_PROFILES_DIR": str(stage)}
        # dbt takes these from its project's folder where they are relative
        os.environ |= {"DBT_TARGET_PATH": str(Path.cwd() / "target"), "DBT_LOG_PATH": str(Path.cwd() / "logs")}
    elif Path(DBT_FILE).exists():
        os.environ.setdefault("DBT_PROFILES_DIR", ".")
    else:
        raise FinragError(
            f"There is no {FILE} in this folder. Make a project: finrag init <folder>; or go to the folder of one."
        )
    os.environ[FRONT] = front()
    Path("warehouse").mkdir(exist_ok=True)


def check_folder(folder: Path) -> None:
    """Raises FinragError for a folder whose path dbt or DuckDB would read as something else."""
    for part in folder.parts:
        if held := [character for character in NOT_IN_FOLDER if character in part]:
            raise FinragError(
                f"{folder} cannot hold a project: {' and '.join(held)} in the name of the folder {part} "
                f"{'is' if len(held) == 1 else 'are'} not read as such by dbt and DuckDB. Allowed are all characters "
                f"but {' '.join(NOT_IN_FOLDER)}: rename the folder, or go to another."
            )


def set_up(stage: Path, merged: Mapping[str, str]) -> Path:
    """Put links to this installation's dbt project into the folder, and its seeds with the project's own rows.

    merged: the seeds that have such rows, as CSV by file name.
    """
    source = product()
    (stage / "seeds").mkdir(parents=True, exist_ok=True)
    write(stage / ".gitignore", "*\n")
    for part in PARTS:
        if part != "seeds":
            link(stage / part, source / part)
    for file in sorted((source / "seeds").iterdir()):
        if file.name in merged:
            write(stage / "seeds" / file.name, merged[file.name])
        else:
            link(stage / "seeds" / file.name, file)
    for file in (stage / "seeds").iterdir():
        if not (source / "seeds" / file.name).exists():
            file.unlink()
    return stage


def link(path: Path, target: Path) -> None:
    if path.is_symlink() and path.readlink() == target:
        return
    remove(path)
    path.symlink_to(target)


def write(path: Path, text: str) -> None:
    """Write a file unless it holds the text already."""
    if path.is_symlink() or not path.exists() or path.read_text(encoding="utf-8") != text:
        remove(path)
        path.write_text(text, encoding="utf-8")


TEMPLATE = """\
# What this project evaluates. Paths are relative to this folder; `finrag doctor` shows what is in force and from where.
# Every key: docs/project.md.

[corpus]
paths = "demo"                      # or ["filings/*.json", "sentences/*.parquet"]
# facts = "company_facts.parquet"   # XBRL company facts, names and tickers of companies
# [corpus.columns]                  # names in your files, where they are not those of a known layout
# item_1 = "item1"

# [hits]                            # what your own search found
# "mine@open" = "exports/mine.trec"

# [models]
# embedding = ["all-MiniLM-L6-v2", "my-model"]
# answers = ["gemini-3.5-flash-lite"]

# [budgets]
# usd = 5

# [engine]                          # a cluster for what grows with the corpus
# name = "ray"
# address = "10.0.0.4:6379"

# [edgar]                           # who downloads from EDGAR, which the SEC asks for: finrag fetch
# contact = "Jane Doe jane@example.com"

# [[registry.embedding_models]]     # rows of a registry; or a file registry/embedding_models.csv
# model_id = "my-model"
# model_name = "models/my-model"
# dimension = 384
"""
IGNORED = "warehouse/\n.finrag/\ntarget/\nlogs/\nreports/\nexports/\n"


def make(folder: Path) -> None:
    """Write a new project. Raises FinragError where there is one."""
    if (folder / FILE).exists():
        raise FinragError(f"{folder / FILE} is there already. Edit it, or name another folder.")
    if (folder / DBT_FILE).exists():
        raise FinragError(f"{folder} is a clone, which needs no {FILE}: {command('build')} builds it.")
    check_folder(folder.absolute())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(TEMPLATE, encoding="utf-8")
    if not (folder / ".gitignore").exists():
        (folder / ".gitignore").write_text(IGNORED, encoding="utf-8")
