"""What language models are asked to do: a package per task, with its prompt, its schema and its baseline.

A task ``<name>`` is a package here whose ``__init__.py`` holds ``TASK``, a ``finrag.llm.tasks.Task`` of that name, and
beside it ``prompt.md``. It is found by its name; there is no list to keep.
"""
