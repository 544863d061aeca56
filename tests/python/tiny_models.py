"""Tiny random models on disk, so that tests go through the real loading code without a download."""

from __future__ import annotations

from pathlib import Path

from finrag.encoders.models import EmbeddingModel
from finrag.libraries import load_transformers

WORDS = (
    "query passage revenue net sales income debt risk cash flow rose fell increased decreased company "
    "year quarter the a of in and to because by million billion percent interest rate market products customers stores "
    "new and growth cyber security incident lawsuit regulation supply chain costs margin"
).split()


NETWORK_WORDS = """
    net sales revenue income increased decreased rose fell to by from million billion percent the of and in company
    fiscal year due higher lower costs debt
""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *NETWORK_WORDS,
    *LETTERS,
    *".,$%",
    *(f"##{letter}" for letter in LETTERS),
]
SIZES = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
MAX_TOKENS = 24


def save_tiny_model(folder: Path, seed: int = 0, dimension: int = 32, positions: int = 64) -> Path:
    """A BERT of two layers with random weights and a vocabulary of some words and all letters."""
    load_transformers()
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


def bert(folder: Path, seed: int = 0, labels: int | None = None) -> str:
    """A BERT encoder, or with labels a sequence classifier; returns its folder."""
    load_transformers()
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizer

    torch.manual_seed(seed)
    vocabulary = {word: place for place, word in enumerate(VOCABULARY)}
    BertTokenizer(vocab=vocabulary, model_max_length=MAX_TOKENS).save_pretrained(folder)
    options = {} if labels is None else {"num_labels": labels}
    config = BertConfig(vocab_size=len(VOCABULARY), max_position_embeddings=MAX_TOKENS, **SIZES, **options)
    (BertModel if labels is None else BertForSequenceClassification)(config).save_pretrained(folder)
    return str(folder)


def roberta(folder: Path) -> str:
    """A RoBERTa encoder with a byte-level tokeniser that knows " s" and " sa"; returns its folder."""
    load_transformers()
    import torch
    from tokenizers import pre_tokenizers
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    torch.manual_seed(0)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(pre_tokenizers.ByteLevel.alphabet()), "Ġs", "Ġsa"]
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    RobertaTokenizer(vocab=vocabulary, merges=[("Ġ", "s"), ("Ġs", "a")]).save_pretrained(folder)
    special = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    RobertaModel(RobertaConfig(vocab_size=len(pieces), max_position_embeddings=64, **SIZES, **special)).save_pretrained(
        folder
    )
    return str(folder)
