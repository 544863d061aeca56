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
    from collections.abc import Iterable

FORMATS = {
    **{".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"},
    **{".htm": "html", ".html": "html"},
    **{".pdf": "pdf", ".md": "text", ".markdown": "text", ".mmd": "text", ".txt": "text"},
}
# In a folder these are as often about the filings as filings; a glob that names them means them.
NOT_IN_FOLDERS = "text"
DEMO_DIRECTORY = Path("warehouse/demo")
DEMO_FILES = ("finsights/*.jsonl", "hf/*.jsonl", "edgar_crawler/*.json", "edgar_corpus/*.jsonl", "edgar_html/*.htm")
DEMO_FACTS = ("company_facts.csv", "companies.csv")
FORM = (
    f"It takes paths, directories or globs of {', '.join(FORMATS)} files, separated by spaces, absolute or relative to "
    "where the build runs."
)


def expand(connection, corpus: str, facts: str) -> tuple[list[str], list[str]]:
    """Paths of the corpus files and of the fact files, sorted, each file once however often it is named.

    Raises FinragError when a path matches nothing, or when a file stands in both.
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
    in_both = [corpus_files[file] for file in corpus_files if file in fact_files]
    if in_both:
        raise FinragError(
            f"{len(in_both)} {'file stands' if len(in_both) == 1 else 'files stand'} under both {named('corpus')} and "
            f"{named('company_facts')}: "
            f"{', '.join(in_both[:5])}{', …' if len(in_both) > 5 else ''}. Filings and sentences belong to the first, "
            "company facts and company names to the second, and each file to one of them; narrow the glob or the "
            "directory that finds it in the other."
        )
    return sorted(corpus_files.values()), sorted(fact_files.values())


def files_of(connection, setting: str, option: str) -> dict[str, str]:
    """What a setting names, as named_once has it. Raises FinragError with every part that matches nothing."""
    parts = words(option, setting, as_parted(FORM))
    return named_once(chain.from_iterable(together(*(partial(matches, connection, part, option) for part in parts))))


def named_once(paths: Iterable[str]) -> dict[str, str]:
    """The first spelling in alphabetical order of each file, by the file itself: links and ./ are seen through."""
    files: dict[str, str] = {}
    for path in sorted(paths):
        files.setdefault(path if REMOTE.match(path) else os.path.realpath(path), path)
    return files


def matches(connection, pattern: str, variable: str) -> list[str]:
    """Files that one path, directory or glob stands for. A directory stands for every supported file below it."""
    if REMOTE.match(pattern):
        from finrag.corpus.remote import open_remote

        open_remote(connection, pattern)
        paths = [row[0] for row in connection.execute("select file from glob(?)", [pattern]).fetchall()]
    elif os.path.isdir(folder := at_home(pattern)):
        found = [path for path in Path(folder).rglob("*") if not path.is_dir()]
        paths = [str(path) for path in found if format_of(str(path)) not in (None, NOT_IN_FOLDERS)]
    else:
        paths = [path for path in paths_of(pattern) if not os.path.isdir(path)]
    if not paths:
        raise FinragError(
            f"{variable} path '{pattern}' matches no file (looked from {os.path.basename(os.getcwd())}/)."
            f"{hint_of_list(pattern)}{hint_of_texts(pattern)} {as_parted(FORM)}"
        )
    return paths


def hint_of_texts(pattern: str) -> str:
    """What to write where a directory has texts alone, which it does not stand for; empty for anything else."""
    if REMOTE.match(pattern) or not os.path.isdir(at_home(pattern)):
        return ""
    texts = (path for path in Path(at_home(pattern)).rglob("*") if format_of(str(path)) == NOT_IN_FOLDERS)
    if (first := next(texts, None)) is None:
        return ""
    glob = Path(pattern) / "**" / f"*{first.suffix}"
    return f" Text files in it, such as {first.name}, are read where a glob names them: {str(glob)!r}."


def format_of(path: str) -> str | None:
    """'parquet', 'json' or 'csv' by the file's ending (a trailing .gz is read through), else None."""
    name = path.lower().removesuffix(".gz")
    return FORMATS.get(Path(name).suffix)
