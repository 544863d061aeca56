"""Tiny random sentence-transformers models on disk, loaded by the same code as real ones."""

from __future__ import annotations

from pathlib import Path

from finrag.embedding.models import EmbeddingModel

WORDS = (
    "query passage revenue net sales income debt risk cash flow rose fell increased decreased company "
    "year quarter the a of in and to because by million billion percent interest rate market products customers stores "
    "new and growth cyber security incident lawsuit regulation supply chain costs margin"
).split()


def save_tiny_model(folder: Path, seed: int = 0, dimension: int = 32, positions: int = 64) -> Path:
    """A BERT of two layers with random weights and a vocabulary of some words and all letters."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast
    from transformers.utils import logging

    logging.disable_progress_bar()
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)] + list("0123456789.,:;$%()-")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS), *letters]
    vocabulary += [f"##{letter}" for letter in letters]
    bert = folder.with_name(folder.name + "-bert")
    bert.mkdir(parents=True)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=dimension,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * dimension,
        max_position_embeddings=positions,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(bert)
    (bert / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    BertTokenizerFast(vocab=str(bert / "vocab.txt"), model_max_length=positions).save_pretrained(bert)
    modules = [Transformer(str(bert)), Pooling(dimension, "mean"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder))
    return folder


def tiny(folder: Path, **changes) -> EmbeddingModel:
    """Registry row of a tiny model."""
    row = {"model_id": "tiny", "model_name": str(folder), "revision": "1", "dimension": 32, "max_tokens": 32}
    return EmbeddingModel(**row | changes)


def sentences(count: int) -> list[str]:
    """Different sentences of different lengths, the same ones every time."""
    return [
        f"{number} "
        + " ".join(WORDS[(number * 7 + step * (1 + number % 5)) % len(WORDS)] for step in range(number % 25))
        for number in range(count)
    ]
