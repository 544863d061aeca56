"""What is in force and where it comes from, and whether keys, files, disk, memory and packages are there."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from packaging.requirements import Requirement

from finrag import plugins
from finrag.build.checks import check_before, file_readers
from finrag.build.output import LOCKED, sentence_of
from finrag.build.unchanged import words
from finrag.cli import registries, toml
from finrag.cli.choices import DEFAULT, Choice
from finrag.corpus.paths import matches
from finrag.corpus.reader import REMOTE
from finrag.edgar import client as edgar
from finrag.engine.choice import RAY
from finrag.engine.choice import chosen as chosen_engine
from finrag.engine.nodes import faults, nodes
from finrag.errors import FinragError
from finrag.inputs.registries import Registry
from finrag.llm.models import fault_of_key
from finrag.metrics.plugged import kind_of
from finrag.project import FILE, dbt_folder, seeds_folder, version, warehouse
from finrag.settings import KEY_OF, ROLES, default_variables

DISTRIBUTION = "finrag-gold-warehouse"
LEAST_DISK_GB = 2.0
# Vars that name files, of which the demo's have no path.
OF_CORPUS = ("corpus", "company_facts")
FILES = (
    *(*OF_CORPUS, "imported_vectors", "external_hits", "external_chunks", "question_suites"),
    *("external_answers", "summary_pairs", "sentiment_data", "sentiment_replies", "calibration_data"),
)
BUILT_IN = ("demo", "auto", "")
GIGABYTE = 1024**3


class Findings:
    """Lines for people, and how many of them are faults."""

    def __init__(self) -> None:
        self.faults = 0

    def title(self, text: str) -> None:
        print(f"\n{text}")

    def say(self, name: str, value: object, origin: str = "") -> None:
        print(f"  {name:28} {value}{f'   ({origin})' if origin else ''}")

    def fault(self, name: str, problem: str = "") -> None:
        self.faults += 1
        print(f"! {name:28} {problem}".rstrip())


def examine(chosen: Mapping[str, Choice], is_complete: bool) -> int:
    """Print everything; how many faults there are. is_complete: defaults that no key of finrag.toml names too."""
    found = Findings()
    print(f"finrag {version()}, Python {platform.python_version()}")
    found.say("project", Path.cwd(), FILE if Path(FILE).exists() else "a clone")
    found.say("dbt project", dbt_folder().resolve())
    settings(found, chosen, is_complete)
    rows(found)
    before_a_build(found, chosen)
    keys(found, chosen)
    who_asks(found)
    files(found, chosen)
    machine(found)
    cluster(found)
    packages(found)
    of_others(found)
    print(f"\nFaults, marked with !: {found.faults}" if found.faults else "\nNo faults.")
    return found.faults


def settings(found: Findings, chosen: Mapping[str, Choice], is_complete: bool) -> None:
    found.title("In force, and from where")
    left_out = 0
    for name, choice in chosen.items():
        if is_complete or name in KEY_OF or choice.origin != DEFAULT:
            value = repr(choice.value) if choice.value in ("", None) else choice.value
            found.say(KEY_OF.get(name, f"{toml.SETTINGS}.{name}"), value, choice.origin)
        else:
            left_out += 1
    if left_out:
        print(f"  and {left_out} defaults more: finrag doctor --all")


def before_a_build(found: Findings, chosen: Mapping[str, Choice]) -> None:
    """What a build would stop at before it begins."""
    found.title("Registries, settings and the files that they name")
    try:
        check_before({name: choice.value for name, choice in chosen.items()}, default_variables())
        print("  nothing that would stop a build")
    except FinragError as error:
        for problem in str(error).splitlines():
            found.fault(problem)


def rows(found: Findings) -> None:
    found.title("Rows of your own in registries")
    own = registries.own_rows(Path(FILE), Path("registry")) if Path(FILE).exists() else {}
    for name, rows_of_it in own.items():
        place = rows_of_it[0].place.partition(",")[0] if rows_of_it else FILE
        found.say(name, f"{len(rows_of_it)}", place)
    if not own:
        print("  none")


def keys(found: Findings, chosen: Mapping[str, Choice]) -> None:
    """Whether each variable that holds a key is set, to what a key can be; what is in it is never shown."""
    found.title("Keys of language models, from the environment")
    used = {name for role in ROLES for name in str(chosen[role].value).split()}
    models: dict[str, list[str]] = {}
    for row in Registry(seeds_folder() / "llm_models.csv").rows:
        if row["api_key_env"]:
            models.setdefault(row["api_key_env"], []).append(row["model_id"])
    for variable, names in models.items():
        needed = [name for name in names if name in used]
        key = os.environ.get(variable, "").strip()
        if fault := fault_of_key(key):
            found.fault(variable, fault)
        elif key:
            found.say(variable, "present")
        elif needed:
            found.fault(variable, f"absent, and needed by {', '.join(needed)}")
        else:
            found.say(variable, "absent", "not needed")


def who_asks(found: Findings) -> None:
    """Whom EDGAR is told, where it is said at all: filings may come from elsewhere."""
    if os.environ.get(edgar.CONTACT, "").strip():
        found.title("EDGAR")
        try:
            found.say("contact", edgar.contact())
        except FinragError as error:
            found.fault("contact", str(error))


def files(found: Findings, chosen: Mapping[str, Choice]) -> None:
    found.title("Files")
    readers = file_readers()
    for name in FILES:
        key = KEY_OF[name]
        for part in parts(str(chosen[name].value)):
            if REMOTE.match(part.partition("=")[2] or part):
                found.say(key, f"{part}: elsewhere, not looked at")
                continue
            paths = files_of(name, part, readers)
            if paths:
                # a link that leads nowhere is one of the corpus' files, which a build rejects with a reason
                size = sum(path.stat().st_size for path in paths if path.exists())
                found.say(key, f"{part}: {len(paths):,} file{'' if len(paths) == 1 else 's'}, {size / 1e6:,.1f} MB")
            else:
                found.say(key, f"{part}: no file to read")
    built(found, warehouse())


def built(found: Findings, database: Path) -> None:
    """Whether the warehouse, where there is one, can be opened; that a build has it open is no fault."""
    import duckdb

    if not database.exists():
        found.say("warehouse", f"{database}: not built yet")
        return
    size = f"{database}: {database.stat().st_size / 1e6:,.0f} MB"
    try:
        duckdb.connect(str(database), read_only=True).close()
        found.say("warehouse", size)
    except duckdb.Error as error:
        if LOCKED.search(" ".join(str(error).split())):
            found.say("warehouse", size, "open in another process")
        else:
            found.fault("warehouse", sentence_of(error) or f"{database} cannot be opened: {error}")


def parts(value: str) -> list[str]:
    """Paths and globs that a var names, with the names before them."""
    return [] if value in BUILT_IN else words(value)


def files_of(name: str, part: str, readers: Mapping[str, Callable]) -> list[Path]:
    """The files that a build would read for a part of a setting, those in folders among them; none where it stops."""
    try:
        if name in OF_CORPUS:
            return [Path(path) for path, is_read in matches(None, part, name).items() if is_read]
        found = [Path(file.path) for file in readers[name](shlex.quote(part))]
    except FinragError:  # among what a build would stop at
        return []
    return [
        path
        for each in found
        for path in ([file for file in each.rglob("*") if file.is_file()] if each.is_dir() else [each])
    ]


def machine(found: Findings) -> None:
    found.title("Machine")
    free = shutil.disk_usage(Path.cwd()).free / GIGABYTE
    if free < LEAST_DISK_GB:
        found.fault("disk", f"{free:,.1f} GB free; a build of the demo alone needs {LEAST_DISK_GB:g}")
    else:
        found.say("disk", f"{free:,.1f} GB free")
    for folder in dict.fromkeys((Path.cwd(), warehouse().absolute().parent)):
        if folder.exists() and not os.access(folder, os.W_OK):
            found.fault("disk", f"{folder} cannot be written, as every build does")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE
    limit = os.environ.get("FINRAG_MEMORY_LIMIT")
    found.say("memory", f"{memory:,.1f} GB")
    found.say("FINRAG_MEMORY_LIMIT", limit or "4GB", "environment" if limit else DEFAULT)
    found.say("processors", os.cpu_count())


def cluster(found: Findings) -> None:
    """The nodes of the engine in use, where that is a cluster."""
    try:
        if chosen_engine() != RAY:
            return
    except FinragError:  # among what a build would stop at
        return
    found.title("Cluster")
    try:
        for node in nodes():
            has = f"{node.processors:g} processors, {node.gpus:g} GPUs, {node.memory_gb:,.1f} GB"
            found.say(node.address, f"{has}, Python {node.versions['Python']}, Ray {node.versions['ray']}")
            for fault in faults(node):
                found.fault(node.address, fault)
    except FinragError as error:
        found.fault("cluster", str(error))


def packages(found: Findings) -> None:
    """The packages that this one declares: whether they are there, in a version that it allows."""
    found.title("Packages")
    for stated in importlib.metadata.requires(DISTRIBUTION) or []:
        requirement = Requirement(stated)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            installed = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            found.fault(requirement.name, "is not installed")
            continue
        if requirement.specifier.contains(installed, prereleases=True):
            found.say(requirement.name, installed)
        else:
            found.fault(requirement.name, f"{installed} is installed, {requirement.specifier} is needed")


def of_others(found: Findings) -> None:
    """The plugins that other packages add: whether each can be loaded, and is not hidden by one of our own."""
    from finrag.llm.providers import of_plugin, own_providers
    from finrag.search.engines import METHODS

    installed = importlib.metadata.entry_points()
    points = [(group, point) for group in plugins.GROUPS for point in installed.select(group=group)]
    if not points:
        return
    found.title("Plugins of other packages")
    own = {plugins.PROVIDERS: own_providers().keys(), plugins.STRATEGIES: METHODS}
    for group, point in points:
        name = f"{group} {point.name}"
        if point.name in own.get(group, ()):
            found.fault(name, f"is never used: finrag has a {point.name} of its own. Rename it in {point.dist.name}.")
            continue
        try:
            loaded = plugins.load(group, point.name)
            if group == plugins.METRICS:
                kind_of(f"{point.dist.name}:{point.name}", loaded)
            elif group == plugins.PROVIDERS:
                of_plugin(point.name, loaded)
            found.say(name, point.value, f"{point.dist.name} {point.dist.version}")
        except FinragError as error:
            found.fault(name, str(error))
