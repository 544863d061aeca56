"""Texts to judge as requests for the task judge_claims, and the replies as verdicts on claims.

A judge is given the whole source where the var judge_source_tokens and its context window allow. From a longer one it
is given the sentences that share most with the claims, each with its neighbours, in the order of the source, and the
request says so: source_sentence_count and given_sentence_count tell how much it saw.

A verdict is believed only with its quotes: True or False without one, or with one that is not in what the judge was
given, becomes Unclear. What the judge said stays beside it (stated_verdict).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from finrag.judging.claims import split_claims
from finrag.judging.quotes import Quote, check_quote
from finrag.judging.rules import numbers_agree
from finrag.llm.models import find_models
from finrag.llm.tasks import find_task
from finrag.summaries.chunks import sentence_tokens, token_budget
from finrag.tables import as_relation
from finrag.text.tokens import is_number, key, tokens

REQUESTS = {
    "item_id": "varchar",
    "inputs": "varchar",
    "judged_ids": "varchar[]",
    "claims": "varchar[]",
    "sentence_ids": "varchar[]",
    "source_sentence_count": "integer",
    "given_sentence_count": "integer",
}
VERDICTS = {
    "item_id": "varchar",
    "model_id": "varchar",
    "provider": "varchar",
    "is_baseline": "boolean",
    "replicate": "integer",
    "call_key": "varchar",
    "status": "varchar",
    "is_error": "boolean",
    "error": "varchar",
    "claim_no": "integer",
    "claim_text": "varchar",
    "verdict": "varchar",
    "stated_verdict": "varchar",
    "reason": "varchar",
    "evidence_sentence_ids": "varchar[]",
    "quotes": "varchar[]",
    "quote_match": "varchar",
    "quote_score": "double",
    "is_voided": "boolean",
    "numbers_agree": "boolean",
}
OK = ("ok", "repaired")


def make_requests(session, texts, sentences, settings: Mapping, models, prices):
    """Relation with the columns REQUESTS; texts that ask the same share a request.

    texts: relation of int_judged_texts. sentences: relation of source_sentences. settings: meta with llm_judges and
    judge_source_tokens. models, prices: relations of the seeds llm_models and llm_prices.
    """
    registry = find_models(settings["llm_judges"], models, prices)
    budget = token_budget(find_task("judge_claims"), registry, settings["judge_source_tokens"], "judge_source_tokens")
    sources: dict[str, list[tuple[str, str]]] = {}
    ordered = sentences.project("source_id, sentence_id, sentence_text, sentence_no").order("source_id, sentence_no")
    for source, sentence_id, text, _ in ordered.fetchall():
        sources.setdefault(source, []).append((sentence_id, text))
    requests: dict[str, dict] = {}
    columns = "judged_id, judged_text, names, source_id, sentences"
    for judged_id, text, names, source, own in texts.project(columns).order("judged_id").fetchall():
        claims = split_claims(text)
        if not claims:
            continue
        given = (
            sources.get(source, []) if source else [each for passage in own or () for each in split_passage(passage)]
        )
        request = make_request(claims, given, names or [], budget)
        requests.setdefault(request["item_id"], request)["judged_ids"].append(judged_id)
    return as_relation(session, list(requests.values()), REQUESTS)


def make_request(
    claims: Sequence[str], source: Sequence[tuple[str | None, str]], names: Sequence[str], budget: int
) -> dict:
    """A row of REQUESTS without judged_ids. source: (sentence_id, text). budget: tokens of source and claims."""
    budget -= sum(sentence_tokens(number, claim) for number, claim in enumerate(claims))
    kept = nearest_sentences([text for _, text in source], claims, budget)
    inputs = {
        "names": list(names),
        "claims": [{"n": number, "claim": claim} for number, claim in enumerate(claims)],
        "sentences": [{"n": number, "text": source[number][1]} for number in kept],
        "is_complete": len(kept) == len(source),
    }
    # requests about one source stand together in the order of their ids, so that it is prepared once
    of_source = checksum([inputs["names"], inputs["sentences"]])
    return {
        "item_id": f"{of_source[:16]}{checksum(inputs)[:16]}",
        "inputs": json.dumps(inputs, ensure_ascii=False),
        "judged_ids": [],
        "claims": list(claims),
        "sentence_ids": [sentence_id for sentence_id, _ in source],
        "source_sentence_count": len(source),
        "given_sentence_count": len(kept),
    }


def split_passage(passage: Mapping) -> list[tuple[str | None, str]]:
    """(sentence_id, text) of the sentences of a passage.

    One with a single id is a sentence. Others, as external systems state them, are split; their sentences have the
    passage's ids where there are as many.
    """
    from finrag.corpus.splitting import split_sentences

    ids = passage["sentence_ids"] or []
    if len(ids) == 1:
        return [(ids[0], passage["text"])]
    texts = split_sentences(passage["text"])
    return list(zip(ids if len(ids) == len(texts) else [None] * len(texts), texts, strict=True))


def checksum(content: object) -> str:
    return hashlib.md5(json.dumps(content).encode(), usedforsecurity=False).hexdigest()


def nearest_sentences(texts: Sequence[str], claims: Sequence[str], budget: int) -> list[int]:
    """Indices of all sentences where they fit, else of those that share most with the claims, and their neighbours.

    Claims take turns, each with its next best sentence, so that none goes without.
    """
    sizes = [sentence_tokens(number, text) for number, text in enumerate(texts)]
    if sum(sizes) <= budget:
        return list(range(len(texts)))
    terms = [content_terms(text) for text in texts]
    rankings = []
    for claim in claims:
        wanted = content_terms(claim)
        shares = {number: len(wanted & mine) for number, mine in enumerate(terms) if wanted & mine}
        rankings.append(sorted(shares, key=lambda number: (-shares[number], number)))
    kept: set[int] = set()
    for turn in range(max(map(len, rankings), default=0)):
        for ranking in rankings:
            if turn >= len(ranking):
                continue
            for number in (ranking[turn], ranking[turn] - 1, ranking[turn] + 1):
                if 0 <= number < len(texts) and number not in kept and sizes[number] <= budget:
                    kept.add(number)
                    budget -= sizes[number]
    return sorted(kept)


def content_terms(text: str) -> set[str]:
    words = tokens(text)
    return {term for term in map(key, words) if term} | set(filter(is_number, words))


def read_verdicts(session, responses, requests):
    """Relation with the columns VERDICTS, one row per request, model, replicate and claim.

    responses, requests: relations of int_judge_claims_responses and int_judge_claims_requests.
    """
    asked = {
        item_id: (json.loads(inputs), sentence_ids)
        for item_id, inputs, sentence_ids in requests.project("item_id, inputs, sentence_ids").fetchall()
    }
    columns = ("item_id", "model_id", "provider", "is_baseline", "replicate", "call_key", "status", "error", "output")
    rows: list[dict] = []
    for values in responses.project(", ".join(columns)).order("item_id, model_id, replicate").fetchall():
        response = dict(zip(columns, values, strict=True))
        rows += claim_rows(response, *asked[response["item_id"]])
    return as_relation(session, rows, VERDICTS)


def claim_rows(response: Mapping, inputs: Mapping, sentence_ids: Sequence[str | None]) -> Iterable[dict]:
    """The rows of one reply. A claim without exactly one verdict is an error of the judge, and so is every claim of a
    reply that counts them from another number than the request: its verdicts are on the claims beside."""
    head = {name: response[name] for name in VERDICTS if name in response}
    texts = [sentence["text"] for sentence in inputs["sentences"]]
    given = {sentence["n"] for sentence in inputs["sentences"]}
    stated: dict[int, list[dict]] = {}
    if response["status"] in OK:
        for verdict in json.loads(response["output"])["verdicts"]:
            stated.setdefault(verdict["claim_number"], []).append(verdict)
    first = min((claim["n"] for claim in inputs["claims"]), default=0)
    is_shifted = len(stated) == len(inputs["claims"]) and min(stated, default=first) != first
    for claim in inputs["claims"]:
        row = dict.fromkeys(VERDICTS) | head | {"claim_no": claim["n"], "claim_text": claim["claim"]}
        row |= {"numbers_agree": numbers_agree(texts, claim["claim"]), "evidence_sentence_ids": [], "quotes": []}
        mine = stated.get(claim["n"], [])
        if response["status"] not in OK:
            yield row | {"is_error": True, "is_voided": False}
        elif is_shifted or len(mine) != 1:
            counts = f"counted the claims from {min(stated)}, and they are numbered from {first}" if is_shifted else ""
            error = f"the judge {counts or f'gave {len(mine)} verdicts on this claim'}"
            yield row | {"status": "incomplete", "is_error": True, "error": error, "is_voided": False}
        else:
            numbers = dict.fromkeys(number for number in mine[0]["sentence_numbers"] if number in given)
            evidence = [sentence_ids[number] for number in numbers if sentence_ids[number] is not None]
            yield row | {"is_error": False, "evidence_sentence_ids": evidence} | believed(mine[0], texts)


def believed(stated: Mapping, texts: Sequence[str]) -> dict:
    """The verdict that counts, after its quotes were looked up."""
    found = [check_quote(quote, texts) for quote in stated["quotes"] if quote.strip()]
    worst = min(found, key=lambda quote: (quote.is_found, quote.score), default=None)
    fault = quote_fault(stated["verdict"], worst)
    return {
        "verdict": "Unclear" if fault else stated["verdict"],
        "stated_verdict": stated["verdict"],
        "reason": f"{fault} The judge said {stated['verdict']}: {stated['reason']}" if fault else stated["reason"],
        "quotes": [quote.text for quote in found],
        "quote_match": worst.match if worst else "none",
        "quote_score": worst.score if worst else None,
        "is_voided": bool(fault),
    }


def quote_fault(verdict: str, worst: Quote | None) -> str:
    """Why the verdict does not count, or nothing. An Unclear one needs no quote."""
    if verdict == "Unclear":
        return ""
    if worst is None:
        return "Void, because it quotes nothing."
    return "" if worst.is_found else f"Void, because the source does not hold the quote {worst.text[:120]!r}."
