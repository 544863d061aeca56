"""The engine: a task over parts gives the same in this process and on a cluster, whatever the cluster loses."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import duckdb
import lance
import numpy as np
import pyarrow as pa
import pytest
import yaml

import engine_tasks
import sentence_tables
import tiny_models
from finrag.answers import similarity
from finrag.cli import doctor, toml
from finrag.corpus import filings
from finrag.encoders import parts
from finrag.encoders.embed import embed_texts
from finrag.encoders.models import EmbeddingModel
from finrag.encoders.rerank import CrossEncoder
from finrag.encoders.score_models import ScoreModel
from finrag.encoders.store import EmbeddingStore
from finrag.engine import cluster
from finrag.engine import nodes as nodes_of_cluster
from finrag.engine.choice import chosen
from finrag.engine.run import run
from finrag.errors import FinragError
from finrag.index import segments
from finrag.index.lance import SentenceIndex, sync
from finrag.search import dense, recall
from finrag.search import parts as search_parts
from tiny_models import save_tiny_model, sentences, tiny
from warehouses import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PATHS = os.pathsep.join([str(ROOT / "python_models"), str(ROOT / "tests" / "python")])
PAIRS = ["pair_id", "candidate", "reference"]
SMALL = {"object_store_memory": 80 * 1024**2}
# A node that does not answer is given up after three seconds, not fifteen.
WATCHED = {"health_check_period_ms": 750, "health_check_failure_threshold": 4}


@pytest.fixture(scope="module")
def nodes() -> Iterator:
    """A cluster of two nodes of one processor each, which asks for a token."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", PATHS)
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", "0123456789abcdef" * 4)
        patch.setenv("FINRAG_ENGINE", "ray")
        cluster.installed()
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "include_dashboard": False, "_system_config": WATCHED, **SMALL}
        started = Cluster(initialize_head=True, head_node_args=head)
        patch.setenv("RAY_ADDRESS", started.address)
        started.add_node(num_cpus=1, **SMALL)
        yield started
        import ray

        ray.shutdown()
        started.shutdown()


@pytest.fixture
def on_ray(nodes, monkeypatch):
    monkeypatch.setenv("FINRAG_ENGINE", "ray")
    return nodes


def test_in_this_process_parts_are_made_as_they_are_needed(monkeypatch):
    monkeypatch.delenv("FINRAG_ENGINE", raising=False)
    made = []
    results = run(engine_tasks.square, (made.append(part) or part for part in range(5)))
    assert next(results) == 0 and made == [0]
    assert list(results) == [1, 4, 9, 16]


def test_an_unknown_engine_is_refused(monkeypatch):
    monkeypatch.setenv("FINRAG_ENGINE", "spark")
    with pytest.raises(FinragError, match=r"'spark'. Allowed: here .* and ray"):
        chosen()


def test_ray_is_not_imported_where_it_is_not_used():
    code = "import sys; from finrag.engine.run import run; list(run(abs, [1])); sys.exit('ray' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": PATHS, "FINRAG_ENGINE": ""}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_a_node_that_does_not_reach_the_folder_says_so(tmp_path):
    told = nodes_of_cluster.describe(str(tmp_path / "elsewhere"), "mark")
    assert told["fault"] == f"cannot write into {tmp_path / 'elsewhere'}: No such file or directory"
    node = nodes_of_cluster.Node("10.0.0.4", processors=1, gpus=0, **told)
    assert nodes_of_cluster.faults(node) == [
        f"cannot write into {tmp_path / 'elsewhere'}: No such file or directory. Put the project where all nodes reach "
        "it under one path."
    ]


def test_an_address_that_leads_nowhere_is_refused(monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 1)
    refused = {"": "RAY_ADDRESS is ''", "ray://host:1": "Allowed: host:port", "127.0.0.1:9": "No cluster answers"}
    for address, said in refused.items():
        with pytest.raises(FinragError, match=said):
            cluster.ask_nodes(address)


def test_a_cluster_that_others_reach_must_ask_for_a_token(monkeypatch):
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    cluster.refuse_open_nodes(["127.0.0.1", "::1"])
    with pytest.raises(FinragError, match=r"\(10.0.0.4\), so it must ask for a token"):
        cluster.refuse_open_nodes(["127.0.0.1", "10.0.0.4"])
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    cluster.refuse_open_nodes(["10.0.0.4"])


def test_workers_are_told_no_key():
    secrets = {"OPENAI_API_KEY": "k", "HF_TOKEN": "t", "RAY_AUTH_TOKEN": "s"}
    assert cluster.told(secrets | {"FINRAG_LANCE": "a", "PATH": "p"}) == {"FINRAG_LANCE": "a"}


def test_a_project_names_its_engine(tmp_path):
    file = tmp_path / "finrag.toml"
    file.write_text('[engine]\nname = "ray"\naddress = "10.0.0.4:6379"\n')
    assert toml.variables(file, {}) == {}
    assert toml.environment(file) == {"FINRAG_ENGINE": "ray", "RAY_ADDRESS": "10.0.0.4:6379"}
    for text, said in (('engine = "ray"', "Allowed: engine.name"), ("[engine]\nname = 3", "engine.name is 3")):
        file.write_text(text)
        with pytest.raises(FinragError, match=said):
            toml.environment(file)


def test_the_example_for_kuberay_has_what_every_node_needs():
    example = yaml.safe_load((EXAMPLES / "ray-cluster-kubernetes.yaml").read_text(encoding="utf-8"))
    assert (example["apiVersion"], example["kind"]) == ("ray.io/v1", "RayCluster")
    assert example["spec"]["rayVersion"] == importlib.metadata.version("ray")
    groups = [example["spec"]["headGroupSpec"], *example["spec"]["workerGroupSpecs"]]
    assert len(groups) == 2
    for group in groups:
        pod = group["template"]["spec"]
        [container] = pod["containers"]
        told = {variable["name"]: variable for variable in container["env"]}
        assert told["RAY_AUTH_MODE"]["value"] == "token" and told["RAY_USAGE_STATS_ENABLED"]["value"] == "0"
        assert told["RAY_AUTH_TOKEN"]["valueFrom"]["secretKeyRef"]["name"] == "finrag-ray"
        assert container["resources"]["limits"] == container["resources"]["requests"]
        assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}


def test_parts_run_on_both_nodes_in_the_folder_of_the_build_and_come_in_order(on_ray, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_MARK", "seen")
    found = list(run(engine_tasks.where, range(12)))
    assert [part for part, *_ in found] == list(range(12))
    processes = {process for _, process, *_ in found}
    assert len(processes) >= 2 and os.getpid() not in processes
    assert {(folder, mark) for *_, folder, mark in found} == {(str(tmp_path), "seen")}


def test_few_parts_are_made_ahead(on_ray):
    made = []
    results = run(engine_tasks.square, (made.append(part) or part for part in range(1_000)))
    assert next(results) == 0 and len(made) == cluster.AHEAD * 2
    results.close()


def test_a_fault_of_the_person_comes_back_as_it_was_raised(on_ray):
    results = run(engine_tasks.fail_at_three, range(9))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(FinragError, match=r"^Part three is at fault. Correct it.$") as raised:
        next(results)
    assert type(raised.value) is FinragError
    with pytest.raises(ZeroDivisionError):
        list(run(engine_tasks.divide, [1, 0]))


def test_a_killed_worker_costs_no_part_and_gives_none_twice(on_ray, tmp_path):
    assert list(run(partial(engine_tasks.die_once, str(tmp_path)), range(8))) == list(range(8))
    assert (tmp_path / "died").exists()


def test_a_part_that_kills_every_worker_ends_the_job(on_ray, monkeypatch):
    monkeypatch.setattr(cluster, "TRIES", 2)
    with pytest.raises(FinragError, match=r"lost a part of die 2 times"):
        list(run(engine_tasks.die, [1]))


def test_vectors_of_a_worker_are_those_of_this_process_bit_for_bit(on_ray, tmp_path, monkeypatch):
    """Of so few parts that hardly more than one worker loads torch, which takes it five seconds."""
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 2_000)
    model = tiny(save_tiny_model(tmp_path / "tiny"))
    texts = sentences(60)
    hashes = [f"hash{number}" for number in range(len(texts))]
    stores = {}
    for engine in ("here", "ray"):
        monkeypatch.setenv("FINRAG_ENGINE", engine)
        stores[engine] = EmbeddingStore.open(tmp_path / engine, model)
        assert embed_texts(stores[engine], hashes, texts) == len(texts)
    assert (stores["here"].vectors(hashes) == stores["ray"].vectors(hashes)).all()


def test_scores_of_workers_are_those_of_this_process_bit_for_bit(on_ray, tmp_path, monkeypatch):
    """BERTScore, a BLEURT checkpoint, cosine and a cross-encoder, by workers that have loaded torch already."""
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 600)
    network = tiny_models.bert(tmp_path / "bert", labels=1)
    models = {"bertscore": network, "bleurt": network, "cosine": str(save_tiny_model(tmp_path / "tiny"))}
    columns = [field.name for field in fields(ScoreModel) if field.name != "rescale"]
    columns += ["rescale_precision", "rescale_recall", "rescale_f1"]
    rows = [dict.fromkeys(columns) | {"model_id": kind, "kind": kind, "model_name": models[kind]} for kind in models]
    first, second = sentences(40)[:20], sentences(40)[20:]
    connection = duckdb.connect()
    connection.register("registry", pa.Table.from_pylist(rows))
    connection.register("pairs", pa.table([list(map(str, range(20))), first, second], names=PAIRS))
    on_cluster, tasks = cluster.run, []
    monkeypatch.setattr(cluster, "run", lambda task, *how: tasks.append(task.func.__name__) or on_cluster(task, *how))
    found = {}
    for engine in ("here", "ray"):
        monkeypatch.setenv("FINRAG_ENGINE", engine)
        folder = str(tmp_path / engine)
        table = similarity.score_pairs(
            connection.table("pairs"), connection.table("registry"), " ".join(models), folder, done=()
        )
        encoder = CrossEncoder(ScoreModel("tiny", "cross_encoder", network), folder)
        found[engine] = table, encoder.score(list(zip(first, second, strict=True)))
        assert not list(Path(folder).rglob("parts-*"))
    assert tasks == ["encode_part", "score_part", "vectors_part", "score_part"]
    assert found["here"] == found["ray"]
    for kind in models:
        assert len(found["ray"][0][kind].drop_null().unique()) > 10


def embedded_by(task: Callable, folder: Path, monkeypatch) -> None:
    """Embed with this task on the cluster, and hold what is stored against what this process alone stores."""
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 2_000)
    monkeypatch.setattr(parts, "decided_precision", engine_tasks.precision_plainly)
    model = EmbeddingModel("plain", "imported", "1", 32, 64)
    texts = sentences(300)
    hashes = [f"hash{number}" for number in range(len(texts))]
    stores = {}
    for engine, of_part in (("here", engine_tasks.embed_part_plainly), ("ray", task)):
        monkeypatch.setenv("FINRAG_ENGINE", engine)
        monkeypatch.setattr(parts, "embed_part", of_part)
        stores[engine] = EmbeddingStore.open(folder / engine, model)
        assert embed_texts(stores[engine], hashes, texts) == len(texts)
        assert sorted(stores[engine].dataset().to_table()["text_hash"].to_pylist()) == sorted(hashes)
    assert (stores["here"].vectors(hashes) == stores["ray"].vectors(hashes)).all()
    assert stores["here"].checksum(hashes) == stores["ray"].checksum(hashes)


def test_a_worker_lost_at_embedding_costs_no_text_and_gives_none_twice(on_ray, tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_DIED", str(tmp_path / "died"))
    embedded_by(engine_tasks.embed_part_dying_once, tmp_path, monkeypatch)
    assert (tmp_path / "died").exists()


def test_a_node_lost_at_embedding_costs_no_text_and_gives_none_twice(on_ray, tmp_path, monkeypatch):
    """The third node goes, with all that runs on it, when it has written a part and not yet said so."""
    third = on_ray.add_node(num_cpus=1, **SMALL)
    on_ray.wait_for_nodes()
    written = tmp_path / "written"
    monkeypatch.setenv("FINRAG_LOST", third.node_id)
    monkeypatch.setenv("FINRAG_WRITTEN", str(written))

    ended = threading.Event()

    def lose() -> None:
        while not (written.exists() or ended.wait(0.05)):
            pass
        on_ray.remove_node(third, allow_graceful=False)

    losing = threading.Thread(target=lose)
    losing.start()
    try:
        embedded_by(engine_tasks.embed_part_lost, tmp_path, monkeypatch)
    finally:
        ended.set()
        losing.join()
        on_ray.wait_for_nodes()
    assert written.exists()


KILLED = """
import sys
import engine_tasks
from finrag.encoders import embed, fragments, parts
from finrag.encoders.models import EmbeddingModel
from finrag.encoders.store import EmbeddingStore
from finrag.engine import cluster
from tiny_models import sentences
cluster.ask_nodes = lambda address: ["127.0.0.1"]  # asked already, by a process that takes seconds
fragments.FLUSH_TEXTS, parts.LEAST_CHARACTERS = 40, 1_000
parts.embed_part, parts.decided_precision = engine_tasks.embed_part_noted, engine_tasks.precision_plainly
store = EmbeddingStore.open(sys.argv[1], EmbeddingModel("plain", "imported", "1", 32, 64))
embed.embed_texts(store, [f"hash{number}" for number in range(300)], sentences(300))
"""


def test_a_build_after_one_that_was_killed_at_embedding_computes_what_is_missing(on_ray, tmp_path, monkeypatch):
    """The driver is killed while workers are in the middle of parts, which must free their processors."""
    notes, stopped = tmp_path / "first", tmp_path / "first.stopped"
    environment = os.environ | {"FINRAG_NOTES": str(notes), "FINRAG_STOP_AT": "100"}
    driver = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], env=environment)
    store = EmbeddingStore.open(tmp_path, EmbeddingModel("plain", "imported", "1", 32, 64))
    try:
        while not (stopped.exists() and lance.dataset(store.path).count_rows() >= 80):
            assert driver.poll() is None, "ended before it could be killed"
            time.sleep(0.02)
    finally:
        driver.kill()
        driver.wait()
    assert len(list(tmp_path.rglob("parts-*/"))) == 1
    hashes, texts = [f"hash{number}" for number in range(300)], sentences(300)
    stored = set(hashes) - set(store.missing(hashes))
    assert 80 <= len(stored) < 300

    monkeypatch.setenv("FINRAG_NOTES", str(tmp_path / "second"))
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 2_000)
    monkeypatch.setattr(parts, "decided_precision", engine_tasks.precision_plainly)
    monkeypatch.setattr(parts, "embed_part", engine_tasks.embed_part_noted)
    assert embed_texts(store, hashes, texts) == 300 - len(stored)
    assert sorted(engine_tasks.noted(tmp_path / "second")) == sorted(set(hashes) - stored)
    assert sorted(store.dataset().to_table()["text_hash"].to_pylist()) == sorted(hashes)
    assert not list(tmp_path.rglob("parts-*"))

    monkeypatch.setenv("FINRAG_ENGINE", "here")
    whole = EmbeddingStore.open(tmp_path / "whole", store.model)
    assert embed_texts(whole, hashes, texts) == 300
    assert (whole.vectors(hashes) == store.vectors(hashes)).all()


def test_an_exact_search_of_two_nodes_is_that_of_this_process_bit_for_bit(on_ray, tmp_path, monkeypatch):
    """Also of the whole table in memory. Sentences of a company share texts, so scores tie between parts."""
    connection = sentence_tables.connect({(cik, 2020, "ITEM_1"): 40 for cik in range(3)})
    connection.execute("update fct_sentences set text_hash = md5((hash(sentence_id) % 50)::varchar)")
    target = SentenceIndex.of_vectors(tmp_path, "model", "0" * 8, sentence_tables.DIMENSION)
    report = sync(
        connection,
        connection.table("fct_sentences"),
        connection.table("dim_filings"),
        target,
        vectors=sentence_tables.vectors,
        source="1",
    )
    assert report.row_count == 120
    keys = target.dataset().to_table()
    queries = keys.slice(0, 60).append_column("query_id", keys["sentence_id"].slice(0, 60))
    found = {}
    for place, engine, kept_bytes in (("whole", "here", 2**30), ("parts", "here", 0), ("nodes", "ray", 0)):
        monkeypatch.setenv("FINRAG_ENGINE", engine)
        monkeypatch.setattr(dense, "KEPT_BYTES", kept_bytes)
        monkeypatch.setattr(search_parts, "PART_ROWS", 50)
        indexed = dense.IndexedVectors(target)
        asked = indexed.take(np.arange(60))
        found[place] = [indexed.search(queries, asked, 30, columns) for columns in ((), ("cik",))]
    assert [hits.num_rows for hits in found["whole"]] == [1800, 1800]
    assert found["whole"] == found["parts"] == found["nodes"]
    assert not list(target.folder.glob("parts-*"))


def test_an_index_that_workers_build_gives_the_hits_of_one_that_is_built_at_once(on_ray, tmp_path, monkeypatch):
    """By vectors in the same partitions. A table of one fragment is built at once."""
    connection = sentence_tables.connect({(cik, 2020, "ITEM_1"): 100 for cik in range(3)})
    rows = connection.sql("from fct_sentences join dim_filings using (filing_id) order by sentence_id").to_arrow_table()
    vectors = sentence_tables.vectors(rows["text_hash"])
    flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), sentence_tables.DIMENSION)
    rows = rows.append_column("vector", flat)
    monkeypatch.setattr(segments, "train", lambda *_: vectors[:10])
    found = {}
    for fragments in (1, 3):
        index = SentenceIndex.of_vectors(tmp_path / f"{fragments}", "model", "0" * 8, sentence_tables.DIMENSION)
        index.folder.mkdir(parents=True)
        lance.write_dataset(
            rows.select(index.schema.names).cast(index.schema), index.path, max_rows_per_file=300 // fragments
        )
        segments.build(index, 10)
        [built] = index.table().list_indices()
        assert (built.name, built.num_indexed_rows, built.num_segments) == ("vector_idx", 300, 1)
        assert len(list(Path(index.path, "_indices").iterdir())) == 1
        probes = {"minimum_nprobes": 2, "maximum_nprobes": 2}
        nearest = [recall.nearest(index.dataset(), vector, 5, None, **probes) for vector in vectors[:40]]
        ids = [index.ids_of(hits["_rowid"]).to_pylist() for hits in nearest]
        found[fragments] = ids, [hits["_distance"].to_pylist() for hits in nearest]
    assert [len(ids) for ids in found[1][0]] == [5] * 40 and found[1] == found[3]


def test_sentences_that_workers_split_are_those_of_this_process(on_ray, tmp_path, monkeypatch):
    monkeypatch.setattr(filings, "CHARACTERS_PER_PART", 3_000)
    found = []
    for engine in ("here", "ray"):
        monkeypatch.setenv("FINRAG_ENGINE", engine)
        session, todo = sentence_tables.filings(20)
        tables = session.table("items"), session.table("rejected")
        found.append(filings.split_filings(session, todo, *tables, tmp_path).fetchall())
    assert len(found[0]) == 19 * 40 and found[0] == found[1]
    assert not list(tmp_path.iterdir())


def test_doctor_says_what_each_node_has(on_ray, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = doctor.Findings()
    doctor.cluster(found)
    told = capsys.readouterr().out
    assert found.faults == 0 and told.count("1 processors, 0 GPUs") == 2 and "Ray 2.60" in told
    assert not list(tmp_path.iterdir())
    here = nodes_of_cluster.versions()
    monkeypatch.setattr(nodes_of_cluster, "versions", lambda: here | {"torch": "0.1"})
    monkeypatch.setattr(nodes_of_cluster, "LEAST_GB_A_PROCESSOR", 10_000)
    doctor.cluster(found)
    told = capsys.readouterr().out
    assert found.faults == 4
    assert f"has torch {here['torch']}, this process 0.1." in told and "need 10000 GB each" in told


def test_a_worker_with_other_code_is_refused(on_ray, monkeypatch):
    monkeypatch.setattr(cluster, "digest", lambda: "another")
    with pytest.raises(FinragError, match="has another finrag than the process that builds"):
        list(run(engine_tasks.square, [1]))


def test_a_wrong_token_is_said_to_be_one(on_ray, monkeypatch):
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 3)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "f" * 64)
    with pytest.raises(FinragError, match="refused the token"):
        cluster.ask_nodes(os.environ["RAY_ADDRESS"])


def test_a_doctor_without_a_cluster_says_why(monkeypatch, capsys):
    monkeypatch.setenv("FINRAG_ENGINE", "ray")
    monkeypatch.setenv("RAY_ADDRESS", "")
    # Ray decides as it is imported whether it asks for a token
    monkeypatch.setattr(cluster, "installed", lambda: SimpleNamespace(is_initialized=lambda: False))
    found = doctor.Findings()
    doctor.cluster(found)
    assert found.faults == 1 and "RAY_ADDRESS is ''" in capsys.readouterr().out


def test_the_example_for_ray_up_is_one(nodes):
    from ray.autoscaler._private.util import prepare_config, validate_config

    example = yaml.safe_load((EXAMPLES / "ray-cluster.yaml").read_text(encoding="utf-8"))
    validate_config(prepare_config(example))
    with pytest.raises(Exception, match="was unexpected"):
        validate_config(prepare_config(example | {"min_worker": 2}))
    for command in (*example["head_start_ray_commands"][1:], *example["worker_start_ray_commands"][1:]):
        assert "RAY_AUTH_MODE=token" in command and "RAY_USAGE_STATS_ENABLED=0" in command
