"""Encoding texts with a sentence-transformers model, through the model's own modules, faster than its `encode`.

What makes it faster, on any model and CPU: batches of texts of one length in tokens, which need neither padding nor an
attention mask, so that a text's vector does not depend on those beside it either; batches of as many tokens as fit the
CPU's caches; and, where the CPU multiplies bf16 in hardware, matrix products in bf16. `benchmarks/embedding.py` has the
figures.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.encoders import weights
from finrag.encoders.models import DOCUMENT, REGISTRY, EmbeddingModel
from finrag.errors import FinragError
from finrag.libraries import load_transformers

if TYPE_CHECKING:
    import numpy as np
    import torch

# Tokens per batch. Measured on two CPUs with 0.5 MB of L2 per core: activations of more tokens fall
# out of the caches, with fewer the matrix products are too small.
BATCH_TOKENS = 1024
# A GPU has no such caches and many more units: batches so many times as large (not measured).
GPU_BATCHES = 64

# bf16 is used only when, on a sample of the texts, it comes this close to fp32. No clock decides: two builds on one
# machine would differ.
BF16_MIN_COSINE = 0.9999
SAMPLE_TEXTS = 64

_loading = threading.Lock()
_loaded: dict[str, Encoder] = {}


@dataclass
class EncodedBatch:
    """positions: of the texts in what was asked, shape (n,); vectors: L2-normalised fp32, shape (n, dimension);
    token_counts: tokens of each text before truncation, shape (n,)."""

    positions: np.ndarray
    vectors: np.ndarray
    token_counts: np.ndarray


def load_encoder(model: EmbeddingModel) -> Encoder:
    """The model, loaded once per process whichever of dbt's threads asks first."""
    with _loading:
        if model.fingerprint not in _loaded:
            _loaded[model.fingerprint] = Encoder(model)
        return _loaded[model.fingerprint]


class Encoder:
    """A loaded model. One thread encodes at a time; torch spreads the work over the cores itself."""

    def __init__(self, model: EmbeddingModel) -> None:
        folder = weights.folder_for_loading(model)
        load_transformers()
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        import torch

        self.model = model
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self.network = SentenceTransformer(
                str(folder),
                device=self.device,
                local_files_only=True,
                trust_remote_code=False,
                # pickles that are read are those of a stated SHA-256: folder_for_loading
                model_kwargs={"use_safetensors": None if model.weights_sha256 else True},
            ).eval()
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise FinragError(
                f"Embedding model {model.model_id}: sentence-transformers cannot load {folder} "
                f"({type(error).__name__}: {weights.first_line(error)}). Expected what "
                "SentenceTransformer.save writes or a transformers encoder."
            ) from error
        self.max_tokens = self._limit_tokens()
        self._check_dimension()
        self._rounded: torch.nn.Module | None = None
        self._lock = threading.Lock()

    def encode(
        self, texts: Sequence[str], role: str = DOCUMENT, precision: str | None = None
    ) -> Iterator[EncodedBatch]:
        """Vectors of the texts with the role's prefix, batch by batch, the longest texts first.

        All texts are tokenised before the first vector, so of very many give some at a time, with the precision of all.
        precision: by default what suits these texts.
        """
        import numpy as np

        prefix = self.model.prefix(role)
        precision = precision or self.choose_precision(texts, role)
        counts = self.token_counts(texts, prefix)
        lengths = np.minimum(counts, self.max_tokens)
        for positions in batches(lengths, BATCH_TOKENS * (GPU_BATCHES if self.device == "cuda" else 1)):
            with self._lock:
                vectors = self._forward([texts[position] for position in positions], prefix, precision)
            yield EncodedBatch(positions, vectors, counts[positions])

    def usable(self, precision: str | None) -> str | None:
        """The precision if this machine computes in it at speed."""
        return None if precision == "bf16" and not has_fast_bf16() else precision

    def choose_precision(self, texts: Sequence[str], role: str = DOCUMENT) -> str:
        """bf16 where the machine has it and a sample of the texts shows that it is close to fp32."""
        if not has_fast_bf16():
            return "fp32"
        step = max(1, len(texts) // SAMPLE_TEXTS)
        sample = texts[::step][:SAMPLE_TEXTS]
        # in batches of one length: as one batch, all would be as long as the longest
        both = zip(self.encode(sample, role, "fp32"), self.encode(sample, role, "bf16"), strict=True)
        closest = min((exact.vectors * rounded.vectors).sum(axis=1).min() for exact, rounded in both)
        return "bf16" if closest >= BF16_MIN_COSINE else "fp32"

    def token_counts(self, texts: Sequence[str], prefix: str = "") -> np.ndarray:
        """Tokens of each text with its prefix and the model's special tokens, untruncated; int64, shape (n,)."""
        import numpy as np

        tokenizer = self.network.tokenizer
        counts = []
        for start in range(0, len(texts), 4096):
            chunk = [prefix + text for text in texts[start : start + 4096]]
            # a tokeniser is told to truncate before it does: who asked for no truncation meanwhile would undo that
            with self._lock:
                encoded = tokenizer(
                    chunk,
                    add_special_tokens=True,
                    truncation=False,
                    padding=False,
                    return_attention_mask=False,
                    return_token_type_ids=False,
                    verbose=False,
                )
            counts.extend(map(len, encoded["input_ids"]))
        return np.array(counts, np.int64)

    def _forward(self, texts: list[str], prefix: str, precision: str) -> np.ndarray:
        """One batch through the model's modules: the transformer in the given precision, what follows in fp32."""
        import torch

        products = torch.autocast(self.device, dtype=torch.bfloat16) if precision == "bf16" else nullcontext()
        with torch.inference_mode():
            features = self.network.preprocess(texts, prompt=prefix or None)
            features = {name: _on(self.device, value) for name, value in features.items()}
            with products:
                features = self._transformer(precision)(features)
            features = {name: _as_fp32(value) for name, value in features.items()}
            _, *others = self.network
            for module in others:
                features = module(features)
            vectors = torch.nn.functional.normalize(features["sentence_embedding"].float(), dim=1)
        return vectors.cpu().numpy()

    def _transformer(self, precision: str) -> torch.nn.Module:
        if precision == "fp32":
            return self.network[0]
        if self._rounded is None:
            self._rounded = with_bf16_weights(self.network[0])
        return self._rounded

    def _limit_tokens(self) -> int:
        """Set the model to the registry's max_tokens, or take the model's own limit; return it."""
        own = self.network.max_seq_length or 10**9
        config = getattr(self.network[0], "config", None)
        positions = getattr(config, "max_position_embeddings", None)
        stated = self.model.max_tokens
        if stated is not None:
            if positions is not None and stated > positions:
                raise FinragError(
                    f"{REGISTRY}: {self.model.model_id}: max_tokens is {stated}, but the model has only {positions} "
                    f"positions. Allowed: 1 to {positions}, or empty for the model's own limit, {own}."
                )
            self.network.max_seq_length = stated
            return stated
        if positions is not None and own > positions:
            self.network.max_seq_length = own = positions
        return own

    def _check_dimension(self) -> None:
        found = self.network.get_embedding_dimension()
        if found is not None and found != self.model.dimension:
            raise FinragError(
                f"{REGISTRY}: {self.model.model_id}: dimension is {self.model.dimension}, but the model "
                f"makes vectors of {found}. Correct the row."
            )


def batches(lengths: np.ndarray, budget: int = BATCH_TOKENS) -> Iterator[np.ndarray]:
    """Positions of texts, the longest first, in batches of one length and of at most `budget` tokens.

    lengths: tokens per text, truncated, shape (n,). A text longer than the budget is a batch of its own.
    """
    import numpy as np

    order = np.argsort(-lengths, kind="stable")
    changes = np.flatnonzero(np.diff(lengths[order])) + 1
    for same in np.split(order, changes) if len(order) else []:
        size = max(1, budget // max(int(lengths[same[0]]), 1))
        yield from (same[start : start + size] for start in range(0, len(same), size))


def with_bf16_weights(transformer: torch.nn.Module) -> torch.nn.Module:
    """A copy whose linear layers have their weights in bf16, as autocast would round them for each batch anew. All
    other weights are the original's own, not copies."""
    import torch

    linear = [module for module in transformer.modules() if type(module) is torch.nn.Linear]
    rounded = {id(weights) for module in linear for weights in module.parameters()}
    shared = {id(weights): weights for weights in transformer.parameters() if id(weights) not in rounded}
    twin = copy.deepcopy(transformer, shared)
    for module in twin.modules():
        if type(module) is torch.nn.Linear:
            module.to(torch.bfloat16)
    return twin


def has_fast_bf16() -> bool:
    """Whether the processor multiplies bf16 in hardware. Without that, bf16 is several times slower than fp32."""
    import torch

    if torch.cuda.is_available():
        return torch.cuda.is_bf16_supported(including_emulation=False)

    capabilities = torch.cpu.get_capabilities()
    return any(capabilities.get(name, False) for name in ("amx_bf16", "avx512_bf16", "bf16"))


def _as_fp32(value: object) -> object:
    import torch

    return value.float() if isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16 else value


def _on(device: str, value: object) -> object:
    import torch

    return value.to(device) if isinstance(value, torch.Tensor) else value
