"""Embedding models as rows of the registry seeds/embedding_models.csv."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields
from functools import cached_property

from finrag.encoders import weights
from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.settings import named

REGISTRY = "seeds/embedding_models.csv"

# Raise it when vectors of the same model and text come out differently, say with another normalisation.
VECTORS_VERSION = 1

DOCUMENT = "document"
QUERY = "query"


@dataclass(frozen=True)
class EmbeddingModel:
    """One row of the registry. Texts are None where the CSV is empty, prefixes are empty strings."""

    model_id: str
    model_name: str
    revision: str | None
    dimension: int
    max_tokens: int | None = None
    query_prefix: str = ""
    document_prefix: str = ""
    weights_sha256: str | None = None

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise FinragError(f"{REGISTRY}: {self.model_id}: dimension is {self.dimension}; it must be 1 or more.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise FinragError(
                f"{REGISTRY}: {self.model_id}: max_tokens is {self.max_tokens}; it must be 1 or more, or empty for the "
                "model's own limit."
            )

    @property
    def is_imported(self) -> bool:
        """Whether the model has only vectors that were made elsewhere."""
        return self.model_name == "imported"

    @property
    def is_asymmetric(self) -> bool:
        """Whether a text has another vector as a query than as a document."""
        return self.query_prefix != self.document_prefix

    def prefix(self, role: str) -> str:
        return self.query_prefix if role == QUERY else self.document_prefix

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256, as 64 hex digits, of everything that decides a vector. Loads no model.

        Of models in a local folder or a Python package that includes the files themselves; a hub model is decided by
        its revision, which must therefore not move. Raises FinragError where the files cannot be found.
        """
        parts = asdict(self) | {"version": VECTORS_VERSION, "files": weights.files_digest(self)}
        del parts["model_id"]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def table_name(self) -> str:
        """Name of the model's files in the store: its id, as far as paths allow, and 8 digits of the fingerprint."""
        return f"{re.sub(r'[^A-Za-z0-9._-]', '_', self.model_id)}__{self.fingerprint[:8]}"


def read_models(registry) -> dict[str, EmbeddingModel]:
    """Models by id, from the seed embedding_models as a DuckDB relation."""
    columns = [field.name for field in fields(EmbeddingModel)]
    models = {}
    for row in registry.order("model_id").project(", ".join(columns)).fetchall():
        values = dict(zip(columns, row, strict=True))
        for prefix in ("query_prefix", "document_prefix"):
            values[prefix] = values[prefix] or ""
        models[values["model_id"]] = EmbeddingModel(**values)
    return models


def chosen_models(registry, names: str) -> list[EmbeddingModel]:
    """The models that the var embedding_models names, in its order, without repetition."""
    models = read_models(registry)
    chosen = list(dict.fromkeys(names.split()))
    if not chosen:
        raise FinragError(
            f"{named('embedding_models', begins=True)} names no model. Name one or several of: {', '.join(models)}."
        )
    for name in chosen:
        if name not in models:
            raise FinragError(
                f"{named('embedding_models', begins=True)} names {name!r}, which {REGISTRY} does not have. Allowed: "
                f"{', '.join(models)}. Correct it, or add a row to {registry_of('embedding_models')} and build again."
            )
    return [models[name] for name in chosen]
