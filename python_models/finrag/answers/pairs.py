"""Which texts the similarity metrics compare: every answer with its own gold answer, and with another question's.

The second is the level of unrelated text, without which a BERTScore of 0.8 cannot be read.
"""

from __future__ import annotations

import hashlib

from finrag.scoring.shuffled import partners
from finrag.text.replies import answer_of, without_cited, without_thoughts

COLUMNS = ("answer_id", "kind", "pair_id", "partner_query_id", "candidate", "reference")


def pair_answers(answers, questions):
    """Arrow table with a row per answer and kind (own, shuffled), for answers and gold answers that have words.

    answers: relation with answer_id, suite, query_id, answer_text and is_error. questions: gold.p3_questions.
    The partner of a question is one of its own suite and depends on nothing but the suite's questions. Equal texts have
    equal pair_ids, whoever wrote them.
    """
    import pyarrow

    gold = {
        (suite, query_id): text
        for suite, query_id, text in questions.project("suite, suite || ':' || question_id, answer_text").fetchall()
        if text and text.strip()
    }
    partner_of: dict[tuple[str, str], str | None] = {}
    for suite in sorted({suite for suite, _ in gold}):
        references = {query_id: text for (other, query_id), text in gold.items() if other == suite}
        partner_of |= {(suite, query_id): partner for query_id, partner in partners(references).items()}
    rows = []
    for answer_id, suite, query_id, text in (
        answers.filter("not is_error").project("answer_id, suite, query_id, answer_text").order("answer_id").fetchall()
    ):
        if not (text and text.strip()) or (suite, query_id) not in gold:
            continue
        # citations are scored apart and in no gold answer: an id would cost a right answer a third of its precision
        said = without_cited(answer_of(without_thoughts(text)))
        text = said if said.strip() else text  # of thoughts alone, these: every answer with words has its pair
        partner = partner_of[suite, query_id]
        others = [("own", query_id)] + ([("shuffled", partner)] if partner else [])
        for kind, of in others:
            reference = gold[suite, of]
            rows.append((answer_id, kind, pair_id(text, reference), None if kind == "own" else of, text, reference))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(COLUMNS)
    return pyarrow.table([pyarrow.array(column, pyarrow.string()) for column in columns], names=list(COLUMNS))


def pair_id(candidate: str, reference: str) -> str:
    """Hash of both texts; the length keeps (ab, c) from (a, bc)."""
    return hashlib.md5(f"{len(candidate)}|{candidate}{reference}".encode(), usedforsecurity=False).hexdigest()
