"""The documentation as a site, by MkDocs: README first, then the pages of docs/ and of the root.

MkDocs takes one folder, so they are put into one, with their links following. A link that leads nowhere ends the build.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from finrag.errors import FinragError
from finrag.project import PAGES, product

# Pages by their place in the project, where the site has them elsewhere than in docs/ or under their own name.
PLACES = {"README.md": "index.md", "analyses/README.md": "analyses.md"}
# How pages name dbt's docs, and what the site makes of it.
DBT_DOCS = ("`target/site/dbt.html`", "[dbt.html](dbt.html)")


def check() -> None:
    """Raises FinragError where the site cannot be built."""
    if not find_spec("mkdocs"):
        raise FinragError("The pages need MkDocs, which is not installed: pip install mkdocs")


def build(dbt_docs: Path, site: Path) -> None:
    """Write the site, with dbt's docs, one file, as its dbt.html."""
    with tempfile.TemporaryDirectory(prefix="finrag-docs-") as folder:
        collect(product(), Path(folder) / "docs")
        shutil.copy(dbt_docs, Path(folder) / "docs" / "dbt.html")
        shutil.copy(product() / "mkdocs.yml", folder)
        command = [sys.executable, "-m", "mkdocs", "build", "--clean", "--site-dir", str(site.absolute())]
        done = subprocess.run(command, cwd=folder, check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        # MkDocs tells of what it does, too
        faults = [line for line in done.stderr.splitlines() if not line.startswith("INFO")]
        raise FinragError("\n".join(["The pages have faults; no site was written.", *faults]))


def collect(source: Path, folder: Path) -> None:
    """Put every page into one folder as the site has it."""
    shutil.copytree(source / "docs", folder)
    of_root = [name for name in PAGES if name.endswith(".md")]
    for name in [*of_root, *PLACES, *(f"docs/{page.name}" for page in (source / "docs").glob("*.md"))]:
        text = (source / name).read_text(encoding="utf-8").replace(*DBT_DOCS)
        (folder / place(name)).write_text(with_spaced_lists(with_links(text, name)), encoding="utf-8")


def place(name: str) -> str:
    """Where the site has a file of the project."""
    return PLACES.get(name, name.removeprefix("docs/"))


def with_links(text: str, name: str) -> str:
    """A page's text with its relative links as they are from the page's place in the site."""
    here = posixpath.dirname(name)
    return re.sub(
        r"(?<=\]\()([^)#:\s]+)", lambda link: place(posixpath.normpath(posixpath.join(here, link.group()))), text
    )


def with_spaced_lists(text: str) -> str:
    """With an empty line before each list: GitHub needs none after a paragraph, MkDocs does."""
    lines, is_code = [], False
    for line in text.split("\n"):
        if line.startswith("- ") and not is_code and lines and lines[-1] and not lines[-1].startswith(("- ", "  ")):
            lines.append("")
        is_code ^= line.startswith("```")
        lines.append(line)
    return "\n".join(lines)
