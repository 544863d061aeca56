"""What the last build read and what it left, so that a build that would change nothing need not run.

dbt builds every table and runs every test each time it is asked, which is right where anything may have changed and a
minute or two of waiting where nothing has. After a build that finished with nothing left over, what it read and wrote
is noted beside the warehouse; the next one compares. Where files of some models alone differ, or settings that some
models read, those are built with what depends on them (finrag.build.concerned).
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import itertools
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import yaml

from finrag import plugins
from finrag.build import concerned
from finrag.corpus.paths import DEMO_DIRECTORY
from finrag.corpus.reader import REMOTE
from finrag.engine import choice as engine
from finrag.inputs.registries import Registry
from finrag.inputs.setting import paths_of
from finrag.lance_folder import DEFAULT, beside
from finrag.metrics.frozen import frozen_file
from finrag.project import DBT_FILE, PLACES, dbt_folder, dbt_profiles, dbt_target, seeds_folder
from finrag.publish.files import written_state
from finrag.settings import AT_PARSE, ROLES, SET_BY_FILE, VARIABLE, default_variables, handed_over
from finrag.whole import write_whole

LIBRARY = "finrag"
# Folders of a project whose files make no table: tests in Python, what they read, and the library, which is read apart.
NOT_READ = ("tests/python", "tests/fixtures", f"python_models/{LIBRARY}")
# Registries whose models may lie in local folders, and what those files are named by when they change.
SETTING = "the setting "
SOURCE_FILES = "source files"
REGISTRIES = {"embedding_models": f"{SETTING}embedding_models", "score_models": SOURCE_FILES}
# Of what a build reads: how it runs, where it goes, and what figures are held against.
DECIDE_NO_REQUESTS = ("options of the build", "environment variables", "installed packages", "profiles.yml")
DECIDE_NO_REQUESTS += ("what was frozen",)
ENVIRONMENT = ("FINRAG_", "DBT_")
# Of these variables: settings, which are read one by one, where work is done, and where the files lie that are read,
# which decide no result.
NO_RESULTS = (VARIABLE, SET_BY_FILE, engine.VARIABLE, *PLACES)


@dataclass(frozen=True)
class Finished:
    """The note of a build: what it read by name, what it left, when it ended, and what it said at the end.

    files: digests of the files of models, registries and tests. unfinished: names of nodes that a later build of a part
    was to make, with all that depends on them, and failed to. is_gate_decided: whether metrics.gate is of what it left.
    """

    read: dict[str, str]
    files: dict[str, str]
    written: str = ""
    ended_at: str = ""
    summary: str = ""
    report: str = ""
    is_gate_decided: bool = False
    unfinished: list[str] = field(default_factory=list)

    @classmethod
    def noted(cls, warehouse: Path) -> Finished | None:
        try:
            noted = json.loads(note_of(warehouse).read_text(encoding="utf-8"))
        except (OSError, ValueError):  # there is none, or what a loss of power left of one
            return None
        # another version of this code wrote other fields, and is a change by itself
        is_whole = isinstance(noted, dict) and noted.keys() == {each.name for each in fields(cls)}
        return cls(**noted) if is_whole else None

    def note(self, warehouse: Path) -> None:
        write_whole(note_of(warehouse), json.dumps(asdict(self), indent=1) + "\n")

    def changes(self, read: dict[str, str] | None, written: str) -> list[str]:
        """Names of what is no longer as this build read or left it; empty when a build would change nothing."""
        if read is None:
            return ["files that are not on this machine"]
        names = [name for name in {**self.read, **read} if self.read.get(name) != read.get(name)]
        return names + (["the warehouse"] if self.written != written else [])

    def concerned(self, changes: list[str], files: dict[str, str], manifest: Path) -> list[str] | None:
        """Names of the nodes that are to be built with what depends on them; None where all are."""
        settings = [name.removeprefix(SETTING) for name in changes if name.startswith(SETTING)]
        if not {name for name in changes if not name.startswith(SETTING)} <= set(concerned.PARTS):
            return None
        names = concerned.nodes_of(self.files, files)
        readers = concerned.readers_of(settings, manifest) if settings else []
        return None if names is None or readers is None else sorted({*names, *readers, *self.unfinished})


@dataclass(frozen=True)
class Made:
    """A file or a folder that dbt makes in its target, which stands until dbt would read something else.

    place: in the target. read: as what_is_read has it. To say again what it said before takes dbt seconds.
    """

    place: str
    read: dict[str, str] | None

    @property
    def noted(self) -> Path:
        """The file that says what it was made of, and how it was left."""
        return dbt_target() / f"{Path(self.place).name}.made"

    def state(self) -> str:
        left = stats(dbt_target() / self.place)
        return digest([json.dumps(self.read), *contents(dbt_folder() / "analyses"), *left])

    def is_current(self) -> bool:
        is_there = self.read is not None and (dbt_target() / self.place).exists() and self.noted.exists()
        return is_there and self.noted.read_text(encoding="utf-8") == self.state()

    def note(self) -> None:
        """After dbt made it."""
        write_whole(self.noted, self.state())


def note_of(warehouse: Path) -> Path:
    return warehouse.with_name(f"{warehouse.name}.built.json")


def forget(warehouse: Path) -> None:
    """Before a build starts: until it has finished, nothing is known."""
    note_of(warehouse).unlink(missing_ok=True)


def of_requests(warehouse: Path, read: dict[str, str] | None) -> str:
    """Of which build the requests to language models are, and what may make the next one ask for others.

    read: what it would read now.
    """
    last = Finished.noted(warehouse)
    if last is None:
        return "Requests are those of the last build, which left something undone: what changed since is not known."
    told = f"Requests are those of the build of {last.ended_at}"
    names = [name for name in last.changes(read, last.written) if may_decide_requests(name)]
    if not names:
        return f"{told}."
    return (
        f"{told}. Changed since: {', '.join(names)}; calls that this adds are not counted until a build has made them."
    )


def may_decide_requests(name: str) -> bool:
    """Whether a change may, by its name; who is asked and how is counted as it is now."""
    setting = name.removeprefix(SETTING)
    return name not in DECIDE_NO_REQUESTS and setting not in ROLES and not setting.startswith("llm_")


def what_is_read(arguments: list[str]) -> dict[str, str] | None:
    """A digest by name of everything that decides a build; None where files lie elsewhere and may change unseen."""
    named = named_variables(arguments)
    models = {registry: local_models(registry) for registry in REGISTRIES}
    values = [value for value in itertools.chain(named.values(), *models.values()) if isinstance(value, str)]
    if any(REMOTE.match(part.partition("=")[2] or part) for value in values for part in words(value)):
        return None
    project = dbt_folder()
    files = what_is_built()
    read = {
        part: digest(f"{path} {of}" for path, of in files.items() if path.startswith(part)) for part in concerned.PARTS
    }
    read |= {path.name: digest(contents(path)) for path in (project / "macros", project / DBT_FILE, dbt_profiles())}
    library = Path(__file__).parents[1]
    # a wheel holds the project in it, whose parts are read above
    read["the library"] = digest(contents(library, [library / "dbt"]))
    read["what was frozen"] = digest(contents(frozen_file()) if frozen_file().exists() else [])
    read["options of the build"] = digest(without_settings(arguments))
    read["environment variables"] = digest(environment())
    read["installed packages"] = digest(packages())
    lines: dict[str, list[str]] = {SOURCE_FILES: []}
    for name, value in named.items():
        of = f"{SETTING}{name}" if name not in AT_PARSE else SOURCE_FILES
        found = [line for part in words(value) for line in found_by(part)] if isinstance(value, str) else []
        # other vars are among the options
        lines.setdefault(of, []).extend(found if of == SOURCE_FILES else [repr(value), *found])
    for registry, of in REGISTRIES.items():
        lines[of] += [line for model in models[registry] for part in words(model) for line in found_by(part)]
    read |= {name: digest(of) for name, of in lines.items()}
    return read


def what_is_built() -> dict[str, str]:
    """Digests of the files of models, registries and tests, by their paths in the project."""
    left_out = [dbt_folder() / folder for folder in NOT_READ]
    lines = [line for part in concerned.PARTS for line in contents(dbt_folder() / part, left_out)]
    return dict(line.rsplit(" ", 1) for line in lines)


def what_is_written(warehouse: Path) -> str:
    """Changes when anyone writes or removes what a build leaves: the database, the vectors, the demo corpus."""
    lance = beside(os.environ.get("FINRAG_LANCE", DEFAULT))  # of an address what is beside it
    return digest([json.dumps(written_state(warehouse)), *stats(lance), *stats(DEMO_DIRECTORY)])


def named_variables(arguments: list[str]) -> dict[str, object]:
    """All vars and settings by name, with the defaults of dbt_project.yml."""
    try:
        given = yaml.safe_load(dict(itertools.pairwise(arguments)).get("--vars", "{}")) or {}
    except yaml.YAMLError:
        given = {}  # dbt says what is wrong with it
    return default_variables() | given | handed_over()


def without_settings(arguments: list[str]) -> list[str]:
    """Options without the vars that are read when a model runs: what reads those is known."""
    given = dict(itertools.pairwise(arguments)).get("--vars")
    try:
        others = {name: value for name, value in yaml.safe_load(given or "{}").items() if name in AT_PARSE}
    except (yaml.YAMLError, AttributeError):
        return arguments  # dbt says what is wrong with it
    return [json.dumps(others, sort_keys=True) if word == given else word for word in arguments]


def local_models(registry: str) -> list[str]:
    return [row["model_name"] for row in Registry(seeds_folder() / f"{registry}.csv").rows]


def words(value: str) -> list[str]:
    """Parts of a var, as the readers of files split it; a var that cannot be split names no file."""
    if os.path.exists(value):
        return [value]
    try:
        return shlex.split(value)
    except ValueError:
        return value.split()


def found_by(part: str) -> list[str]:
    """Size and time of the files that a path, directory, glob or name=path stands for."""
    patterns = (part, part.partition("=")[2])
    return [line for pattern in patterns if pattern for path in paths_of(pattern) for line in stats(Path(path))]


def stats(path: Path) -> list[str]:
    described = [(file, os.stat(file)) for file in files_in(path) if os.path.exists(file)]
    return [f"{file} {stat.st_size} {stat.st_mtime_ns}" for file, stat in described]


def contents(path: Path, without: Collection[Path] = ()) -> list[str]:
    """Digests of the files at a path, by their paths in the folder that it is in, so that a project may be moved.

    Without what Python compiles and the folders that are given.
    """
    left_out = {str(folder) for folder in without}

    def is_left_out(name: str, entry: str) -> bool:
        return name == "__pycache__" or name.endswith(".egg-info") or entry in left_out

    return [
        f"{path.name}{file.removeprefix(str(path))} {hashlib.sha256(Path(file).read_bytes()).hexdigest()}"
        for file in files_in(path, is_left_out)
    ]


def files_in(path: Path, is_left_out: Callable[[str, str], bool] = lambda name, entry: False) -> list[str]:
    """The files below a folder, or the file that a path is. is_left_out: told the name and the path of each entry."""
    if not path.is_dir():
        return [str(path)]
    found = []
    for folder, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not is_left_out(name, os.path.join(folder, name))]
        entries = [os.path.join(folder, name) for name in files if not is_left_out(name, os.path.join(folder, name))]
        found += filter(os.path.isfile, entries)
    return sorted(found)


def environment() -> list[str]:
    """Settings and addresses, those in this folder relative to it; of keys only whether they are set."""
    here = str(Path.cwd())
    settings = [
        f"{name}={os.path.relpath(value, here) if Path(value).is_relative_to(here) else value}"
        for name, value in os.environ.items()
        if (name.startswith(ENVIRONMENT) and name not in NO_RESULTS) or name.endswith("_BASE_URL")
    ]
    return sorted(settings + [name for name in os.environ if name.endswith("_API_KEY")])


def packages() -> list[str]:
    """What is installed, by version, and the code of plugins."""
    installed = {named_and_versioned(found) for found in importlib.metadata.distributions()}
    # an editable one changes without another version
    return [sys.version, *sorted(installed), *(line for place in plugins.places() for line in contents(place))]


def named_and_versioned(package: importlib.metadata.Distribution) -> str:
    """By the first lines of what describes it; all of it, which is read for package.name, may be a long text."""
    described = package.read_text("METADATA") or package.read_text("PKG-INFO") or package.read_text("") or ""
    head = dict(re.findall(r"^(Name|Version): *(.*?) *$", described.partition("\n\n")[0], re.M))
    return f"{head.get('Name')}=={head.get('Version')}"


def code_of_strategy(method: str) -> str | None:
    """The code of the plugin that a method of retrieval_strategies is; nothing where it is none."""
    point = plugins.plugins(plugins.STRATEGIES).get(method)
    place = plugins.place_of(point.module) if point else None
    return digest(contents(place)) if place else None


def digest(lines: Iterable[str]) -> str:
    # a file may have a name that is no UTF-8, which Python holds as surrogates
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()[:16]
