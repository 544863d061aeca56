"""Tiny random models on disk, so that tests go through the real loading code without a download."""

from __future__ import annotations

from pathlib import Path

WORDS = """
    net sales revenue income increased decreased rose fell to by from million billion percent the of and in company
    fiscal year due higher lower costs debt
""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *WORDS,
    *LETTERS,
    *".,$%",
    *(f"##{letter}" for letter in LETTERS),
]
SIZES = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
MAX_TOKENS = 24


def bert(folder: Path, seed: int = 0, labels: int | None = None) -> str:
    """A BERT encoder, or with labels a sequence classifier; returns its folder."""
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
