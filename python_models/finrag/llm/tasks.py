"""A task: a versioned prompt, a Pydantic schema of the reply, and a baseline that needs no model."""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from finrag.errors import FinragError
from finrag.llm.prompts import PromptText, read_prompt
from finrag.versions import code_version


@dataclass(frozen=True)
class Task:
    """One kind of request to a language model.

    name: that of its package in ``finrag.tasks``, in which its ``prompt.md`` lies (see ``finrag.llm.prompts``).
    version: raised by hand when the meaning of the task changes; every change of the prompt or the schema gives a new
    ``prompt_version`` by itself. output: the schema of the reply; None for plain text, which is kept as raw_text and is
    asked for again only when it is empty. baseline: maps the input fields to a reply (text where output is None) by
    rules, deterministically. baseline_reads: files besides the code of finrag that its replies depend on.
    max_output_tokens: longest reply worth paying for; a model's own limit may be lower. stand_in: a reply as long as
    the baseline's, for the estimate, where that takes long to make.
    """

    name: str
    version: int
    output: type[BaseModel] | None
    baseline: Callable[[dict], BaseModel | str]
    max_output_tokens: int = 1024
    baseline_reads: tuple[Path, ...] = ()
    stand_in: Callable[[dict], str] | None = None

    @cached_property
    def schema(self) -> dict | None:
        """JSON Schema of the reply; None for plain text."""
        return None if self.output is None else self.output.model_json_schema()

    @cached_property
    def text(self) -> PromptText:
        package = importlib.import_module(f"finrag.tasks.{self.name}")
        return read_prompt(Path(package.__file__).with_name("prompt.md"), self.schema)

    def baseline_reply(self, inputs: dict) -> str:
        """The baseline's reply as a model would write it."""
        reply = self.baseline(inputs)
        return reply if isinstance(reply, str) else reply.model_dump_json()

    @cached_property
    def baseline_version(self) -> str:
        """Hash of what the baseline's replies depend on: the code of its task, and the files that it reads."""
        digest = hashlib.sha256(code_version(f"finrag.tasks.{self.name}").encode())
        for path in self.baseline_reads:
            if path.exists():
                digest.update(path.read_bytes())
        return digest.hexdigest()[:8]

    @cached_property
    def prompt_version(self) -> str:
        """Declared version and a hash of everything the model is told, for example ``2-9f86d081``."""
        told = json.dumps([self.text.instructions, self.text.template, self.schema], sort_keys=True)
        return f"{self.version}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def task_names() -> list[str]:
    import finrag.tasks

    return sorted(module.name for module in pkgutil.iter_modules(finrag.tasks.__path__))


def find_task(name: str) -> Task:
    """The task of that name; raises FinragError for a name without a package in ``finrag.tasks``."""
    names = task_names()
    if name not in names:
        raise FinragError(
            f"There is no task {name!r}. Tasks: {', '.join(names) or 'none'}. "
            "A task is a package in python_models/finrag/tasks with TASK in its __init__.py."
        )
    task = getattr(importlib.import_module(f"finrag.tasks.{name}"), "TASK", None)
    if not isinstance(task, Task) or task.name != name:
        raise FinragError(f"finrag/tasks/{name}/__init__.py must define TASK, a finrag.llm.tasks.Task named {name!r}.")
    return task
