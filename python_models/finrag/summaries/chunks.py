"""Long sources in pieces that fit a model's context window.

A source is cut between sentences, never inside one and never short: the pieces together are all of its sentences, in
order, each once. A piece takes as many sentences as the budget has room for, so a source that fits is one piece.

The budget is what the smallest context window among the models in use leaves beside the instructions and the longest
reply, less a margin, because tokens are estimated. So all models read the same pieces and can be compared. A sentence
that alone exceeds the budget is a piece by itself; a model that cannot take it fails visibly (status too_long).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from finrag.errors import FinragError
from finrag.llm.models import Model, find_models
from finrag.llm.tasks import Task, find_task
from finrag.llm.tokens import estimate_tokens
from finrag.project import registry_of
from finrag.tables import as_relation

# Share of the window that is kept free: a model's own count of tokens may exceed the estimate.
MARGIN = 0.15
# For the delimiters and the fields of the request beside the sentences.
FIXED_TOKENS = 200
# Where no model has a window, as the baseline.
NO_LIMIT = 1_000_000_000
CHUNKS = {
    "source_id": "varchar",
    "chunk_no": "integer",
    "chunk_count": "integer",
    "first_sentence_no": "integer",
    "last_sentence_no": "integer",
    "estimated_tokens": "integer",
    "budget_tokens": "integer",
}


def cut_sources(session, sentences, settings, models, prices):
    """Relation with the columns CHUNKS.

    sentences: relation of int_source_sentences. settings: meta with llm_summaries and summary_chunk_tokens.
    models, prices: relations of the seeds llm_models and llm_prices.
    """
    registry = find_models(settings["llm_summaries"], models, prices)
    budget = token_budget(find_task("summarise_mdna"), registry, settings["summary_chunk_tokens"])
    texts: dict[str, list[tuple[int, str]]] = {}
    for source, number, text in (
        sentences.project("source_id, sentence_no, sentence_text").order("source_id, sentence_no").fetchall()
    ):
        texts.setdefault(source, []).append((number, text))
    rows = []
    for source, numbered in texts.items():
        pieces = list(cut([sentence_tokens(number, text) for number, text in numbered], budget))
        for place, (first, last, tokens) in enumerate(pieces):
            values = (source, place + 1, len(pieces), numbered[first][0], numbered[last][0], tokens, budget)
            rows.append(dict(zip(CHUNKS, values, strict=True)))
    return as_relation(session, rows, CHUNKS)


def token_budget(
    task: Task, models: Iterable[Model], wanted: object = "window", variable: str = "summary_chunk_tokens"
) -> int:
    """Tokens of sentences in one request. wanted: the value of the variable, a number or "window"."""
    rooms = [NO_LIMIT]
    for model in models:
        if model.context_tokens:
            fixed = estimate_tokens(task.text.instructions) + FIXED_TOKENS + model.output_limit(task.max_output_tokens)
            room = int(model.context_tokens * (1 - MARGIN)) - fixed
            if room < 1:
                raise FinragError(
                    f"The model {model.model_id!r} takes {model.context_tokens} tokens; the instructions of "
                    f"{task.name} and its longest reply need {fixed}. Choose a model with a larger window, or lower "
                    f"its max_output_tokens or thinking_tokens in {registry_of('llm_models')}."
                )
            rooms.append(room)
    stated = str(wanted).strip().lower()
    if stated == "window":
        return min(rooms)
    if not stated.isdigit() or int(stated) < 1:
        raise FinragError(f"The var {variable} is {wanted!r}. Allowed: a number of tokens, or window.")
    return min(*rooms, int(stated))


def sentence_tokens(number: int, text: str) -> int:
    """Tokens of a sentence as a request states it."""
    return estimate_tokens(json.dumps({"n": number, "text": text}, ensure_ascii=False)) + 1


def cut(tokens: Sequence[int], budget: int) -> Iterator[tuple[int, int, int]]:
    """(first, last, tokens) of consecutive pieces of at most budget tokens, or of one item that exceeds it."""
    first, total = 0, 0
    for place, size in enumerate(tokens):
        if place > first and total + size > budget:
            yield first, place - 1, total
            first, total = place, 0
        total += size
    if tokens:
        yield first, len(tokens) - 1, total
