"""Two runs side by side: which queries one of them lost, which it won, which both missed, with the texts."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from finrag.report.cases import shortened
from finrag.report.data import Case, Column, Figure, Filter, Passage, Reader, Row, Section, with_sentences

ID = "side-by-side"
# So many pairs are on the page, in the order of its first screen, and queries of each outcome with their texts.
PAIRS = 40
SHOWN = 4
# The reader's word for what happened to a query, from the candidate's side.
OUTCOMES = ("lost", "won", "both missed")
TABLES = {
    "runs": ("metrics.retrieval_items", "retrieval.retrieval_hits", "gold.retrieval_gold", "gold.retrieval_queries"),
    "answers": ("metrics.answer_items", "answers.answers", "gold.p3_questions"),
}
# Whether a run was right, by query, for the pairs of one metric and cut-off. {score}: a column of the items.
SCORED = """
    with

    pairs as (
        select verdict_id, candidate_run_id, reference_run_id, gold_window, gold_predicate
        from metrics.verdicts
        where is_headline and compared = ? and metric = ? and k = ?
    ),

    items as (
        select run_id, query_id, {variant}, {score} as is_right from {table} where not is_error and is_covered
    )

    select
        pairs.verdict_id,
        candidate.query_id,
        case
            when candidate.is_right and reference.is_right then 'both found'
            when candidate.is_right then 'won'
            when reference.is_right then 'lost'
            else 'both missed'
        end as outcome,
        count(*) over (partition by pairs.verdict_id, outcome) as n,
        row_number() over (
            partition by pairs.verdict_id, outcome order by md5(candidate.query_id), candidate.query_id
        ) as place,
    from pairs
    inner join items as candidate
        on pairs.candidate_run_id = candidate.run_id {same_variant}
    inner join items as reference
        on
            pairs.reference_run_id = reference.run_id and candidate.query_id = reference.query_id
            and candidate.gold_window = reference.gold_window and candidate.gold_predicate = reference.gold_predicate
    where candidate.is_right is not null and reference.is_right is not null
    qualify place <= {shown}
    order by pairs.verdict_id, outcome, place
"""
OF_RUNS = {
    "table": "metrics.retrieval_items",
    "variant": "gold_window, gold_predicate",
    "same_variant": "and pairs.gold_window = candidate.gold_window and pairs.gold_predicate = candidate.gold_predicate",
}
OF_ANSWERS = {
    "table": "metrics.answer_items",
    "variant": "'' as gold_window, '' as gold_predicate",
    "same_variant": "",
}
# What runs found first for queries.
FIRST_HITS = """
    select run_id, query_id, arg_min(sentence_id, rank) as sentence_id
    from retrieval.retrieval_hits
    where
        not is_query_sentence and (run_id, query_id) in (select unnest(?::varchar[]), unnest(?::varchar[]))
    group by run_id, query_id
"""
GOLD = """
    select
        gold.query_id, gold.gold_window, gold.gold_predicate,
        list(gold.sentence_id order by gold.grade desc, gold.sentence_id) as ids,
    from gold.retrieval_gold as gold
    where gold.query_id in (select unnest(?::varchar[]))
    group by all
"""


@dataclass(frozen=True)
class Pair:
    """A headline of metrics.verdicts with what became of its queries: counts, and some queries, by outcome."""

    verdict: Row
    counts: dict[str, int]
    queries: dict[str, list[str]]

    @property
    def name(self) -> str:
        """How the filter of the page calls it."""
        row = self.verdict
        return ", ".join(filter(None, (f"{row['candidate']} against {row['reference']}", suite_of(row))))


def suite_of(row: Row) -> str:
    return " ".join(filter(None, (row["suite"], row["setting"])))


def pairs(reader: Reader) -> list[Pair]:
    """Of the first screen's comparisons those whose items are right or wrong, in its order."""
    if not reader.filled("metrics.verdicts"):
        return []
    verdicts = reader.rows(
        "select * from metrics.verdicts where is_headline "
        "order by suite desc nulls last, verdict not in ('better', 'worse'), compared != 'runs', setting, candidate, "
        "reference, verdict_id"
    )
    found: dict[str, dict[str, list[Row]]] = {}
    asked = dict.fromkeys((row["compared"], row["metric"], row["k"]) for row in verdicts)
    for compared, metric, k in asked:
        score = score_of(compared, metric, k)
        if score is None or not reader.has(*TABLES[compared]):
            continue
        of = OF_RUNS if compared == "runs" else OF_ANSWERS
        for row in reader.rows(SCORED.format(score=score, shown=SHOWN, **of), [compared, metric, k]):
            found.setdefault(row["verdict_id"], {}).setdefault(row["outcome"], []).append(row)
    known = [
        Pair(
            verdict,
            {outcome: rows[0]["n"] for outcome, rows in of.items()},
            {outcome: [row["query_id"] for row in rows] for outcome, rows in of.items()},
        )
        for verdict in verdicts
        if (of := found.get(verdict["verdict_id"]))
    ]
    return known[:PAIRS]


def score_of(compared: str, metric: str, k: int) -> str | None:
    """The column of the items that says whether a query was got right; None for metrics that have degrees."""
    if compared == "runs" and metric == "hit":
        return f"hit_at_{k}"
    return "is_correct" if compared == "answers" and metric == "answer_accuracy" else None


def link(pair: Pair) -> str:
    """The address on the page of the pair's queries."""
    return f"#{ID}?{urlencode({'pair': pair.name})}"


def links(reader: Reader) -> dict[str, str]:
    """The same by verdict_id."""
    return {pair.verdict["verdict_id"]: link(pair) for pair in pairs(reader)}


def side_by_side(reader: Reader) -> Section | None:
    found = pairs(reader)
    if not found or not reader.has("corpus.fct_sentences"):
        return None
    cases = [
        *retrieved_cases(reader, [pair for pair in found if pair.verdict["compared"] == "runs"]),
        *answered_cases(reader, [pair for pair in found if pair.verdict["compared"] == "answers"]),
    ]
    rows = [
        {
            **{"pair": pair.name, "candidate": pair.verdict["candidate"], "reference": pair.verdict["reference"]},
            **{"of": suite_of(pair.verdict), "verdict": pair.verdict["verdict"]},
            **{name.replace(" ", "_"): pair.counts.get(name, 0) for name in (*OUTCOMES, "both found")},
            "run_id": f"{pair.verdict['candidate_run_id']} / {pair.verdict['reference_run_id']}",
        }
        for pair in found
    ]
    return Section(
        id=ID,
        title="Side by side",
        lead="What became of each query of two runs: lost, won, and missed by both. Of each "
        f"outcome of a pair {SHOWN} queries drawn by their ids are here with their texts.",
        filters=[Filter("pair", "Candidate against reference", found[0].name), Filter("outcome", "Outcome")],
        figures=[
            Figure(
                id="outcomes",
                title="Queries by what became of them",
                note="Queries that both runs were measured on; right means what the verdict's metric means by it. All "
                "of them, by run id: metrics.retrieval_items and metrics.answer_items.",
                rows=rows,
                columns=[
                    *(Column("candidate", "Candidate"), Column("reference", "Reference"), Column("of", "Of")),
                    *(Column("lost", "Lost", 0), Column("won", "Won", 0), Column("both_missed", "Both missed", 0)),
                    *(Column("both_found", "Both right", 0), Column("verdict", "Verdict"), Column("run_id", "Run ids")),
                ],
                filters=("pair",),
                is_open=True,
            )
        ],
        cases=cases,
    )


def retrieved_cases(reader: Reader, found: list[Pair]) -> list[Case]:
    drawn = [(pair, outcome, id_) for pair in found for outcome in OUTCOMES for id_ in pair.queries.get(outcome, [])]
    ids = sorted({id_ for _, _, id_ in drawn})
    queries = reader.rows(
        "select distinct on (query_id) query_id, query_text, "
        "concat_ws(', ', company_name, report_year, section_id) as place "
        "from gold.retrieval_queries where query_id in (select unnest(?::varchar[])) order by query_id",
        [ids],
    )
    by_id = {row["query_id"]: row for row in queries}
    gold = {
        tuple(row[name] for name in ("query_id", "gold_window", "gold_predicate")): row["ids"]
        for row in reader.rows(GOLD, [ids])
    }
    runs = ("candidate_run_id", "reference_run_id")
    asked = {(pair.verdict[run], id_) for pair, _, id_ in drawn for run in runs}
    wanted = [list(names) for names in zip(*sorted(asked), strict=True)] or [[], []]
    first = {(row["run_id"], row["query_id"]): row["sentence_id"] for row in reader.rows(FIRST_HITS, wanted)}
    named = {id_ for found_ids in gold.values() for id_ in found_ids}
    texts = with_sentences(reader, {*named, *first.values()})
    cases = []
    for pair, outcome, id_ in drawn:
        row = pair.verdict
        right = gold.get((id_, row["gold_window"], row["gold_predicate"]), [])
        query = by_id[id_]
        passages = [Passage("Query", query["query_text"], query["place"], "query")]
        passages += [Passage("Gold", texts[one].text, texts[one].source, "gold") for one in right if one in texts][:2]
        for side, run in zip(("candidate", "reference"), runs, strict=True):
            hit = first.get((row[run], id_))
            said = f"First by {row[side]}"
            if hit in texts:
                tone = "gold" if hit in right else "wrong"
                passages.append(Passage(said, texts[hit].text, texts[hit].source, tone))
            else:
                passages.append(Passage(said, "nothing", "", "wrong"))
        cases.append(case_of(pair, outcome, query["query_text"], passages, id_))
    return cases


def answered_cases(reader: Reader, found: list[Pair]) -> list[Case]:
    drawn = [(pair, outcome, id_) for pair in found for outcome in OUTCOMES for id_ in pair.queries.get(outcome, [])]
    if not drawn:
        return []
    questions = reader.rows(
        "select suite || ':' || question_id as query_id, question_text, "
        "coalesce(array_to_string(answer_items, '; '), answer_text) as gold from gold.p3_questions"
    )
    by_id = {row["query_id"]: row for row in questions}
    said = reader.rows(
        "select items.run_id, items.query_id, answers.answer_text from metrics.answer_items as items "
        "inner join answers.answers on items.answer_id = answers.answer_id"
    )
    texts = {(row["run_id"], row["query_id"]): row["answer_text"] for row in said}
    cases = []
    for pair, outcome, id_ in drawn:
        row, question = pair.verdict, by_id[id_]
        passages = [Passage("Question", question["question_text"], "", "query")]
        passages.append(Passage("Gold answer", question["gold"] or "none: it cannot be answered", "", "gold"))
        for side in ("candidate", "reference"):
            is_right = outcome == ("won" if side == "candidate" else "lost")
            text = texts.get((row[f"{side}_run_id"], id_)) or "nothing"
            passages.append(Passage(f"By {row[side]}", text, "", "gold" if is_right else "wrong"))
        cases.append(case_of(pair, outcome, question["question_text"], passages, id_))
    return cases


def case_of(pair: Pair, outcome: str, text: str, passages: list[Passage], query_id: str) -> Case:
    return Case(
        title=shortened(text),
        badge=outcome.replace(" ", "_"),
        facts=[("", f"{outcome}, one of {pair.counts[outcome]:,}"), ("query", query_id)],
        passages=passages,
        keys={"pair": pair.name, "outcome": outcome},
    )
