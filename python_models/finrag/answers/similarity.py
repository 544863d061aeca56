"""Similarity of pairs of texts by every configured metric. A pair is scored once per version of the scorers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.encoders.parts import over_rows, read
from finrag.encoders.score_models import LOADING, ScoreModel, chosen, location
from finrag.encoders.token_vectors import batches
from finrag.engine import files
from finrag.errors import FinragError
from finrag.libraries import load_transformers
from finrag.scoring.bertscore import BertScorer
from finrag.scoring.bleurt import bleurt
from finrag.scoring.cosine import cosine
from finrag.scoring.rouge import rouge_l
from finrag.versions import code_version

if TYPE_CHECKING:
    import numpy as np

NUMBERS = (
    "rouge_l_precision", "rouge_l_recall", "rouge_l",
    "bertscore_precision", "bertscore_recall", "bertscore", "bertscore_rescaled", "bleurt", "cosine",
)  # fmt: skip
FLAGS = ("is_candidate_truncated", "is_reference_truncated")
TEXTS = (
    "pair_id",
    "scorer_version",
    "bertscore_model",
    "bertscore_fingerprint",
    "bleurt_model",
    "bleurt_reason",
    "cosine_model",
)
COLUMNS = (*TEXTS, "bertscore_layer", *FLAGS, *NUMBERS)


def score_pairs(pairs, registry, names: str, store: str | None, done: Iterable[tuple[str, str]]):
    """Arrow table with the columns COLUMNS for the distinct pairs that done, of (pair_id, scorer_version), lacks.

    pairs: relation with pair_id, candidate and reference. registry: relation of seeds.score_models. names: var
    score_models. store: folder that keeps token vectors. A metric without a model of its kind is null; ROUGE-L needs
    none.
    """
    import numpy as np

    models = one_of_each(registry_rows(registry), names)
    version = scorer_version(models)
    known = {pair_id for pair_id, of in done if of == version}
    found = pairs.project("pair_id, candidate, reference").distinct().order("pair_id").fetchall()
    todo = [row for row in found if row[0] not in known]
    candidates, references = [row[1] for row in todo], [row[2] for row in todo]
    columns: dict[str, Sequence] = {
        "pair_id": [row[0] for row in todo],
        "scorer_version": [version] * len(todo),
    }
    if todo:
        rouge = rouge_l(candidates, references)
        columns |= {"rouge_l_precision": rouge.precision, "rouge_l_recall": rouge.recall, "rouge_l": rouge.f1}
        if model := models["bertscore"]:
            columns |= bertscore_columns(model, candidates, references, store)
        scores = bleurt(models["bleurt"], candidates, references, store)
        columns |= {
            "bleurt": np.full(len(todo), np.nan) if scores.scores is None else scores.scores,
            "bleurt_model": [scores.model_id] * len(todo),
            "bleurt_reason": [scores.reason] * len(todo),
        }
        if model := models["cosine"]:
            columns["cosine"] = cosine(candidates, references, lambda texts: sentence_vectors(model, texts, store))
            columns["cosine_model"] = [model.model_id] * len(todo)
    return to_table(columns, len(todo))


def bertscore_columns(
    model: ScoreModel, candidates: Sequence[str], references: Sequence[str], store: str | None
) -> dict[str, Sequence]:
    scores = BertScorer(model, store).score(candidates, references)
    columns: dict[str, Sequence] = {
        "bertscore_precision": scores.precision,
        "bertscore_recall": scores.recall,
        "bertscore": scores.f1,
        "bertscore_model": [scores.model_id] * len(candidates),
        "bertscore_fingerprint": [scores.fingerprint] * len(candidates),
        "bertscore_layer": [scores.layer] * len(candidates),
        "is_candidate_truncated": scores.candidate_truncated.tolist(),
        "is_reference_truncated": scores.reference_truncated.tolist(),
    }
    if model.rescale is not None:
        columns["bertscore_rescaled"] = (scores.f1 - model.rescale[2]) / (1 - model.rescale[2])
    return columns


def sentence_vectors(model: ScoreModel, texts: list[str], folder: str | None) -> np.ndarray:
    """Sentence embeddings, shape (texts, dimension). folder: where parts of the texts lie."""
    import numpy as np

    vectors = None
    for places, file in over_rows(
        partial(vectors_part, model), [(text,) for text in texts], f"Embedding for {model.model_id}", folder
    ):
        found = np.load(file)
        if vectors is None:
            vectors = np.empty((len(texts), found.shape[1]), np.float32)
        vectors[places] = found
    return vectors


def vectors_part(model: ScoreModel, file: str) -> str:
    """The task that embeds the texts of a file; returns a file of their vectors."""
    import numpy as np

    _, texts = read(file)
    with LOADING:
        encoder = sentence_encoder(model)
        whole = encoder.tokenizer(texts, truncation=True, max_length=encoder.max_seq_length, verbose=False)["input_ids"]
        vectors = np.empty((len(texts), encoder.get_embedding_dimension()), np.float32)
        for batch in batches([len(ids) for ids in whole]):
            vectors[batch] = encoder.encode([texts[place] for place in batch], show_progress_bar=False)
    made = Path(file).with_suffix(".npy")
    with files.whole(made) as path, path.open("wb") as stream:
        np.save(stream, vectors)
    return str(made)


@lru_cache(maxsize=1)
def sentence_encoder(model: ScoreModel):
    """The model, loaded once for all parts that this process computes."""
    load_transformers()
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(location(model), device="cpu")
    if model.max_tokens:
        encoder.max_seq_length = model.max_tokens
    return encoder


def registry_rows(registry) -> list[dict]:
    return [dict(zip(registry.columns, row, strict=True)) for row in registry.order("model_id").fetchall()]


def one_of_each(rows: Iterable[Mapping[str, object]], names: str) -> dict[str, ScoreModel | None]:
    """The model of each kind that the var score_models names; two of a kind are a FinragError."""
    rows = list(rows)
    models: dict[str, ScoreModel | None] = {}
    for kind in ("bertscore", "bleurt", "cosine"):
        found = chosen(rows, names, kind)
        if len(found) > 1:
            named = " and ".join(model.model_id for model in found)
            raise FinragError(f"score_models names {named}, both of kind {kind}. Name one of each kind.")
        models[kind] = found[0] if found else None
    return models


def scorer_version(models: Mapping[str, ScoreModel | None]) -> str:
    """Checksum of the models' registry rows and of the code that scores with them."""
    decided_by = f"{sorted(models.items())}{code_version(__name__)}"
    return hashlib.md5(decided_by.encode(), usedforsecurity=False).hexdigest()


def to_table(columns: Mapping[str, Sequence], count: int):
    """Missing columns are null, and so are numbers that are nan."""
    import numpy as np
    import pyarrow

    kinds = dict.fromkeys(TEXTS, pyarrow.string()) | dict.fromkeys(FLAGS, pyarrow.bool_())
    kinds |= dict.fromkeys(NUMBERS, pyarrow.float64()) | {"bertscore_layer": pyarrow.int32()}
    arrays = []
    for name in COLUMNS:
        values = columns.get(name, [None] * count)
        if name in NUMBERS:
            values = np.array(values, float)
        arrays.append(pyarrow.array(values, kinds[name], from_pandas=name in NUMBERS))
    return pyarrow.table(arrays, names=list(COLUMNS))
