"""What people read one by one: alerts, hardest cases, answers, claims, rejected questions, with the sentences."""

from __future__ import annotations

import re

from finrag.report.data import Case, Filter, Passage, Reader, Row, Section, with_sentences

SENTENCE_ID = re.compile(r"\b\d{10}_10-K\w*_\d{4}_section_\w+_\d+\b")
# In words: P1 beside a suite p1 reads as one.
SEVERITIES = {"P0": "critical", "P1": "serious", "P2": "minor"}
PER_RUN = 5
PER_GATE = 25
ANSWERS_PER_RUN = 10
CLAIMS_OF_A_KIND = 60
# Whose claims they are, by item_type.
TEXTS = {"answer": "answers", "summary": "summaries"}
LABELS_PER_RUN = 10
TITLE_LENGTH = 140
HARD = (
    *("n_gold", "reason_class", "repetition_count", "near_duplicate_count_above", "nearest_distance"),
    *("embedding_model", "run_id"),
)
CLAIM_FACTS = (
    *("system", "strategy", "theme", "suite", "dataset", "basis", "judge_model", "stated_verdict", "is_voided"),
    *("numbers_agree", "item_id", "run_id"),
)
OF_ANSWER = (
    *("category", "difficulty", "answer_type", "numeric_reason", "list_reason", "boolean_reason", "rouge_l"),
    *("bertscore", "cosine", "evidence_in_context", "provider", "run_id"),
)


def alerts(reader: Reader) -> Section | None:
    if not reader.filled("metrics.alerts"):
        return None
    rows = reader.rows(
        "select * from metrics.alerts order by not is_fired, status = 'not_measured', severity, rule_id, message"
    )
    rows = [
        row
        | {"severity": SEVERITIES.get(row["severity"], row["severity"])}
        | {"message": row["message"].removeprefix(f"{row['severity']} ")}
        for row in rows
    ]
    cases = [
        Case(
            title=f"{row['severity'].capitalize()}: {row['message']}",
            badge=row["status"],
            facts=facts(
                row,
                *(
                    "severity",
                    "value",
                    "baseline_value",
                    "difference",
                    "ci_low",
                    "ci_high",
                    "threshold",
                    "p_value",
                    "n",
                ),
                *(
                    "n_clusters",
                    "e_process",
                    "n_builds",
                    "minimum_detectable_effect",
                    "can_detect",
                    "stratum_by",
                    "stratum",
                    "run_id",
                ),
            ),
            passages=[],
            keys={"status": row["status"], "severity": row["severity"]},
        )
        for row in rows
    ]
    fired = sum(row["is_fired"] for row in rows)
    return Section(
        id="alerts",
        title="Alerts",
        lead=f"{fired} of {len(rows)} rules and runs fired. Each states its evidence: the value, what it is held "
        "against, and the smallest change that so many items can show. Critical and serious ones fail a build.",
        cases=cases,
        filters=[Filter("status", "Status"), Filter("severity", "Severity")],
    )


def hardest(reader: Reader) -> Section | None:
    """The worst queries of each run, beside their gold and beside what came first instead."""
    if not reader.filled("metrics.hardest_cases"):
        return None
    rows = reader.rows(
        """
        with widest as (select suite, max(gold_window) as gold_window from metrics.hardest_cases group by suite)
        select * from metrics.hardest_cases
        inner join widest using (suite, gold_window)
        where gold_predicate in ('positional', 'evidence') and strategy != 'random'
        qualify row_number() over (partition by run_id, gold_predicate order by hardness_rank) <= ?
        order by suite, regime, strategy, run_id, hardness_rank
        """,
        [PER_RUN],
    )
    gold = gold_of(reader, rows)
    texts = with_sentences(reader, {sentence for ids in gold.values() for sentence in ids})
    cases = []
    for row in rows:
        place = ", ".join(str(row[name]) for name in ("company_name", "report_year", "section_id") if row[name])
        wrong_place = [row["nearest_company_name"], row["nearest_report_year"], row["nearest_section_id"]]
        passages = [Passage("Query", row["query_text"], place, "query")]
        passages += [
            Passage("Gold", texts[id_].text, texts[id_].source, "gold")
            for id_ in gold.get((row["suite"], row["query_id"], row["gold_window"], row["gold_predicate"]), [])
            if id_ in texts
        ]
        if row["nearest_text"]:
            source = ", ".join(map(str, filter(None, wrong_place)))
            passages.append(Passage("Found first instead", row["nearest_text"], source, "wrong"))
        rank = f"first gold at rank {row['first_gold_rank']}" if row["first_gold_rank"] else "no gold among the hits"
        cases.append(
            Case(
                title=f"{row['suite']}, {row['regime']}, {system_of(row)}: {shortened(row['query_text'])}",
                facts=[("", rank), *facts(row, *HARD)],
                passages=passages,
                keys={name: str(row[name]) for name in ("suite", "regime", "reason_class")}
                | {"system": system_of(row)},
            )
        )
    return Section(
        id="hardest",
        title="Hardest cases",
        lead=f"The {PER_RUN} worst queries of each run, with the gold sentences and what stood above them. "
        "metrics.hardest_cases has more.",
        cases=cases,
        filters=[
            *(Filter("suite", "Suite"), Filter("regime", "Regime"), Filter("system", "System")),
            Filter("reason_class", "Reason"),
        ],
    )


def system_of(row: Row) -> str:
    """A search with the model that it embeds with."""
    model = row["embedding_model"]
    return row["strategy"] if model in (None, "none") else f"{row['strategy']} {model}"


def gold_of(reader: Reader, rows: list[Row]) -> dict[tuple, list[str]]:
    if not reader.has("gold.retrieval_gold", "corpus.fct_sentences"):
        return {}
    found = reader.rows(
        "select suite, query_id, gold_window, gold_predicate, list(sentence_id order by sentence_id)[:4] as ids "
        "from gold.retrieval_gold where query_id in (select unnest(?::varchar[])) group by all",
        [sorted({row["query_id"] for row in rows})],
    )
    return {
        tuple(row[name] for name in ("suite", "query_id", "gold_window", "gold_predicate")): row["ids"] for row in found
    }


WRONG_ANSWERS = """
    select
        items.*, answers.answer_text, answers.answer_items as given_items, answers.cited_sentence_ids,
        answers.error, questions.question_text, questions.answer_text as gold_text,
        questions.answer_items as gold_items, questions.evidence_sentence_ids, questions.category,
        questions.difficulty,
        case
            when items.is_error then 'failed call'
            when items.is_false_abstention then 'abstained though there is an answer'
            when items.no_answer_match is false then 'answered though there is no answer'
            when items.misattributed_count > 0 then 'names the wrong company'
            when items.is_correct is false then 'wrong'
            else 'far from the gold answer'
        end as verdict,
    from metrics.answer_items as items
    inner join answers.answers on items.answer_id = answers.answer_id
    inner join gold.p3_questions as questions
        on items.suite = questions.suite and items.query_id = questions.suite || ':' || questions.question_id
    where items.is_error or items.is_correct is false or items.is_correct is null
    qualify row_number() over (
        partition by items.run_id, verdict
        order by coalesce(items.bertscore, items.rouge_l, 0), items.query_id
    ) <= ?
    order by items.run_id, verdict, items.query_id
"""


def answers(reader: Reader) -> Section | None:
    """The answers that are furthest from the gold answer, item by item, with what they cite."""
    if not reader.has("metrics.answer_items", "answers.answers", "gold.p3_questions", "corpus.fct_sentences"):
        return None
    rows = reader.rows(WRONG_ANSWERS, [ANSWERS_PER_RUN])
    if not rows:
        return None
    wanted = {
        id_ for row in rows for id_ in [*(row["cited_sentence_ids"] or []), *(row["evidence_sentence_ids"] or [])]
    }
    texts = with_sentences(reader, wanted)
    return Section(
        id="wrong-answers",
        title="Wrong answers",
        lead="Answers that do not hold, item by item, beside the gold answer, what they cite and the evidence "
        f"that they missed; at most {ANSWERS_PER_RUN} of a kind and run. metrics.answer_items has all.",
        cases=[
            Case(
                title=f"{row['strategy']}, {row['answer_model']}: {shortened(row['question_text'])}",
                badge="baseline" if row["is_baseline"] else "",
                facts=[("", row["verdict"]), *facts(row, *OF_ANSWER)],
                passages=passages_of_answer(row, texts),
                keys={"strategy": row["strategy"], "model": row["answer_model"], "verdict": row["verdict"]}
                | {"category": row["category"] or "none"},
            )
            for row in rows
        ],
        filters=[
            *(Filter("model", "Model"), Filter("strategy", "Strategy"), Filter("verdict", "Verdict")),
            Filter("category", "Category"),
        ],
    )


def passages_of_answer(row: Row, texts: dict[str, Passage]) -> list[Passage]:
    """The question, both answers, what is cited and what should have been. texts: sentences by id."""
    evidence, cited = row["evidence_sentence_ids"] or [], row["cited_sentence_ids"] or []
    passages = [Passage("Question", row["question_text"], "", "query")]
    passages += claims_of("Gold answer", row["gold_items"], row["gold_text"], "gold")
    passages += claims_of("Answer", row["given_items"], row["answer_text"] or row["error"], "wrong")
    for id_ in cited:
        sentence = texts.get(id_)
        label = "Cited, and it is the evidence" if id_ in evidence else "Cited, not the evidence"
        if sentence:
            passages.append(Passage(label, sentence.text, sentence.source, "gold" if id_ in evidence else ""))
        else:
            passages.append(Passage("Cited, but there is no such sentence", id_, "", "wrong"))
    passages += [
        Passage("Evidence not cited", texts[id_].text, texts[id_].source, "gold")
        for id_ in evidence
        if id_ not in cited and id_ in texts
    ]
    return passages + [
        Passage("Says of the wrong company", clause, "", "wrong") for clause in row["misattributed_clauses"] or []
    ]


def claims_of(label: str, items: list[str] | None, text: str | None, tone: str) -> list[Passage]:
    """A list answer item by item, any other as it is."""
    if items and len(items) > 1:
        return [Passage(f"{label}, {place} of {len(items)}", item, "", tone) for place, item in enumerate(items, 1)]
    return [Passage(label, text or "nothing", "", tone)]


CLAIM_ROWS = """
    with texts as (
        select
            item_type, item_id, basis, judge_model, judge_replicate, run_id, system, is_baseline, theme,
            nullif(strategy, 'none') as strategy,
        from metrics.faithfulness_items
    )
    select *, coalesce(verdict, 'failed') as verdict from summaries.claim_verdicts
    left join texts using (item_type, item_id, basis, judge_model, judge_replicate)
    qualify row_number() over (
        partition by item_type
        order by array_position(['False', 'Unclear', 'True'], verdict) nulls last, item_id, basis, claim_no
    ) <= ?
    order by array_position(['False', 'Unclear', 'True'], verdict) nulls last, item_type, item_id, basis, claim_no
"""


def claims(reader: Reader) -> Section | None:
    """What summaries and answers claim, one by one; of each kind the claims that do not hold before those that do."""
    if not reader.filled("summaries.claim_verdicts") or not reader.has("metrics.faithfulness_items"):
        return None
    rows = reader.rows(CLAIM_ROWS, [CLAIMS_OF_A_KIND])
    texts = {}
    if reader.has("corpus.fct_sentences"):
        texts = with_sentences(reader, {id_ for row in rows for id_ in row["evidence_sentence_ids"]})
    cases = []
    for row in rows:
        passages = [Passage("Claim", row["claim_text"], "", "query")]
        passages += [Passage("Quoted by the judge", quote, "", "gold") for quote in row["quotes"]]
        if row["reason"]:
            passages.append(Passage("Reason", row["reason"]))
        passages += [
            Passage("Source", texts[id_].text, texts[id_].source, "gold")
            for id_ in row["evidence_sentence_ids"]
            if id_ in texts
        ]
        cases.append(
            Case(
                title=f"{row['verdict']}, {row['item_type']}: {shortened(row['claim_text'])}",
                badge="baseline" if row["is_baseline"] or row["judge_is_baseline"] else "",
                facts=facts(row, *CLAIM_FACTS),
                passages=passages,
                keys={"item_type": row["item_type"], "verdict": row["verdict"]},
            )
        )
    counts = reader.rows("select item_type, count(*) as n from summaries.claim_verdicts group by all order by all")
    kinds = [TEXTS[row["item_type"]] for row in counts]
    told = ", ".join(f"{row['n']:,} verdicts on claims of {kind}" for row, kind in zip(counts, kinds, strict=True))
    return Section(
        id="claims",
        title="Claims",
        lead=f"What {' and '.join(kinds)} claim and how it was judged: {told}. Of each at most {CLAIMS_OF_A_KIND} are "
        "shown, those that do not hold first; summaries.claim_verdicts has all.",
        cases=cases,
        filters=[Filter("item_type", "Claim of"), Filter("verdict", "Verdict")],
    )


def rejected(reader: Reader) -> Section | None:
    """Questions that a gate stopped, with the sentences that are the reason."""
    if not reader.filled("questions.p3_question_rejects"):
        return None
    rows = reader.rows(
        "select * from questions.p3_question_rejects "
        "qualify row_number() over (partition by suite, gate order by question_id) <= ? "
        "order by gate = 'over_quota', suite, gate, question_id",
        [PER_GATE],
    )
    ids = {id_ for row in rows for id_ in SENTENCE_ID.findall(row["detail"] or "")}
    texts = with_sentences(reader, ids) if reader.has("corpus.fct_sentences") else {}
    cases = []
    for row in rows:
        named = [texts[id_] for id_ in SENTENCE_ID.findall(row["detail"] or "") if id_ in texts][:4]
        passages = [Passage("Question", row["question_text"] or "", "", "query")]
        passages += [Passage("Because of", sentence.text, sentence.source) for sentence in named]
        if row["detail"] and not named:
            passages.append(Passage("Because of", row["detail"]))
        cases.append(
            Case(
                title=f"{row['gate']}: {shortened(row['question_text'] or row['question_id'])}",
                facts=[("", row["reason"]), *facts(row, "category", "suite", "question_id", "is_dropped")],
                passages=passages,
                keys={"gate": row["gate"], "category": row["category"] or "none", "suite": row["suite"]},
            )
        )
    return Section(
        id="rejected",
        title="Rejected questions",
        lead=f"Questions that did not become gold, and why; at most {PER_GATE} of a gate. "
        "questions.p3_question_rejects has all.",
        cases=cases,
        filters=[Filter("gate", "Gate"), Filter("category", "Category"), Filter("suite", "Suite")],
    )


def facts(row: Row, *names: str) -> list[tuple[str, object]]:
    """Those of the fields that say something."""
    return [(name.replace("_", " "), row[name]) for name in names if row.get(name) not in (None, "", "none")]


def wrong_labels(reader: Reader) -> list[Case]:
    """Headlines whose label was not the gold label, as strictly read; some of each run, drawn by their ids."""
    if not reader.has("metrics.sentiment_items", "sentiment.headlines"):
        return []
    rows = reader.rows(
        """
        select items.*, headlines.headline_text
        from metrics.sentiment_items as items
        inner join sentiment.headlines as headlines using (headline_id)
        where not items.is_correct_exact
        qualify row_number() over (partition by items.run_id order by md5(items.headline_id), items.headline_id) <= ?
        order by items.dataset, items.system, items.model_id, items.headline_id
        """,
        [LABELS_PER_RUN],
    )
    return [
        Case(
            title=shortened(row["headline_text"]),
            badge="baseline" if row["is_baseline"] else "",
            facts=[
                ("gold", row["gold_label"]),
                ("given", "failed call" if row["is_error"] else row["label_exact"] or "no label"),
                *facts(row, "dataset", "system", "model_id", "headline_id", "run_id"),
            ],
            passages=[Passage("Headline", row["headline_text"], "", "query")],
        )
        for row in rows
    ]


def shortened(text: str) -> str:
    return text if len(text) <= TITLE_LENGTH else text[: TITLE_LENGTH - 1].rsplit(" ", 1)[0] + " …"
