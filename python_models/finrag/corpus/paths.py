"""The files that the settings of the corpus and of the facts name, each once: paths, folders, globs, the demo."""

from __future__ import annotations

import os
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.reader import REMOTE
from finrag.errors import FinragError, together
from finrag.inputs.setting import as_parted, at_home, hint_of_list, paths_of, words
from finrag.settings import named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

FORMATS = {
    **{".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"},
    **{".htm": "html", ".html": "html"},
    **{".pdf": "pdf", ".md": "text", ".markdown": "text", ".mmd": "text", ".txt": "text"},
}
# In a folder texts are as often about the filings as filings; a glob that names them means them.
NOT_IN_FOLDERS = ("text", None)
DEMO_DIRECTORY = Path("warehouse/demo")
DEMO_FILES = ("finsights/*.jsonl", "hf/*.jsonl", "edgar_crawler/*.json", "edgar_corpus/*.jsonl", "edgar_html/*.htm")
DEMO_FACTS = ("company_facts.csv", "companies.csv")
FORM = (
    f"It takes paths, directories or globs of {', '.join(FORMATS)} files, separated by spaces, absolute or relative to "
    "where the build runs."
)


def expand(connection, corpus: str, facts: str) -> tuple[dict[str, bool], dict[str, bool]]:
    """Paths of the corpus files and of the fact files, sorted, each file once however often it is named.

    With each path whether it is to be read: what a folder holds and does not stand for is not. Raises FinragError when
    a path matches nothing, or when a file stands in both.
    """
    is_demo = corpus.strip() == "demo"
    if is_demo:
        from finrag.demo import ensure

        ensure(DEMO_DIRECTORY)
        corpus = " ".join(str(DEMO_DIRECTORY / pattern) for pattern in DEMO_FILES)
    if facts.strip() == "auto":
        facts = " ".join(str(DEMO_DIRECTORY / name) for name in DEMO_FACTS) if is_demo else ""
    if not corpus.strip():
        raise FinragError(
            f"{named('corpus')} is empty. Give one or several paths or globs, or leave it out for the demo corpus."
        )
    corpus_files, fact_files = together(
        partial(files_of, connection, corpus, named("corpus")),
        partial(files_of, connection, facts, named("company_facts")),
    )
    corpus_files = without_passed_over(corpus_files, fact_files)
    fact_files = without_passed_over(fact_files, corpus_files)
    in_both = [corpus_files[file][0] for file in corpus_files if file in fact_files]
    if in_both:
        raise FinragError(
            f"{len(in_both)} {'file stands' if len(in_both) == 1 else 'files stand'} under both {named('corpus')} and "
            f"{named('company_facts')}: "
            f"{', '.join(in_both[:5])}{', …' if len(in_both) > 5 else ''}. Filings and sentences belong to the first, "
            "company facts and company names to the second, and each file to one of them; narrow the glob or the "
            "directory that finds it in the other."
        )
    return dict(sorted(corpus_files.values())), dict(sorted(fact_files.values()))


def files_of(connection, setting: str, option: str) -> dict[str, tuple[str, bool]]:
    """What a setting names, as named_once has it. Raises FinragError with every part that matches nothing."""
    parts = words(option, setting, as_parted(FORM))
    found = together(*(partial(matches, connection, part, option) for part in parts))
    return named_once(chain.from_iterable(files.items() for files in found))


def named_once(files: Iterable[tuple[str, bool]]) -> dict[str, tuple[str, bool]]:
    """The first spelling in alphabetical order of each file, by the file itself: links and ./ are seen through.

    files: with each path whether it is to be read; of one file those come first that are.
    """
    once: dict[str, tuple[str, bool]] = {}
    for path, is_read in sorted(files, key=lambda file: (not file[1], file[0])):
        once.setdefault(path if REMOTE.match(path) else os.path.realpath(path), (path, is_read))
    return once


def without_passed_over(files: dict[str, tuple[str, bool]], others: Collection[str]) -> dict[str, tuple[str, bool]]:
    """Without those that are not to be read and others have, where they are read or told."""
    return {file: found for file, found in files.items() if found[1] or file not in others}


def matches(connection, pattern: str, variable: str) -> dict[str, bool]:
    """Files that one path, directory or glob finds, and whether it stands for them.

    A directory finds all files below it but hidden ones, and stands for those of the supported formats but texts.
    """
    if REMOTE.match(pattern):
        from finrag.corpus.remote import open_remote

        open_remote(connection, pattern)
        found = connection.execute("select file from glob(?)", [pattern]).fetchall()
        files = {path: True for (path,) in found}
    elif os.path.isdir(folder := at_home(pattern)):
        below = [path for path in Path(folder).rglob("*") if path.is_symlink() or not path.is_dir()]
        shown = [path for path in below if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
        files = {str(path): not path.is_dir() and format_of(str(path)) not in NOT_IN_FOLDERS for path in shown}
    else:
        files = {path: True for path in paths_of(pattern) if not os.path.isdir(path)}
    if not files:
        raise FinragError(
            f"{variable} path '{pattern}' matches no file (looked from {os.path.basename(os.getcwd())}/)."
            f"{hint_of_list(pattern)} {as_parted(FORM)}"
        )
    return files


def format_of(path: str) -> str | None:
    """'parquet', 'json' or 'csv' by the file's ending (a trailing .gz is read through), else None."""
    name = path.lower().removesuffix(".gz")
    return FORMATS.get(Path(name).suffix)
