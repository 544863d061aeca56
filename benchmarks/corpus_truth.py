"""The weighted value of a draw against what scoring every sentence of the corpus gives, over many draws.

The warehouse is the one that make build wrote (FINRAG_DATABASE); on the demo corpus it takes a minute, on 48,788 real
sentences four. Truth: Hit@5 of the strategy dense for every eligible sentence, window 5 and positional gold, by an
exact search written here and not the warehouse's own. Draws: gold.int_anchor_draw as dbt compiles it, by other seeds.
Of each draw the plain mean and the weighted (Hájek) one with its interval, clusters being companies or texts, whichever
leave fewer effective anchors. An interval that holds the truth in 95 % of draws would do; it is for filings like these,
and these filings are the truth here, so it holds it more often.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np

ROOT = Path(__file__).parents[1]
DRAWS = int(os.environ.get("BENCH_DRAWS", "200"))
K = 5
WINDOW = 5
SENTENCES = """
    select
        sentence_id, text_hash, filing_id || ' ' || section_id as section, cik::varchar as cik,
        cik || ' ' || report_year || ' ' || section_id as slice,
        dense_rank() over (partition by filing_id, section_id order by sentence_pos) as position,
        count(*) over (partition by filing_id, section_id) as section_length,
    from warehouse.corpus.fct_sentences
    order by sentence_id desc
"""


def corpus_truth(folder: Path) -> None:
    """Truth, mean and spread of the estimates, and how many intervals hold the truth."""
    database = Path(os.environ.get("FINRAG_DATABASE", ROOT / "warehouse" / "finrag.duckdb"))
    if not database.exists():
        raise SystemExit(f"There is no warehouse at {database}. Build it first: make build")
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as warehouse (read_only)")
        sentences = connection.execute(SENTENCES).fetchnumpy()
        truth = score_every_sentence(sentences, vectors_of(database.parent, sentences["text_hash"]))
        report(connection, draw_sql(folder), sentences, truth)


def vectors_of(warehouse: Path, text_hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors of the distinct texts, and the text of each sentence as a number."""
    import lance

    [path] = (warehouse / "lance" / "sentences").glob("vectors__all-MiniLM-L6-v2__*.lance")
    table = lance.dataset(str(path)).to_table(columns=["text_hash", "vector"])
    rows = table["vector"].combine_chunks()
    vectors = rows.flatten().to_numpy().reshape(len(rows), -1)
    place = {text: number for number, text in enumerate(table["text_hash"].to_pylist())}
    texts, of_sentence = np.unique(text_hashes.astype(str), return_inverse=True)
    chosen = vectors[[place[text] for text in texts]].astype(np.float32)
    return chosen / np.linalg.norm(chosen, axis=1, keepdims=True), of_sentence


def score_every_sentence(sentences: dict, vectors: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    """Whether any of the first 5 is gold, for every sentence as the query, by regime.

    Sentences are in order of id, the last first, which is how equal scores rank.
    """
    texts, text_of = vectors
    same_text = [[] for _ in texts]
    for sentence, text in enumerate(text_of):
        same_text[text].append(sentence)
    _, section = np.unique(sentences["section"].astype(str), return_inverse=True)
    position = np.asarray(sentences["position"])

    def is_hit(query: int, ranked) -> bool:
        others = [sentence for sentence in ranked if sentence != query][:K]
        return any(section[o] == section[query] and abs(position[o] - position[query]) <= WINDOW for o in others)

    opened, filtered = np.zeros(len(text_of), bool), np.zeros(len(text_of), bool)
    for first in range(0, len(texts), 1024):
        scores = texts[first : first + 1024] @ texts.T
        # every text is of one sentence or more, so one more than k texts are enough
        best = np.argpartition(-scores, K + 1, axis=1)[:, : K + 1]
        order = np.argsort(-np.take_along_axis(scores, best, 1), axis=1, kind="stable")
        for row, found in enumerate(np.take_along_axis(best, order, 1)):
            for query in same_text[first + row]:
                # of each text the first K + 1 sentences, the query perhaps among them
                opened[query] = is_hit(query, [s for text in found for s in same_text[text][: K + 1]])
    _, slices = np.unique(sentences["slice"].astype(str), return_inverse=True)
    for members in np.split(np.argsort(slices, kind="stable"), np.cumsum(np.bincount(slices))[:-1]):
        scores = (texts[text_of[members]] @ texts[text_of[members]].T).round(6)
        for row, query in enumerate(members):
            filtered[query] = is_hit(query, members[np.argsort(-scores[row], kind="stable")[: K + 1]])
    return {"filtered": filtered, "open": opened}


def draw_sql(folder: Path) -> str:
    """gold.int_anchor_draw as dbt compiles it, for a database that the sentences are in."""
    options = ["compile", "--quiet", "--select", "int_anchor_draw", "--target-path", str(folder)]
    subprocess.run(
        [sys.executable, "-m", "finrag.commands", "dbt", *options],
        cwd=ROOT,
        env=os.environ | {"DBT_PROFILES_DIR": ".", "FINRAG_DATABASE": str(folder / "finrag.duckdb")},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(folder.glob("compiled/**/int_anchor_draw.sql")).read_text(encoding="utf-8")


def report(connection: duckdb.DuckDBPyConnection, sql: str, sentences: dict, truth: dict[str, np.ndarray]) -> None:
    from finrag.statistics.clustered import cluster_ways
    from finrag.statistics.wilson import wilson_interval

    connection.execute(
        "attach ':memory:' as finrag;"
        "create schema finrag.gold; create schema finrag.corpus; create schema finrag.seeds;"
        "create table finrag.corpus.fct_sentences as select * from warehouse.corpus.fct_sentences;"
        "create table finrag.gold.int_gold_sections as select * from warehouse.gold.int_gold_sections;"
        "create table finrag.seeds.baseline_items as select * from warehouse.seeds.baseline_items limit 0"
    )
    place = {sentence: number for number, sentence in enumerate(sentences["sentence_id"])}
    _, company = np.unique(sentences["cik"].astype(str), return_inverse=True)
    _, text = np.unique(sentences["text_hash"].astype(str), return_inverse=True)
    lengths = np.asarray(sentences["section_length"])
    eligible = {"p1": lengths >= 20, "p2": lengths > 1}
    found: dict[tuple[str, str], list] = {}
    for seed in range(DRAWS):
        of_seed = sql.replace("'finrag'", f"'seed {seed}'")
        drawn = connection.execute(f"select suite, sentence_id, inclusion_probability from ({of_seed})").fetchnumpy()
        for suite, is_eligible in eligible.items():
            of_suite = drawn["suite"] == suite
            rows = np.array([place[sentence] for sentence in drawn["sentence_id"][of_suite]])
            weights = 1 / np.asarray(drawn["inclusion_probability"][of_suite], float)
            covered = is_eligible[rows]
            if suite == "p2":
                share = (weights * covered).sum() / weights.sum()
                found.setdefault((suite, "coverage"), []).append((covered.mean(), share, np.nan))
            rows, weights = rows[covered], weights[covered]
            for regime, hits in truth.items():
                values = hits[rows].astype(float)[:, None]
                means = cluster_ways(values, (company[rows], text[rows]), weights).means
                low, high = wilson_interval(means.mean, means.n_eff)
                holds = low[0] <= hits[is_eligible].mean() <= high[0]
                found.setdefault((suite, regime), []).append((values.mean(), means.mean[0], holds))
    print(f"\n{DRAWS} draws, Hit@5 of dense over covered anchors, and coverage")
    header = ("every sentence", "plain mean", "weighted", "sd", "intervals hold it")
    print(f"  {'suite':<6}{'regime':<10}" + "{:>15}{:>12}{:>10}{:>8}{:>19}".format(*header))
    for (suite, regime), draws in sorted(found.items()):
        plain, weighted, holds = np.array(draws, float).T
        true = (lengths > 1).mean() if regime == "coverage" else truth[regime][eligible[suite]].mean()
        shown = "" if np.isnan(holds).all() else f"{holds.mean():.1%}"
        print(
            f"  {suite:<6}{regime:<10}{true:>15.4f}{plain.mean():>12.4f}{weighted.mean():>10.4f}"
            f"{weighted.std():>8.4f}{shown:>19}"
        )
