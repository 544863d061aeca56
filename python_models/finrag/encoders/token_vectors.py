"""Token embeddings of texts, each distinct text encoded once per model and kept in memory or on disk.

Vectors are stored as float16, whose rounding moves a BERTScore by about 1e-5. They are rounded
before first use, so a score does not depend on whether its texts were just encoded or read back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from finrag.encoders.fragments import Additions, FragmentTable
from finrag.encoders.parts import over_rows, read
from finrag.encoders.score_models import LOADING, ScoreModel, load, token_limit
from finrag.errors import FinragError
from finrag.keys import Places, hashed
from finrag.project import registry_of

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = "2"  # raise it when the encoding changes; stores of another version are left alone
# Tokens per forward pass: the activations of so many (12 MB at 1,536 floats) still fit a cache.
BATCH_TOKENS = 2048


@dataclass(frozen=True)
class TokenVectors:
    """One text: token ids of shape (tokens,) and unit vectors of shape (tokens, dimension), special tokens included."""

    ids: np.ndarray
    vectors: np.ndarray
    is_truncated: bool


class TokenNetwork:
    """A Hugging Face encoder whose output after the given layer is a text's token embeddings, as the bert_score package
    takes them. Texts are stripped; a text longer than the limit is cut there and marked."""

    def __init__(self, model: ScoreModel) -> None:
        self.tokenizer, network = load(model, "AutoModel", dtype="float32")
        self.network = getattr(network, "encoder", network) if hasattr(network, "decoder") else network
        self.layer = keep_layers(self.network, model)
        self.limit = token_limit(model, self.tokenizer, network.config)
        # bert_score asks byte-level tokenisers for a space before the first word; transformers 5 ignores the request
        self.prefix = " " if type(self.tokenizer).__name__ in ("RobertaTokenizer", "GPT2Tokenizer") else ""
        marks = (self.tokenizer.sep_token_id, self.tokenizer.cls_token_id)
        self.separators = [token for token in marks if token is not None]
        self.fingerprint = fingerprint(self.network, self.tokenizer, self.layer, self.limit)

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

    def encode(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        """Vectors by text, as float16."""
        ids, cut = self.token_ids(texts)
        found: dict[str, TokenVectors] = {}
        for batch in batches([len(tokens) for tokens in ids]):
            for place, vectors in zip(batch, self._forward([ids[place] for place in batch]), strict=True):
                found[texts[place]] = TokenVectors(np.array(ids[place], dtype=np.int32), vectors, cut[place])
        return found

    def _forward(self, ids: list[list[int]]) -> Iterator[np.ndarray]:
        """Unit vectors of each of some texts of one length, as float16."""
        import torch

        tokens = torch.tensor(ids)
        with torch.inference_mode():
            output = self.network(tokens, attention_mask=torch.ones_like(tokens))[0]
            output = (output / output.norm(dim=-1, keepdim=True)).half().numpy()
        yield from map(np.copy, output)


@lru_cache(maxsize=1)
def token_network(model: ScoreModel) -> TokenNetwork:
    """The model, loaded once for all parts that this process computes."""
    return TokenNetwork(model)


class TokenEncoder:
    """Token embeddings of texts, each computed once: in parts where there is a store, else by this process alone.

    counts: encoded (computed for this encoder), read (taken from the store).
    """

    def __init__(self, model: ScoreModel, store: str | Path | None = None) -> None:
        self.model = model
        with LOADING:
            self.network = token_network(model)
        self.folder = store
        self.store = None if store is None else TokenStore.open(store, self.network.fingerprint)
        self.memory: dict[str, TokenVectors] = {}
        self.encoded = 0
        self.read = 0

    def prepare(self, texts: Iterable[str]) -> None:
        """Compute what the store lacks of texts that will be asked for, in one job; nothing where there is no store."""
        if self.store is None:
            return
        wanted = [text for text in dict.fromkeys(texts) if text not in self.memory]
        missing = self.store.missing(wanted)
        self.read += len(wanted) - len(missing)
        self.encoded += len(missing)
        if not missing:
            return
        self.store.create()
        task = partial(encode_part, self.store.path, self.model)
        rows = [(text,) for text in missing]
        with Additions(self.store) as additions:
            for part, fragments in over_rows(task, rows, f"Encoding for {self.model.model_id}", self.folder):
                additions.take(len(part), fragments)

    def __call__(self, texts: Iterable[str]) -> dict[str, TokenVectors]:
        """Vectors by text, for every distinct text given; where there is a store, `prepare` has been told of them."""
        wanted = list(dict.fromkeys(texts))
        with LOADING:
            fresh = [text for text in wanted if text not in self.memory]
            if self.store is None:
                found = self.network.encode(fresh)
                self.encoded += len(found)
            else:
                found = self.store.read(fresh)
            self.memory |= {text: widened(entry) for text, entry in found.items()}
            return {text: self.memory[text] for text in wanted}

    def forget(self) -> None:
        """Free the memory; the store, if there is one, keeps everything."""
        self.memory.clear()

    def memory_bytes(self) -> int:
        return sum(entry.vectors.nbytes for entry in self.memory.values())


def encode_part(path: str, model: ScoreModel, file: str) -> list[str]:
    """The task that computes the token vectors of a file's texts; returns the fragments written."""
    _, texts = read(file)
    store = TokenStore(path)
    with LOADING:
        return store.fragments(store.batch(token_network(model).encode(texts)))


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


class TokenStore(FragmentTable):
    """A Lance dataset of token vectors: one row per text, about 77 KB for 100 tokens at 384 dimensions."""

    @classmethod
    def open(cls, folder: Path | str, fingerprint: str) -> TokenStore:
        """The store of one network under the folder FINRAG_LANCE."""
        return cls(f"{folder}/token_vectors/{fingerprint}.lance")

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._places: tuple[int, Places] | None = None

    @property
    def schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema(
            [
                ("text_key", pa.string()),
                ("token_ids", pa.list_(pa.int32())),
                ("vectors", pa.large_binary()),
                ("is_truncated", pa.bool_()),
            ]
        )

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of the texts that have no row."""
        return [text for text, row in zip(texts, self._rows(texts), strict=True) if row < 0]

    def read(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        """Entries by text; every text has to have a row."""
        if not texts:
            return {}
        found = {}
        for text, row in zip(texts, self.dataset().take(self._rows(texts)).to_pylist(), strict=True):
            vectors = np.frombuffer(bytearray(row["vectors"]), dtype=np.float16).reshape(len(row["token_ids"]), -1)
            found[text] = TokenVectors(np.array(row["token_ids"], dtype=np.int32), vectors, row["is_truncated"])
        return found

    def batch(self, entries: Mapping[str, TokenVectors]) -> pa.Table:
        """Rows of the schema."""
        import pyarrow as pa

        columns = [
            [text_key(text) for text in entries],
            [entry.ids for entry in entries.values()],
            [entry.vectors.tobytes() for entry in entries.values()],
            [entry.is_truncated for entry in entries.values()],
        ]
        return pa.table(columns, schema=self.schema)

    def _rows(self, texts: Sequence[str]) -> np.ndarray:
        """Position in the table of each text's row, -1 where there is none; int64, shape (n,)."""
        dataset = self.dataset()
        version = 0 if dataset is None else dataset.version
        if self._places is None or self._places[0] != version:
            keys = [] if dataset is None else dataset.to_table(columns=["text_key"])["text_key"]
            self._places = (version, Places([(hashed(keys), np.arange(len(keys)))]))
        return self._places[1].of([text_key(text) for text in texts])
