"""Where a model's files are, and whether they are the right ones. Nothing here imports torch."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import registry_of

if TYPE_CHECKING:
    from finrag.encoders.models import EmbeddingModel

PACKAGE = "package:"

# What decides a vector besides the code: settings, tokenizer, weights. Weights for other runtimes are not read.
SETTINGS = (".json", ".txt", ".model")
WEIGHTS = (".safetensors", ".bin")
# Files that are read by unpickling, which can run code. Leftovers of a training are not among them: nobody reads those.
PICKLED = "pytorch_model*.bin"
# Of every loading: no code that a model brings along, no weights that are pickled.
SAFE = {"trust_remote_code": False, "use_safetensors": True}
CONVERT = (
    "Save it once as safetensors where its origin is trusted: load it in Python and call "
    "save_pretrained(folder, safe_serialization=True)"
)
OTHER_RUNTIMES = ("onnx", "openvino")


def local_folder(model: EmbeddingModel) -> Path | None:
    """Folder of a model in a Python package or a local folder; None for a name on the hub."""
    name = model.model_name
    if name.startswith(PACKAGE):
        return _package_folder(model, name.removeprefix(PACKAGE))
    folder = Path(name).expanduser()
    if folder.is_dir():
        if not list(folder.rglob("config*.json")) and not (folder / "modules.json").is_file():
            raise FinragError(
                f"Embedding model {model.model_id}: the folder {name} holds no model. Expected what "
                "SentenceTransformer.save or a clone from the hub writes (config.json, modules.json, weights)."
            )
        return folder
    if name.startswith((".", "/", "~")) or name.count("/") != 1:
        raise FinragError(
            f"Embedding model {model.model_id}: {name!r} is neither a folder nor a name on the Hugging "
            f"Face hub. Allowed: owner/name on the hub, a local folder, package:<module>, or imported. "
            f"Paths start at the repository root."
        )
    return None


def folder_for_loading(model: EmbeddingModel) -> Path:
    """Folder with the model's files, those of a hub model downloaded or from the hub's cache.

    Raises FinragError when the files cannot be had, or when the weights' SHA-256 is not the one in the registry.
    """
    folder = local_folder(model) or _hub_folder(model)
    if model.weights_sha256:
        found = weights_sha256(folder)
        if found != model.weights_sha256.lower():
            raise FinragError(
                f"Embedding model {model.model_id}: the weights in {folder} have SHA-256 {found}, the registry states "
                f"{model.weights_sha256}. These are not the weights that were registered. Install the "
                f"right ones, or, if the new ones are meant, state their SHA-256 (and revision) in "
                f"{registry_of('embedding_models')}."
            )
    hashed = _main_weights(folder) if model.weights_sha256 else []
    if pickled := [path for path in _pickled_weights(folder) if path not in hashed]:
        raise FinragError(
            f"Embedding model {model.model_id}: {pickled[0]} is a pickle, which can run code when it is read. Weights "
            f"are read from .safetensors, or from .bin where weights_sha256 in {registry_of('embedding_models')} says "
            f"which they are. {CONVERT}."
        )
    return folder


def files_digest(model: EmbeddingModel) -> str:
    """Digest of the files that decide the vectors of a model; of a hub model, nothing beyond its revision.

    The weights that the registry gives a SHA-256 for are not read: it stands for them, and is checked at load.
    """
    if model.is_imported:
        return ""
    folder = local_folder(model)
    if folder is None:
        if not model.revision or model.revision in ("main", "master"):
            raise FinragError(
                f"Embedding model {model.model_id}: {model.model_name} is no folder here, and on the hub needs a "
                "revision that does not move. "
                f"Name a commit in the column revision of {registry_of('embedding_models')}: vectors of two "
                "commits must not mix."
            )
        return ""
    stated = set(_main_weights(folder)) if model.weights_sha256 else set()
    digest = hashlib.sha256()
    for path in _deciding_files(folder):
        if path not in stated:
            digest.update(f"{path.relative_to(folder).as_posix()}={file_sha256(path)}\n".encode())
    return digest.hexdigest()


def weights_sha256(folder: Path) -> str:
    """SHA-256 of the transformer's weights; of weights in several files, of their digests one after the other."""
    files = _main_weights(folder)
    if not files:
        raise FinragError(f"{folder} holds no weights. Expected model.safetensors or pytorch_model.bin in it.")
    digests = [file_sha256(path) for path in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def first_line(error: Exception) -> str:
    """What a library's error says in its first line, which is enough inside a message of ours."""
    return next(iter(str(error).splitlines()), "no message")


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, computed once per process as long as size and modification time stay."""
    status = path.stat()
    return _sha256(path, status.st_size, status.st_mtime_ns)


@cache
def _sha256(path: Path, size: int, modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _deciding_files(folder: Path) -> list[Path]:
    files = [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix in SETTINGS + WEIGHTS
        and not any(part in OTHER_RUNTIMES or part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    with_safetensors = {path.parent for path in files if path.suffix == ".safetensors"}
    return sorted(path for path in files if path.suffix != ".bin" or path.parent not in with_safetensors)


def _pickled_weights(folder: Path) -> list[Path]:
    """Those of the deciding files that are read by unpickling."""
    return [path for path in _deciding_files(folder) if path.match(PICKLED)]


def _main_weights(folder: Path) -> list[Path]:
    """The transformer's weights: in the folder itself or in its first module's, not those of later modules."""
    by_folder: dict[Path, list[Path]] = {}
    for path in _deciding_files(folder):
        if path.suffix in WEIGHTS:
            by_folder.setdefault(path.parent, []).append(path)
    return by_folder[min(by_folder)] if by_folder else []


def _package_folder(model: EmbeddingModel, module: str) -> Path:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise FinragError(
            f"Embedding model {model.model_id}: there is no Python package {module!r}. Install the package "
            f"that holds the weights, or correct the column model_name of {registry_of('embedding_models')}."
        )
    root = Path(next(iter(spec.submodule_search_locations)))
    for folder in (root, *sorted(path for path in root.iterdir() if path.is_dir())):
        if (folder / "modules.json").is_file() or (folder / "config.json").is_file():
            return folder
    raise FinragError(
        f"Embedding model {model.model_id}: the Python package {module!r} holds no model. Expected a folder in it with "
        "modules.json or config.json and the weights."
    )


def _hub_folder(model: EmbeddingModel) -> Path:
    """Snapshot of a hub model's revision, from the hub's cache where it is complete."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import EntryNotFoundError, RevisionResolutionError

    settings = [f"*{suffix}" for suffix in SETTINGS]
    ignored = [f"{runtime}/*" for runtime in OTHER_RUNTIMES]
    try:
        # Most repositories hold the weights twice; pickles are fetched only where they are all there is, and stated.
        formats = WEIGHTS if model.weights_sha256 else WEIGHTS[:1]
        for suffix in formats:
            folder = Path(
                snapshot_download(
                    model.model_name,
                    revision=model.revision,
                    allow_patterns=[*settings, f"*{suffix}"],
                    ignore_patterns=ignored,
                )
            )
            if _main_weights(folder):
                return folder
    except (OSError, ValueError, EntryNotFoundError, RevisionResolutionError) as error:
        raise FinragError(
            f"Embedding model {model.model_id}: {model.model_name} at revision {model.revision} could not be fetched "
            f"from the Hugging Face hub ({type(error).__name__}: {first_line(error)}). Check name and revision in "
            f"{registry_of('embedding_models')} and the network (HF_HUB_OFFLINE must not be set); or download it "
            "elsewhere, `hf download`, and name the local folder as model_name; or choose a model that needs no "
            "network, `embedding_models: all-MiniLM-L6-v2`."
        ) from error
    raise FinragError(
        f"Embedding model {model.model_id}: {model.model_name} holds no weights in the formats "
        f"{', '.join(formats)}. {CONVERT}."
    )
