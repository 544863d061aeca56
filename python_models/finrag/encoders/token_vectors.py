"""Token embeddings of texts, each distinct text encoded once per model and kept in memory and, if asked, on disk.

Vectors are stored as float16, whose rounding moves a BERTScore by about 1e-5. They are rounded
before first use, so a score does not depend on whether its texts were just encoded or read back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from finrag.encoders.score_models import LOADING, ScoreModel, load, token_limit
from finrag.errors import FinragError
from finrag.index.lance import lance_folder
from finrag.project import registry_of

VERSION = "2"  # raise it when the encoding changes; stores of another version are left alone
# Tokens per forward pass: the activations of so many (12 MB at 1,536 floats) still fit a cache.
BATCH_TOKENS = 2048
FLUSH_TEXTS = 256  # encoded texts that a killed run loses at most


@dataclass(frozen=True)
class TokenVectors:
    """One text: token ids of shape (tokens,) and unit vectors of shape (tokens, dimension), special tokens included."""

    ids: np.ndarray
    vectors: np.ndarray
    is_truncated: bool


class TokenEncoder:
    """Token embeddings after the given layer of a Hugging Face encoder, as the bert_score package takes them.

    Texts are stripped; a text longer than the limit is cut there and marked. counts: encoded (computed here),
    read (taken from the store).
    """

    def __init__(self, model: ScoreModel, store: str | Path | None = None) -> None:
        self.model = model
        self.tokenizer, network = load(model, "AutoModel", dtype="float32")
        self.network = getattr(network, "encoder", network) if hasattr(network, "decoder") else network
        self.layer = keep_layers(self.network, model)
        self.limit = token_limit(model, self.tokenizer, network.config)
        # bert_score asks byte-level tokenisers for a space before the first word; transformers 5 ignores the request
        self.prefix = " " if type(self.tokenizer).__name__ in ("RobertaTokenizer", "GPT2Tokenizer") else ""
        marks = (self.tokenizer.sep_token_id, self.tokenizer.cls_token_id)
        self.separators = [token for token in marks if token is not None]
        self.fingerprint = fingerprint(self.network, self.tokenizer, self.layer, self.limit)
        self.store = (
            None if store is None else TokenStore(lance_folder(store) / "token_vectors" / f"{self.fingerprint}.lance")
        )
        self.memory: dict[str, TokenVectors] = {}
        self.encoded = 0
        self.read = 0

    def __call__(self, texts: Iterable[str]) -> dict[str, TokenVectors]:
        """Vectors by text, for every distinct text given."""
        wanted = list(dict.fromkeys(texts))
        with LOADING:
            self._read(text for text in wanted if text not in self.memory)
            self._encode([text for text in wanted if text not in self.memory])
            return {text: self.memory[text] for text in wanted}

    def token_ids(self, texts: Sequence[str]) -> tuple[list[list[int]], list[bool]]:
        """Ids with special tokens, cut to the limit, and whether a text was cut."""
        if not texts:
            return [], []
        stripped = [self.prefix + text.strip() if text.strip() else "" for text in texts]
        whole = self.tokenizer(stripped, add_special_tokens=True, verbose=False)["input_ids"]
        cut = [len(ids) > self.limit for ids in whole]
        if any(cut):
            short = self.tokenizer(stripped, add_special_tokens=True, truncation=True, max_length=self.limit)
            whole = short["input_ids"]
        return whole, cut

    def forget(self) -> None:
        """Free the memory; the store, if there is one, keeps everything."""
        self.memory.clear()

    def memory_bytes(self) -> int:
        return sum(entry.vectors.nbytes for entry in self.memory.values())

    def _read(self, texts: Iterable[str]) -> None:
        if self.store is None:
            return
        found = self.store.read({text_key(text): text for text in texts})
        self.memory.update({text: widened(entry) for text, entry in found.items()})
        self.read += len(found)

    def _encode(self, texts: Sequence[str]) -> None:
        ids, cut = self.token_ids(texts)
        fresh: dict[str, TokenVectors] = {}
        for batch in batches([len(tokens) for tokens in ids]):
            for place, vectors in zip(batch, self._forward([ids[place] for place in batch]), strict=True):
                fresh[texts[place]] = TokenVectors(np.array(ids[place], dtype=np.int32), vectors, cut[place])
            if len(fresh) >= FLUSH_TEXTS:
                self._keep(fresh)
                fresh = {}
        self._keep(fresh)

    def _keep(self, fresh: dict[str, TokenVectors]) -> None:
        if self.store is not None and fresh:
            self.store.append(fresh)
        self.memory.update({text: widened(entry) for text, entry in fresh.items()})
        self.encoded += len(fresh)

    def _forward(self, ids: list[list[int]]) -> Iterator[np.ndarray]:
        """Unit vectors of each of some texts of one length, as float16."""
        import torch

        tokens = torch.tensor(ids)
        with torch.inference_mode():
            output = self.network(tokens, attention_mask=torch.ones_like(tokens))[0]
            output = (output / output.norm(dim=-1, keepdim=True)).half().numpy()
        yield from map(np.copy, output)


def widened(entry: TokenVectors) -> TokenVectors:
    """float32 vectors of length 1; the rounding to float16 had moved it."""
    vectors = entry.vectors.astype(np.float32)
    return replace(entry, vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def text_key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def batches(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts in groups of one length and at most BATCH_TOKENS tokens, one text at least, the longest first.

    Padding changes the last digits of what it stands beside: with none, a text's vectors do not depend on its company.
    """
    group: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        size = sizes[place]
        if group and (sizes[group[0]] != size or size * (len(group) + 1) > BATCH_TOKENS):
            yield group
            group = []
        group.append(place)
    if group:
        yield group


def keep_layers(network: object, model: ScoreModel) -> int:
    """Drop the layers above the registry's, as bert_score does; returns the layer whose output is read."""
    import torch

    holder, name = layer_list(network, model)
    layers = getattr(holder, name)
    kept = len(layers) if model.num_layers is None else model.num_layers
    if not 0 <= kept <= len(layers):
        raise FinragError(
            f"{registry_of('score_models')}, {model.model_id}: num_layers is {kept}, but {model.model_name} has "
            f"{len(layers)} layers. Allowed: 0 (the embeddings) to {len(layers)}."
        )
    setattr(holder, name, torch.nn.ModuleList(list(layers)[:kept]))
    return kept


def layer_list(network: object, model: ScoreModel) -> tuple[object, str]:
    """Where an encoder keeps its layers: (module, attribute)."""
    for path, name in (("encoder", "layer"), ("transformer", "layer"), ("", "layers"), ("", "layer")):
        holder = getattr(network, path, None) if path else network
        if holder is not None and hasattr(holder, name):
            return holder, name
    raise FinragError(
        f"Score model {model.model_id}: {type(network).__name__} keeps its layers in no known place. "
        "Use a BERT, RoBERTa, DeBERTa, DistilBERT, MPNet, BART or XLNet encoder."
    )


def fingerprint(network: object, tokenizer: object, layer: int, limit: int) -> str:
    """Changes with the weights in use, the tokeniser, the layer, the limit and the encoding; not with file names."""
    digest = hashlib.sha256(f"{VERSION} {type(network).__name__} {layer} {limit}\n".encode())
    digest.update(config_text(network.config))
    digest.update(tokenizer_text(tokenizer))
    for name, weights in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(weights.contiguous().cpu().numpy().tobytes())
    return digest.hexdigest()[:16]


def config_text(config: object) -> bytes:
    """The settings that decide the output; where the files lie and who wrote them does not."""
    ignored = {"_name_or_path", "name_or_path", "transformers_version", "architectures"}
    settings = {key: value for key, value in config.to_dict().items() if key not in ignored}
    return repr(sorted(settings.items())).encode()


def tokenizer_text(tokenizer: object) -> bytes:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return (backend.to_str() if backend is not None else repr(sorted(tokenizer.get_vocab().items()))).encode()


class TokenStore:
    """A Lance dataset of token vectors, append only: one row per text.

    About 77 KB a text of 100 tokens at 384 dimensions. Rows are committed together, so a killed run leaves whole rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, int] | None = None

    def read(self, texts_by_key: dict[str, str]) -> dict[str, TokenVectors]:
        """Entries by text, of those that are stored."""
        import lance

        if not texts_by_key or not self.path.exists():
            return {}
        dataset = lance.dataset(str(self.path))
        if self.rows is None or len(self.rows) < dataset.count_rows():
            keys = dataset.to_table(columns=["text_key"]).column("text_key").to_pylist()
            self.rows = {key: row for row, key in enumerate(keys)}
        places = {key: self.rows[key] for key in texts_by_key if key in self.rows}
        if not places:
            return {}
        table = dataset.take(list(places.values()))
        found = {}
        for row in table.to_pylist():
            vectors = np.frombuffer(bytearray(row["vectors"]), dtype=np.float16).reshape(len(row["token_ids"]), -1)
            ids = np.array(row["token_ids"], dtype=np.int32)
            found[texts_by_key[row["text_key"]]] = TokenVectors(ids, vectors, row["is_truncated"])
        return found

    def append(self, entries: dict[str, TokenVectors]) -> None:
        import lance
        import pyarrow as pa

        self.path.parent.mkdir(parents=True, exist_ok=True)
        table = pa.table(
            {
                "text_key": [text_key(text) for text in entries],
                "token_ids": pa.array([entry.ids for entry in entries.values()], pa.list_(pa.int32())),
                "vectors": pa.array([entry.vectors.tobytes() for entry in entries.values()], pa.large_binary()),
                "is_truncated": [entry.is_truncated for entry in entries.values()],
            }
        )
        lance.write_dataset(table, str(self.path), mode="append" if self.path.exists() else "create")
        self.rows = None
