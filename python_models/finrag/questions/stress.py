"""A deck that asks the questions of a suite again, and what each way to ask costs a search.

The deck is a suite like any other: it holds each question as it was written and once per perturbation that fits it,
with the same evidence, company and years, so a build scores all of them alike and the figures of one run are paired by
question.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command, existing_warehouse
from finrag.questions.perturb import PERTURBATIONS, Asked, UnfitError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from finrag.metrics.registry import Metric

AS_WRITTEN = "as_written"
# Between a question's id and how it is asked
MARK = "~"
# What is compared, as analyses/is_my_retriever_better.sql does
COMPARED = (("hit", 5), ("mrr", 30))
RUNS = """
    select run_id, suite, regime, strategy, embedding_model
    from retrieval.retrieval_runs
    where is_current and suite in (select distinct suite from gold.p3_questions where contains(question_id, $mark))
        -- told the evidence, or blind: no wording moves them
        and method not in ('gold', 'gold_filings', 'random')
    order by suite, regime, strategy, embedding_model, run_id
"""
# Items of one run, of one way to ask, under the id of the question
ITEMS = """
    select items.* replace (split_part(questions.question_id, '{mark}', 1) as query_id)
    from metrics.retrieval_items as items
    inner join gold.p3_questions as questions
        on items.query_id = questions.query_id
    where items.run_id = '{run_id}' and split_part(questions.question_id, '{mark}', 2) = '{way}'
"""


@dataclass(frozen=True)
class Cost:
    """What one perturbation changes in one run: the perturbed questions against the same as they were written."""

    suite: str
    regime: str
    strategy: str
    embedding_model: str
    perturbation: str
    metric: str
    n: int
    n_clusters: int
    as_written: float
    perturbed: float
    difference: float
    ci_low: float
    ci_high: float
    p_value: float | None  # None where there are too few questions to test
    p_adjusted: float | None = None


def deck_of(questions: list[dict], asked_of) -> tuple[list[dict], Counter]:
    """The deck of a suite's questions, and how many a perturbation did not fit, by its name and the reason.

    asked_of: of a question, what a perturbation is given.
    """
    deck, unfit = [], Counter()
    for question in questions:
        if not question["evidence_sentence_ids"]:
            unfit[AS_WRITTEN, "has no evidence to find"] += 1
            continue
        asked, wordings = asked_of(question), {AS_WRITTEN: question["question_text"]}
        for name, perturb in PERTURBATIONS.items():
            try:
                wordings[name] = perturb(asked)
            except UnfitError as reason:
                unfit[name, str(reason)] += 1
        if len(wordings) > 1:
            deck += [again(question, name, text) for name, text in wordings.items()]
    return deck, unfit


def again(question: dict, way: str, text: str) -> dict:
    """The question in other words: all wordings of it, and of its group, stand or fall together."""
    changed = {
        "question_id": f"{question['question_id']}{MARK}{way}",
        "question_text": text,
        "paraphrase_group_id": question["paraphrase_group_id"] or question["question_id"],
    }
    return {**question, **changed}


def export_deck(connection: duckdb.DuckDBPyConnection, path: Path, suite: str) -> str:
    """Write the deck of a suite; what was written, and what was not and why. Raises FinragError if there is nothing."""
    from finrag.questions.export import records_of
    from finrag.search.multi_path.entities import read_companies
    from finrag.text.companies import Companies

    names = ("corpus.dim_companies", "corpus.dim_filings", "questions.int_company_names")
    companies = Companies(read_companies(connection, *(connection.table(name) for name in names)))
    tickers = dict(
        connection.execute("select cik, ticker from corpus.dim_companies where ticker is not null").fetchall()
    )
    deck, unfit = deck_of(
        records_of(connection, suite),
        lambda question: Asked(question["question_id"], question["question_text"], companies, tickers),
    )
    if not deck:
        raise FinragError(f"No question of the suite {suite!r} can be asked again. Left out: {dict(unfit)}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(deck, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    written = Counter(question["question_id"].split(MARK)[1] for question in deck)
    lines = [f"{count:6,}  {way}" for way, count in written.items()]
    lines += [f"{count:6,}  {way}: left out, {reason}" for (way, reason), count in sorted(unfit.items())]
    return "\n".join([*lines, f"{len(deck):,} questions written to {path}. Next: {command('build', suites=str(path))}"])


def costs(connection: duckdb.DuckDBPyConnection) -> list[Cost]:
    """What each perturbation costs each current run of the decks, Holm over all that is tested."""
    from finrag.metrics.registry import read_metrics
    from finrag.search_evaluation import cutoffs_of

    metrics = read_metrics(connection.table("seeds.metrics"), "retrieval_items", cutoffs_of(connection))
    metrics = [metric for metric in metrics if (metric.name, metric.k) in COMPARED]
    runs = connection.execute(RUNS, {"mark": MARK}).fetchall()
    return holm([cost for run in runs for cost in costs_of(connection, run, metrics)])


def costs_of(connection: duckdb.DuckDBPyConnection, run: tuple, metrics: list[Metric]) -> Iterator[Cost]:
    """What each perturbation costs a run, on the questions that it fits."""
    from finrag.metrics.comparisons import Pairs, compare_pairs
    from finrag.metrics.items import read_items
    from finrag.statistics.bootstrap import seed_of
    from finrag.threads import one_blas_thread

    def items_of(way: str) -> dict:
        relation = connection.sql(ITEMS.format(mark=MARK, run_id=run[0], way=way))
        return {items.variant: items for items in read_items(relation, metrics)}

    variant = ("none", "evidence")
    written = items_of(AS_WRITTEN).get(variant)
    for way in PERTURBATIONS:
        perturbed = items_of(way).get(variant)
        if written is None or perturbed is None:
            continue
        with one_blas_thread():
            compared = list(compare_pairs(Pairs.of(written, perturbed), metrics, seed_of("stress", way)))
        for metric, k, n, n_clusters, _, a, b, difference, low, high, _, _, _, _, p_value, _ in compared:
            tested = None if p_value != p_value else float(p_value)
            figures = (float(each) for each in (a, b, difference, low, high))
            yield Cost(*run[1:], way, f"{metric}@{k}", int(n), int(n_clusters), *figures, tested)


def holm(found: list[Cost]) -> list[Cost]:
    """With p-values that hold however many of them are looked at."""
    from dataclasses import replace

    adjusted, least = {}, 0.0
    tested = sorted((cost for cost in found if cost.p_value is not None), key=lambda cost: cost.p_value)
    for place, cost in enumerate(tested):
        least = max(least, min(1.0, cost.p_value * (len(tested) - place)))
        adjusted[cost] = least
    return [replace(cost, p_adjusted=adjusted.get(cost)) for cost in found]


def show(words: list[str]) -> None:
    """Print what each perturbation costs, of the rows that hold every word."""
    import duckdb

    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        try:
            found = costs(connection)
        except duckdb.CatalogException as error:
            raise FinragError(f"The warehouse holds no measured search. Build it: {command('build')}") from error
    if not found:
        raise FinragError(
            f"The warehouse holds no stress deck. Write one, {command('export stress')}, and build with it."
        )
    shown = ""
    for cost in found:
        place = (cost.suite, cost.regime, cost.strategy, cost.embedding_model, cost.perturbation, cost.metric)
        if not all(word in place for word in words):
            continue
        searched = " ".join(name for name in place[:4] if name != "none")
        if searched != shown:
            print(f"{searched}: as written, changed, difference with its 95 % interval, p corrected")
            shown = searched
        print(line_of(cost))
    if not shown:
        raise FinragError(
            f"No row holds all of {' '.join(words)}. Each word is one of a suite, regime, strategy, model, "
            f"perturbation ({', '.join(PERTURBATIONS)}) or metric ({', '.join(f'{name}@{k}' for name, k in COMPARED)})."
        )


def line_of(cost: Cost) -> str:
    """`typo  hit@5  n 301  0.193  0.276  +0.083 (+0.045 to +0.127)  0.0040`, in columns."""
    interval = f"{cost.difference:+.3f} ({cost.ci_low:+.3f} to {cost.ci_high:+.3f})"
    tested = "no test" if cost.p_adjusted is None else f"{cost.p_adjusted:.4f}"
    return (
        f"  {cost.perturbation:12}  {cost.metric:6}  n {cost.n:<5,} {cost.as_written:.3f}  {cost.perturbed:.3f}  "
        f"{interval}  {tested}"
    )
