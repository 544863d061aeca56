"""Settings that name files: ``path``, ``name=path`` and ``name@regime=path``, separated by spaces, globs allowed."""

from __future__ import annotations

import glob
import json
import os
import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from finrag.errors import FinragError, together
from finrag.inputs.files import shorten
from finrag.project import front, registry_of
from finrag.settings import assigned, named

NAME = re.compile(r"[A-Za-z0-9_.-]+")
DEFAULT_REGIME = "open"
# How several are parted in a clone, and in finrag.toml and after options.
BY_SPACES = "separated by spaces"
IN_LIST = "in a list, or separated by spaces after the option"
# What a setting says for the set that comes with the product, and that set is called.
DEMO = "demo"


def words(option: str, setting: str, form: str) -> list[str]:
    """The parts of a setting, quoted as in a shell where they hold blanks; one path that exists is one part as it is.

    Raises FinragError for a quote without its other.
    """
    if os.path.exists(setting.strip()):
        return [setting.strip()]
    try:
        return shlex.split(setting)
    except ValueError as error:
        raise FinragError(
            f"{option} cannot be read: {error}. Put a path that holds a blank, a quote or an apostrophe into quotes. "
            f"{form}"
        ) from error


def as_list(parts: str) -> str:
    """How several are written in finrag.toml, where a text is one of them whatever blanks are in it."""
    return f"Write a list: [{', '.join(json.dumps(part, ensure_ascii=False) for part in parts.split())}]."


def hint_of_list(parts: str) -> str:
    """The same, with a blank before it, of what matches nothing and may be several; in a clone a blank parts them."""
    return f" {as_list(parts)}" if front() != "make" and len(parts.split()) > 1 else ""


def as_parted(form: str) -> str:
    """What is said to be separated by spaces, in the words of the place."""
    return form if front() == "make" else form.replace(BY_SPACES, IN_LIST)


def paths_of(pattern: str) -> list[str]:
    """What a path or a glob stands for, sorted. A path that exists is a path, whatever characters are in it."""
    pattern = at_home(pattern)
    if os.path.lexists(pattern):
        return [pattern]
    if pattern.endswith("**"):
        pattern = os.path.join(pattern, "*")  # up to Python 3.12 folders are all that ** stands for at the end
    # links to folders are not followed below **, as one may lead to where it stands
    if "**" in pattern:
        start = Path(pattern).anchor
        return sorted(str(path) for path in Path(start).glob(str(Path(pattern).relative_to(start))))
    return sorted(glob.glob(pattern))


def at_home(pattern: str) -> str:
    """With a home folder for its ~: no shell has seen what stands in finrag.toml, or behind a name and its =."""
    return pattern if os.path.lexists(pattern) else os.path.expanduser(pattern)


def as_utf_8(path: str) -> str:
    """A path as it can be written down: \\xe9 in place of a byte that is no UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


@dataclass(frozen=True)
class NamedFile:
    """A file, the name that the setting gives it, and the regime, where the setting takes one."""

    name: str
    path: str
    regime: str | None = None


@dataclass(frozen=True)
class Grammar:
    """What a setting may say. variable: its var; takes: what it takes, after "It takes"; example: a value of it.

    taken: names that are none of a user's, and what they are (``a strategy``); regimes: those that may follow a name.
    folder: paths of files that make a folder one of those it takes; empty where it takes none.
    """

    variable: str
    takes: str
    example: str
    is_name_needed: bool = True
    taken: tuple[Collection[str], str] = ((), "")
    regimes: Collection[str] | None = None
    folder: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """A sentence that says what it takes, in the words of the place where it is said."""
        return f"It takes {as_parted(self.takes)}, e.g. {assigned(self.variable, self.example)}."

    @property
    def option(self) -> str:
        return named(self.variable)

    def is_demo(self, setting: str | None) -> bool:
        """Whether a setting that may name the demo set does; raises FinragError where it is empty."""
        if not (setting or "").strip():
            raise FinragError(f"{self.option} is empty. {self.form} {DEMO!r} is the demo set.")
        return setting.strip() == DEMO

    def parse(self, setting: str) -> list[NamedFile]:
        """The files, in order and once each; a path without a name is named after its file.

        Raises FinragError with what is wrong with each part.
        """
        parts = words(self.option, setting or "", self.form)
        return list(dict.fromkeys(chain.from_iterable(together(*(partial(self._files, part) for part in parts)))))

    def _files(self, part: str) -> list[NamedFile]:
        label, separator, pattern = part.partition("=")
        if not self.is_name_needed and (not (separator and NAME.fullmatch(label)) or os.path.exists(part)):
            label, separator, pattern = "", "", part
        if not pattern:
            raise FinragError(f"{self.option} names {shorten(part)!r} without a path. {self.form}")
        name, regime = label, None
        if self.regimes is not None:
            name, at, regime = label.partition("@")
            regime = self._regime(name, regime if at else DEFAULT_REGIME)
        if separator:
            self._check_name(name)
        paths = paths_of(pattern)
        if broken := [path for path in paths if os.path.islink(path) and not os.path.exists(path)]:
            raise FinragError(
                f"{self.option} finds {shorten(as_utf_8(broken[0]))!r}, a link that leads to no file. Remove it, or "
                "have it lead to one."
            )
        found = [path for path in paths if os.path.isfile(path) or self._is_folder(path)]
        if wrong := [as_utf_8(path) for path in found if as_utf_8(path) != path]:
            raise FinragError(f"{self.option} finds {shorten(wrong[0])!r}, a name that is no UTF-8. Rename it.")
        if not found:
            raise FinragError(f"{self._nothing_found(pattern, name, paths)}{hint_of_list(part)} {self.form}")
        return [NamedFile(name or Path(path).stem, path, regime) for path in found]

    def _nothing_found(self, pattern: str, name: str, paths: list[str]) -> str:
        """Why none of the paths that a pattern stands for is a file."""
        if not (len(paths) == 1 and os.path.isdir(paths[0])):
            return (
                f"{self.option} path {shorten(pattern)!r}{f' of {name}' if name else ''} matches no file (looked from "
                f"{Path.cwd().name}/)."
            )
        why = "Name the files in it, by a glob if they are several."
        if self.folder:
            both = "both" if len(self.folder) == 2 else "all"
            why = f"It lacks {' or '.join(self.folder)}: with {both} a folder is a suite."
        return f"{self.option} names the folder {shorten(pattern)!r}. {why}"

    def _is_folder(self, path: str) -> bool:
        return bool(self.folder) and all(os.path.isfile(os.path.join(path, file)) for file in self.folder)

    def _check_name(self, name: str) -> None:
        if not NAME.fullmatch(name):
            raise FinragError(
                f"{self.option} gives the name {shorten(name)!r}. Allowed are letters, digits and the characters _ . "
                f"and -. {self.form}"
            )
        names, what = self.taken
        if name.lower() in {each.lower() for each in names}:
            raise FinragError(
                f"{self.option} gives the name {name!r}, which is {what} here ({', '.join(sorted(names))}). Give it "
                "another."
            )

    def _regime(self, name: str, regime: str) -> str:
        if regime not in self.regimes:
            raise FinragError(
                f"{self.option} names the regime {shorten(regime)!r} for {name}. Allowed: "
                f"{', '.join(sorted(self.regimes))}. Add a row to {registry_of('retrieval_regimes')} for another."
            )
        return regime
