"""The registry of models that score text, seeds/score_models.csv, and where their weights are."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from finrag.encoders.weights import CONVERT, SAFE
from finrag.errors import FinragError
from finrag.libraries import load_transformers
from finrag.project import registry_of
from finrag.settings import named

KINDS = ("bertscore", "bleurt", "cosine", "cross_encoder")
PACKAGE = "package:"
# dbt runs Python models in threads; two that load the same weights at once race inside transformers.
LOADING = RLock()


@dataclass(frozen=True)
class ScoreModel:
    """One row of seeds/score_models.csv."""

    model_id: str
    kind: str
    model_name: str  # hub name, local folder, or package:<module> with a get_model_path()
    revision: str | None = None
    num_layers: int | None = None  # BERTScore reads the output of this layer; None takes the last
    max_tokens: int | None = None  # None takes the model's own limit
    rescale: tuple[float, float, float] | None = None  # baseline of precision, recall, F1

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> ScoreModel:
        """A row as the database or the CSV gives it; empty cells are None or ''. Raises FinragError for a bad one."""
        name = row.get("model_id")
        if row.get("kind") not in KINDS:
            raise FinragError(
                f"{registry_of('score_models')}, {name}: kind {row.get('kind')!r} is unknown. Allowed: "
                f"{', '.join(KINDS)}."
            )
        baseline = [filled(row, f"rescale_{part}", float) for part in ("precision", "recall", "f1")]
        if None in baseline and baseline != [None] * 3:
            raise FinragError(
                f"{registry_of('score_models')}, {name}: fill all of rescale_precision, rescale_recall and "
                "rescale_f1, or none."
            )
        if any(value is not None and value >= 1 for value in baseline):
            raise FinragError(
                f"{registry_of('score_models')}, {name}: a rescale baseline of 1 or more leaves no range. Lower it."
            )
        return cls(
            model_id=str(name),
            kind=str(row["kind"]),
            model_name=str(row["model_name"]),
            revision=filled(row, "revision", str),
            num_layers=filled(row, "num_layers", int),
            max_tokens=filled(row, "max_tokens", int),
            rescale=None if None in baseline else tuple(baseline),
        )


def filled(row: Mapping[str, object], column: str, kind: type) -> object | None:
    value = row.get(column)
    return None if value is None or value == "" else kind(value)


def chosen(rows: Iterable[Mapping[str, object]], names: str, kind: str) -> list[ScoreModel]:
    """The registered models of a kind among space-separated names. An unknown name is a FinragError, none is []."""
    models = {str(row["model_id"]): row for row in rows}
    unknown = [name for name in names.split() if name not in models]
    if unknown:
        raise FinragError(
            f"{named('score_models', begins=True)} names {' '.join(unknown)}, which is no row of the registry. "
            f"Allowed: {', '.join(sorted(models))}. Correct it, or add a row to {registry_of('score_models')}."
        )
    return [ScoreModel.from_row(models[name]) for name in names.split() if models[name]["kind"] == kind]


def location(model: ScoreModel) -> str:
    """A folder or a hub name that transformers loads. Raises FinragError when the package is not installed."""
    if not model.model_name.startswith(PACKAGE):
        return model.model_name
    module = model.model_name.removeprefix(PACKAGE)
    try:
        return str(importlib.import_module(module).get_model_path())
    except ImportError as error:
        raise FinragError(
            f"Score model {model.model_id} needs the Python package {module}, which is not installed. "
            f"Install it (pip install {module.replace('_', '-')}) or name another model in score_models."
        ) from error


def load(model: ScoreModel, auto_class: str, **options: object) -> tuple[object, object]:
    """Tokeniser and network in evaluation mode, fp32 unless options say otherwise.

    auto_class names one of transformers' Auto classes. Raises FinragError when the weights cannot be had or do not fit
    the class.
    """
    load_transformers()
    import transformers

    place = location(model)
    revision = {} if model.revision is None or Path(place).exists() else {"revision": model.revision}
    with LOADING:
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, trust_remote_code=False, **revision)
            network = getattr(transformers, auto_class).from_pretrained(place, **SAFE, **revision, **options)
        except (OSError, ValueError) as error:
            raise FinragError(
                f"Score model {model.model_id} cannot be loaded from {model.model_name}: {error} "
                "Name a folder with config.json, a tokeniser and weights as safetensors, or a model on the Hugging "
                f"Face hub that this machine can reach or has in its cache. Pickled weights are not read. {CONVERT}."
            ) from error
    return tokenizer, network.eval()


def token_limit(model: ScoreModel, tokenizer: object, config: object) -> int:
    """Longest input in tokens, special ones included: the least that registry, tokeniser and positions allow."""
    positions = getattr(config, "max_position_embeddings", None)
    if positions and getattr(config, "model_type", "") in (
        "roberta",
        "xlm-roberta",
        "camembert",
        "longformer",
        "mpnet",
    ):
        positions -= (config.pad_token_id or 0) + 1  # these number their positions from the padding's on
    return min(limit for limit in (model.max_tokens, tokenizer.model_max_length, positions) if limit)
