"""Puts the corpus on disk, whole or not at all, and notices when it is damaged or out of date."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from finrag.errors import FinragError

GENERATOR_VERSION = "4"
"""Raise it whenever a byte of the corpus changes: ensure() then replaces what an earlier version wrote."""

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class DemoCorpus:
    """The corpus on disk. Paths are inside directory; counts are those of the manifest."""

    directory: Path
    finsights: tuple[Path, ...]
    hf: tuple[Path, ...]
    edgar_crawler: tuple[Path, ...]
    edgar_corpus: tuple[Path, ...]
    edgar_html: tuple[Path, ...]
    companies: Path
    company_facts: Path
    planted_cases: Path
    manifest: Path
    counts: dict[str, int]


def generate(directory: Path) -> DemoCorpus:
    """Write every file of the corpus to directory, replacing files of the same name and leaving others alone.

    Raises FinragError when directory is a file or cannot be written.
    """
    from finrag.demo.corpus import render

    files = render(GENERATOR_VERSION)
    write(Path(directory), files, files)
    return describe(Path(directory), json.loads(files[MANIFEST]))


def ensure(directory: Path) -> DemoCorpus:
    """The corpus in directory: at once if it is complete and of this version, else after writing what is wrong.

    Raises FinragError when directory is a file or cannot be written.
    """
    directory = Path(directory)
    recorded = read_manifest(directory)
    if recorded is not None and all(is_intact(directory / path, entry) for path, entry in recorded["files"].items()):
        return describe(directory, recorded)

    from finrag.demo.corpus import render

    files = render(GENERATOR_VERSION)
    expected = json.loads(files[MANIFEST])
    wrong = {
        path: content
        for path, content in files.items()
        if path == MANIFEST or not is_intact(directory / path, expected["files"][path])
    }
    write(directory, wrong, files)
    return describe(directory, expected)


def write(directory: Path, wanted: dict[str, bytes], corpus: dict[str, bytes]) -> None:
    """Put the wanted files in place. The manifest goes first and comes back last, so an interrupted run is noticed."""
    try:
        if directory.exists() and not directory.is_dir():
            raise FinragError(
                f"'{directory}' is a file. Name a directory for the demo corpus, new or of an earlier run."
            )
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{directory.name}.", dir=directory.parent) as scratch:
            staged = Path(scratch) / "corpus"
            for path, content in wanted.items():
                (staged / path).parent.mkdir(parents=True, exist_ok=True)
                (staged / path).write_bytes(content)
            if not directory.exists():
                staged.replace(directory)
                return
            stale = stale_files(directory, corpus)
            (directory / MANIFEST).unlink(missing_ok=True)
            for path in stale:
                path.unlink(missing_ok=True)
            for path in sorted(wanted, key=lambda path: (path == MANIFEST, path)):
                put(staged / path, directory / path)
    except OSError as error:
        raise FinragError(
            f"The demo corpus cannot be written to '{directory}': {error.strerror or error}. "
            "Free the path, or name another directory: python -m finrag.demo <directory>."
        ) from error


def put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    source.replace(target)


def stale_files(directory: Path, corpus: dict[str, bytes]) -> list[Path]:
    """Files that an earlier version of the generator wrote and this one does not. Only its own manifest is believed."""
    try:
        listed = json.loads((directory / MANIFEST).read_text("utf-8"))["files"]
        root = directory.resolve()
        paths = [(directory / path).resolve() for path in listed if path not in corpus]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [path for path in paths if path.is_relative_to(root) and path.is_file()]


def read_manifest(directory: Path) -> dict | None:
    """The manifest, or None when it is absent, unreadable or of another version."""
    try:
        recorded = json.loads((directory / MANIFEST).read_text("utf-8"))
        complete = recorded["generator_version"] == GENERATOR_VERSION and recorded["files"] and recorded["counts"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return recorded if complete else None


def is_intact(path: Path, entry: dict) -> bool:
    try:
        if path.stat().st_size != entry["bytes"]:
            return False
        return hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
    except OSError:
        return False


def describe(directory: Path, recorded: dict) -> DemoCorpus:
    def under(folder: str) -> tuple[Path, ...]:
        return tuple(directory / path for path in sorted(recorded["files"]) if path.startswith(folder + "/"))

    return DemoCorpus(
        directory=directory,
        finsights=under("finsights"),
        hf=under("hf"),
        edgar_crawler=under("edgar_crawler"),
        edgar_corpus=under("edgar_corpus"),
        edgar_html=under("edgar_html"),
        companies=directory / "companies.csv",
        company_facts=directory / "company_facts.csv",
        planted_cases=directory / "planted_cases.csv",
        manifest=directory / MANIFEST,
        counts=dict(recorded["counts"]),
    )
