"""The strategy multi_path: every path of every question, and the one list that they make, as rows to be queried."""

from __future__ import annotations

import hashlib
import json
import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.encoders.rerank import CrossEncoder, reranker
from finrag.index.lance import SentenceIndex
from finrag.search import bm25, fusion
from finrag.search.engines import Engines
from finrag.search.multi_path import assembly, expansion
from finrag.search.multi_path.paths import ENTITY, EXPANSION, GLOBAL, Budgets, Slot, plan
from finrag.search.multi_path.remainder import remainder
from finrag.tables import literal, name_relations

if TYPE_CHECKING:
    import pyarrow as pa

# Hits fetched beyond the depth, in the place of those that are of a kind that is not searched.
SPARE_FOR_HIDDEN = 500
KEPT, DROPPED = "kept", "dropped"
OVER_BUDGET, DUPLICATE, TOO_LOW = "over budget", "duplicate text", "below the last rank kept"


@dataclass(frozen=True)
class Parameters:
    """What decides a run of multi_path beside index and entities; JSON in int_question_planned_runs.parameters."""

    rrf_k: int
    depth: int
    company_budget: int
    year_budget: int
    global_budget: int
    expanded_hits: int
    expansion_window: int
    expansion_weight: float
    reranker: str
    reranker_weights: str = ""
    # kinds of sentences (corpus.fct_sentences.sentence_kind) that are searched, space-separated; empty: all
    sentence_kinds: str = ""
    # what a filtered search looks for: "remainder", what is left of the question, or "question", all of it
    searched_text: str = "remainder"

    @classmethod
    def read(cls, text: str) -> Parameters:
        return cls(**json.loads(text))

    @property
    def budgets(self) -> Budgets:
        return Budgets(self.company_budget, self.year_budget, self.global_budget)


@dataclass(frozen=True)
class Question:
    """A query, where it looks, and what it looks for there: a text per slot. number: its place in the suite."""

    number: int
    query_id: str
    text: str
    slots: tuple[Slot, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SlotHit:
    """A sentence that a slot found; rank counts from 1 within the slot."""

    slot: Slot
    sentence_id: str
    rank: int
    score: float


def search_new_runs(
    session, *, planned, done, entities, queries, sentences, filings, registry, score_models, lance, max_k
):
    """Arrow table of the steps of every planned run of multi_path that `done` does not hold yet.

    session: DuckDB connection. planned, entities, queries, sentences, filings, registry, score_models: relations of
    int_question_planned_runs, question_entities, int_p3_queries, fct_sentences, dim_filings and the seeds
    embedding_models and score_models. done: the table of steps so far, or None. lance: folder of the vectors. max_k:
    the deepest rank that is measured; one more is kept, as in every other run.
    """
    import pyarrow as pa

    known = f" and run_id not in (select run_id from {done})" if done else ""
    runs = planned.filter(f"method = 'multi_path'{known}").project("run_id, suite, embedding_model, parameters")
    name_relations(session, pipeline_sentences=sentences)
    filed = set(filings.project("cik, report_year").fetchall())
    models = [dict(zip(score_models.columns, row, strict=True)) for row in score_models.fetchall()]
    tables = [step_schema().empty_table()]
    for run_id, suite, model_id, text in runs.order("all").fetchall():
        parameters = Parameters.read(text)
        of_suite = queries.filter(f"suite = {literal(suite)}").order("query_id")
        columns = "query_id, text_hash, query_text, filing_id, cik, report_year, section_id, section_heading, form_type"
        table = of_suite.project(columns).to_arrow_table()
        questions = read_questions(table, entities.filter(f"suite = {literal(suite)}"), filed, parameters)
        searches = searched_texts(table.schema, questions)
        engines = Engines(lance, registry, searches, deepest=parameters.depth)
        hidden = sentences_not_of(sentences, parameters.sentence_kinds)
        hits = search_slots(engines, model_id, searches, questions, parameters, hidden)
        cross_encoder = reranker(models, parameters.reranker, lance)
        rows = steps(session, questions, hits, parameters, max_k + 1, cross_encoder, hidden)
        tables.append(pa.Table.from_pylist([{"run_id": run_id} | row for row in rows], step_schema()))
    return pa.concat_tables(tables)


def read_questions(table: pa.Table, entities, filings: set[tuple[int, int]], parameters: Parameters) -> list[Question]:
    """table: query_id and query_text, one row per question. entities: rows of question_entities."""
    columns = "query_id, ciks, years, section_ids, scope, how"
    of_query = {row[0]: row[1:] for row in entities.project(columns).fetchall()}
    questions = []
    for number, (query_id, text) in enumerate(
        zip(table["query_id"].to_pylist(), table["query_text"].to_pylist(), strict=True)
    ):
        ciks, years, section_ids, scope, how = of_query[query_id]
        slots = plan(ciks, years, section_ids, scope == "cross_year", filings, parameters.budgets)
        is_whole = parameters.searched_text == "question"
        texts = [text if is_whole else remainder(text, json.loads(how), slot.columns) for slot in slots]
        questions.append(Question(number, query_id, text, tuple(slots), tuple(texts)))
    return questions


def searched_texts(schema: pa.Schema, questions: Sequence[Question]) -> pa.Table:
    """One row per distinct text that a slot searches for, in the columns that engines read; query_id is its place."""
    import pyarrow as pa

    texts = list(dict.fromkeys(text for question in questions for text in question.texts))
    filled = {
        "query_id": [str(place) for place in range(len(texts))],
        "query_text": texts,
        "text_hash": [hashlib.md5(" ".join(text.lower().split()).encode()).hexdigest() for text in texts],
    }
    return pa.table({field.name: pa.array(filled.get(field.name, [None] * len(texts)), field.type) for field in schema})


def sentences_not_of(sentences, kinds: str) -> pa.Array:
    """Ids of the sentences of other kinds than those named, none where all are searched. Relation of fct_sentences."""
    import pyarrow as pa

    if not kinds:
        return pa.array([], pa.string())
    named = ", ".join(map(literal, kinds.split()))
    found = sentences.filter(f"sentence_kind not in ({named})").project("sentence_id").to_arrow_table()
    return found["sentence_id"].combine_chunks().cast(pa.string())


def search_slots(
    engines: Engines,
    model_id: str,
    searches: pa.Table,
    questions: Sequence[Question],
    parameters: Parameters,
    hidden: pa.Array,
) -> dict[int, list[SlotHit]]:
    """By question, what each slot finds: dense and BM25 within the slot, without hidden ids, fused, up to `depth`.

    searches: as searched_texts gives them. Slots that filter by the same columns are searched together.
    """
    import numpy as np
    import pyarrow as pa

    index, _, vectors = engines.vectors(model_id)
    text_index = SentenceIndex.of_text(engines.lance)
    place_of = {text: place for place, text in enumerate(searches["query_text"].to_pylist())}
    by_columns: dict[tuple[str, ...], list[tuple[int, Slot, int]]] = defaultdict(list)
    for question in questions:
        for slot, text in zip(question.slots, question.texts, strict=True):
            by_columns[slot.columns].append((question.number, slot, place_of[text]))
    found: dict[int, list[SlotHit]] = defaultdict(list)
    for columns, members in by_columns.items():
        places = np.array([place for _, _, place in members])
        searched = searches.take(pa.array(places))
        for name, values in (
            ("query_id", [str(place) for place in range(len(members))]),
            ("cik", [slot.cik for _, slot, _ in members]),
            ("report_year", [slot.report_year for _, slot, _ in members]),
            ("section_id", [slot.section_id for _, slot, _ in members]),
        ):
            kind = searches.schema.field(name).type
            searched = searched.set_column(searched.schema.get_field_index(name), name, pa.array(values, kind))
        depth = parameters.depth
        fetched = depth + SPARE_FOR_HIDDEN * bool(len(hidden))
        lists = [
            _without(index.search(searched, vectors[places], fetched, columns), hidden),
            _without(bm25.search(text_index, searched, fetched, columns), hidden),
        ]
        for row in fusion.fuse(lists, depth, rrf_k=parameters.rrf_k, depth=depth).to_pylist():
            number, slot, _ = members[int(row["query_id"])]
            found[number].append(SlotHit(slot, row["sentence_id"], row["raw_rank"], row["score"]))
    return found


def _without(hits: pa.Table, hidden: pa.Array) -> pa.Table:
    """Hits (finrag.search.hits) that are not hidden; those below a hidden one move up."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(hidden) or not hits.num_rows:
        return hits
    kept = hits.filter(pc.invert(pc.is_in(hits["sentence_id"], value_set=hidden)))
    query = kept["query_id"].combine_chunks().dictionary_encode().indices.to_numpy()
    starts = np.r_[True, query[1:] != query[:-1]] if len(query) else np.array([], bool)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(query)), 0))
    rank = pa.array(np.arange(len(query)) - first + 1, kept.schema.field("raw_rank").type)
    return kept.set_column(kept.schema.get_field_index("raw_rank"), "raw_rank", rank)


def steps(
    session,
    questions: Sequence[Question],
    hits: dict[int, list[SlotHit]],
    parameters: Parameters,
    depth: int,
    cross_encoder: CrossEncoder | None,
    hidden: Iterable = (),
) -> list[dict]:
    """Every sentence that a path of a question found, whether it was kept, and its rank in the final list.

    session: DuckDB connection with the view pipeline_sentences. depth: ranks of the final list. hidden: ids (strings or
    an Arrow array) of sentences that are not searched, so that they are no neighbours of a hit either.
    """
    unsearched = set(hidden.to_pylist() if hasattr(hidden, "to_pylist") else hidden)
    fused = {
        question.number: assembly.fuse_paths(
            ((hit.sentence_id, hit.rank) for hit in hits.get(question.number, []) if hit.rank <= hit.slot.budget),
            parameters.rrf_k,
        )
        for question in questions
    }
    expanded = [
        (number, sentence_id)
        for number, scores in fused.items()
        for sentence_id in assembly.ranked(scores)[: parameters.expanded_hits]
    ]
    around = expansion.neighbours(session, expanded, parameters.expansion_window)
    added = {
        question.number: expansion.expansion_scores(
            fused[question.number],
            [each for each in around.get(question.number, []) if each[1] not in unsearched],
            parameters.expansion_weight,
        )
        for question in questions
    }
    facts = _read_sentences(session, {each for group in (*fused.values(), *added.values()) for each in group})
    scores_of = {
        number: scores | {each: score for each, (_, score) in added[number].items()} for number, scores in fused.items()
    }
    if cross_encoder is not None:
        scores_of = _reranked(questions, scores_of, facts, cross_encoder)
    rows: list[dict] = []
    for question in questions:
        scores = {each: _float32(score) for each, score in scores_of[question.number].items()}
        order = assembly.ranked(scores)
        asked = {(slot.cik, slot.report_year) for slot in question.slots if slot.path == ENTITY}
        repeated = assembly.duplicates(order, lambda sentence_id: facts[sentence_id][0], asked)
        final = {each: rank for rank, each in enumerate((each for each in order if each not in repeated), start=1)}
        outcomes = Outcomes(scores, final, repeated, depth)
        rows += _rows(question, hits.get(question.number, []), added[question.number], outcomes)
    return rows


def _reranked(
    questions: Sequence[Question],
    scores_of: Mapping[int, Mapping[str, float]],
    facts: Mapping[str, tuple[assembly.Sentence, str]],
    cross_encoder: CrossEncoder,
) -> dict[int, dict[str, float]]:
    """By question, the cross-encoder's score of each sentence that had one; all questions are one job."""
    asked = [(question, sentence_id) for question in questions for sentence_id in scores_of[question.number]]
    scores = cross_encoder.score([(question.text, facts[sentence_id][1]) for question, sentence_id in asked])
    found: dict[int, dict[str, float]] = {question.number: {} for question in questions}
    for (question, sentence_id), score in zip(asked, scores, strict=True):
        found[question.number][sentence_id] = score
    return found


@dataclass(frozen=True)
class Outcomes:
    """What became of each sentence of one question after its path kept it."""

    scores: dict[str, float]
    final: dict[str, int]
    repeated: dict[str, str]
    depth: int

    def of(self, sentence_id: str) -> dict:
        if sentence_id in self.repeated:
            reason, rank = DUPLICATE, None
        else:
            rank = self.final[sentence_id]
            reason = TOO_LOW if rank > self.depth else None
        return {
            "status": DROPPED if reason else KEPT,
            "drop_reason": reason,
            "duplicate_of": self.repeated.get(sentence_id),
            "final_rank": None if reason else rank,
            "final_score": self.scores[sentence_id],
        }


def _rows(
    question: Question, hits: Sequence[SlotHit], added: dict[str, tuple[str, float]], outcomes: Outcomes
) -> list[dict]:
    rows = []
    for hit in hits:
        row = {
            "query_id": question.query_id,
            "path": hit.slot.path,
            "path_detail": hit.slot.detail,
            "sentence_id": hit.sentence_id,
            "step_rank": hit.rank,
            "score": hit.score,
        }
        if hit.rank > hit.slot.budget:
            rows.append(row | {"status": DROPPED, "drop_reason": OVER_BUDGET})
        else:
            rows.append(row | outcomes.of(hit.sentence_id))
    for rank, sentence_id in enumerate(assembly.ranked({each: score for each, (_, score) in added.items()}), start=1):
        parent_id, score = added[sentence_id]
        row = {
            "query_id": question.query_id,
            "path": EXPANSION,
            "path_detail": f"beside {parent_id}",
            "sentence_id": sentence_id,
            "step_rank": rank,
            "score": score,
        }
        rows.append(row | outcomes.of(sentence_id))
    return rows


def _read_sentences(session, ids: set[str]) -> dict[str, tuple[assembly.Sentence, str]]:
    import pyarrow as pa

    session.register("wanted_sentences", pa.table({"sentence_id": pa.array(sorted(ids), pa.string())}))
    rows = session.execute(
        "select sentence_id, text_hash, cik, report_year, sentence_text from pipeline_sentences "
        "semi join wanted_sentences using (sentence_id)"
    ).fetchall()
    session.unregister("wanted_sentences")
    return {row[0]: (assembly.Sentence(*row[1:4]), row[4]) for row in rows}


def _float32(score: float) -> float:
    """As it is stored: scores that are stored alike are ranked as a tie."""
    return struct.unpack("f", struct.pack("f", score))[0]


def step_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("run_id", pa.string()),
            ("query_id", pa.string()),
            ("path", pa.string()),
            ("path_detail", pa.string()),
            ("sentence_id", pa.string()),
            ("step_rank", pa.int32()),
            ("score", pa.float32()),
            ("status", pa.string()),
            ("drop_reason", pa.string()),
            ("duplicate_of", pa.string()),
            ("final_rank", pa.int32()),
            ("final_score", pa.float32()),
        ]
    )


__all__ = ["ENTITY", "EXPANSION", "GLOBAL", "Parameters", "Question", "SlotHit", "search_new_runs", "steps"]
