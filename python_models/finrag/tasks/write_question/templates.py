"""The baseline of write_question: templates by shape, chosen by the request's seed. Nothing is drawn at random.

Each shape is one function from the request's inputs to wordings of the question and the gold answer. Answers use the
words of the evidence, trimmed; amounts stand as the filing states them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from finrag.errors import FinragError
from finrag.text.wording import (
    because,
    filings_in_words,
    joined,
    lower_clause,
    lower_first,
    possessive,
    short_name,
    third_person,
    upper_first,
    year_in_words,
    years_in_words,
)

KPI_NAMES = {
    "revenue": "revenue",
    "net_income": "net income",
    "operating_income": "operating income",
    "cash_from_ops": "net cash provided by operating activities",
    "gross_margin": "gross profit",
    "eps": "earnings per share",
    "debt": "long-term debt",
    "capex": "capital expenditures",
    "interest_expense": "interest expense",
}
RISK_NAMES = {
    "regulatory": "regulatory",
    "liquidity_credit": "liquidity and credit",
    "market_competitive": "market and competitive",
    "operational_supply_chain": "operational and supply chain",
    "cybersecurity_tech": "cybersecurity and technology",
    "legal_ip_litigation": "legal and intellectual property",
}
TERMS = {
    "adjusted_ebitda": "Adjusted EBITDA",
    "free_cash_flow": "free cash flow",
    "organic_growth": "organic growth",
    "comparable_sales": "comparable sales",
    "constant_currency": "constant currency",
}
DRIVERS = {
    "foreign_currency": "foreign currency movements",
    "supply_chain": "supply chain conditions",
    "pandemic": "the pandemic",
    "regulatory_change": "regulatory or legal changes",
    "interest_rates": "interest rates",
    "commodity_prices": "commodity or raw material prices",
    "acquisitions": "acquisitions or divestitures",
}
PAST = {"increase": "increased", "decrease": "decreased"}
ARTICLES = {"increase": "an", "decrease": "a"}

Written = tuple[list[str], str, list[str]]  # wordings of the question, the answer, its items


def write(inputs: dict) -> dict:
    """Fields of a WrittenQuestion for the inputs of a request (models/questions/int_question_requests.sql)."""
    shape = SHAPES.get(inputs["shape"])
    if shape is None:
        raise FinragError(f"No template writes questions of the shape {inputs['shape']!r}; known: {', '.join(SHAPES)}.")
    wordings, answer, items = shape(inputs)
    start = int(inputs["seed"][:8], 16) % len(wordings)
    ordered = wordings[start:] + wordings[:start]
    count = min(inputs.get("paraphrase_count", 0), len(ordered) - 1)
    return {
        "question_text": ordered[0],
        "paraphrases": ordered[1 : 1 + count],
        "answer_text": answer,
        "answer_items": items,
    }


def _company(inputs: dict) -> tuple[str, str]:
    """A company's name in full, and in short for the possessive."""
    name = inputs["companies"][0]
    return name, short_name(name)


def _year(inputs: dict) -> str:
    return year_in_words(inputs["years"][0])


def _again(inputs: dict) -> str:
    """The year for the second time in a sentence: no date is said twice."""
    return "that year" if isinstance(inputs["years"][0], str) else _year(inputs)


def _filing(inputs: dict, name: str = "", is_several: bool = False) -> str:
    return filings_in_words(inputs["years"][:1], name, is_several)


def _is(kpi: str) -> str:
    return "were" if re.search(r"(?:sales|revenues|earnings|expenditures|costs|expenses|margins)$", kpi) else "was"


def level(inputs: dict) -> Written:
    name, short = _company(inputs)
    year, kpi = _year(inputs), lower_first(inputs["details"]["kpi_name"])
    wordings = [
        f"What {_is(kpi)} the {kpi} of {name} in {year}?",
        f"What {kpi} did {short} report for {year}?",
        f"According to its {_filing(inputs)}, what {_is(kpi)} {possessive(short)} {kpi} for the year?",
    ]
    amount = inputs["details"]["raw_text"].rstrip(".,")
    return wordings, f"{upper_first(short)} reported {kpi} of {amount} for {year}.", []


def tagged(inputs: dict) -> Written:
    name, short = _company(inputs)
    details, year = inputs["details"], _year(inputs)
    at = "at the end of" if details["is_instant"] else "in"
    when = f"{at} {year}"
    kpi, amount = lower_first(details["kpi_name"]), details["raw_text"]
    wordings = [
        f"What figure does {name} give for {kpi} {when}?",
        f"How much did {short} report for {kpi} {when}?",
        f"According to its {_filing(inputs)}, what did {short} state for {kpi} {at} {_again(inputs)}?",
    ]
    return wordings, f"{upper_first(short)} reported {kpi} of {amount} {when}.", []


def tagged_parts(inputs: dict) -> Written:
    name, short = _company(inputs)
    details, year = inputs["details"], _year(inputs)
    kpi, kind = lower_first(details["kpi_name"]), details["part_kind"]
    wordings = [
        f"List the {kpi} of {name} by {kind} for {year}.",
        f"Which figures does {short} report for {kpi} by {kind} in {year}?",
        f"According to its {_filing(inputs)}, how does {short} break {kpi} down by {kind}?",
    ]
    return wordings, "\n".join(details["items"]), details["items"]


def change(inputs: dict) -> Written:
    name, short = _company(inputs)
    earlier, later = map(year_in_words, inputs["years"])
    details, kpi = inputs["details"], lower_first(inputs["details"]["kpi_name"])
    difference = details["later_value"] - details["earlier_value"]
    verb = "rose" if difference > 0 else "fell"
    wordings = [
        f"By how much did {possessive(short)} {kpi} change from {earlier} to {later}?",
        f"What was the change in the {kpi} of {name} between {earlier} and {later}?",
        f"Comparing {later} with {earlier}, how much did the {kpi} of {name} change?",
    ]
    amount = _as_stated(abs(difference), details["earlier_text"], details["later_text"])
    answer = (
        f"{upper_first(kpi)} {verb} by {amount}, from {details['earlier_text']} in {earlier} "
        f"to {details['later_text']} in {later}."
    )
    return wordings, answer, []


def _as_stated(value: float, *stated: str) -> str:
    """A difference in the larger scale and the finer precision of the amounts that it is taken from."""
    scales = {"billion": 1e9, "million": 1e6, "thousand": 1e3}
    named = [scale for scale in scales if any(scale in text for text in stated)]
    if not named:
        return f"${value:,.2f}" if any(re.search(r"\.\d\d\b", text) for text in stated) else f"${value:,.0f}"
    scale = named[0] if value >= scales[named[0]] or len(named) == 1 else named[-1]
    places = 0
    for text in stated:
        decimals = re.search(r"\.(\d+)", text)
        places = max(places, (len(decimals[1]) if decimals else 0) + (0 if scale in text else 3))
    return f"${value / scales[scale]:,.{places}f} {scale}"


def rose(inputs: dict) -> Written:
    name, short = _company(inputs)
    earlier, later = map(year_in_words, inputs["years"])
    details, kpi = inputs["details"], lower_first(inputs["details"]["kpi_name"])
    wordings = [
        f"{upper_first(_is(kpi))} {possessive(short)} {kpi} higher in {later} than in {earlier}?",
        f"Did {name} report higher {kpi} for {later} than for {earlier}?",
        f"Comparing {later} with {earlier}, did the {kpi} of {name} rise?",
    ]
    verdict = "Yes" if inputs["answer_boolean"] else "No"
    answer = (
        f"{verdict}. {upper_first(kpi)} {_is(kpi)} {details['later_text']} in {later}, "
        f"compared with {details['earlier_text']} in {earlier}."
    )
    return wordings, answer, []


def highest(inputs: dict) -> Written:
    names, year = inputs["companies"], _year(inputs)
    details = inputs["details"]
    kpi, degree = details["kpi_name"], "higher" if len(names) == 2 else "highest"
    in_order = sorted(names, key=str.lower)
    listed = joined(in_order)
    wordings = [
        f"Which of {listed} reported the {degree} {kpi} for {year}?",
        f"{'Of' if len(names) == 2 else 'Among'} {listed}, which company had the {degree} {kpi} in {year}?",
        f"For {year}, whose {kpi} {_is(kpi)} the {degree}: that of {joined(in_order, 'or')}?",
    ]
    others = joined([f"{name} with {text}" for name, text in list(zip(names, details["raw_texts"], strict=True))[1:]])
    return wordings, f"{names[0]}, with {kpi} of {details['raw_texts'][0]}, ahead of {others}.", []


def _statement(inputs: dict, index: int = 0) -> tuple[str, str, str]:
    """Subject, direction and reason of a stated cause."""
    statement = inputs["details"]["statements"][index]
    counter = (statement["counter_connector"], statement["counter_cause"]) if statement.get("counter_cause") else None
    reason = because(statement["direction"], statement["connector"], statement["cause"], counter)
    return third_person(lower_first(statement["subject"])), statement["direction"], reason


def cause(inputs: dict) -> Written:
    name, short = _company(inputs)
    year = _year(inputs)
    subject, direction, reason = _statement(inputs)
    wordings = [
        f"Why did {possessive(short)} {subject} {direction} in {year}?",
        f"What drove the {direction} in {possessive(short)} {subject} in {year}?",
        f"In its {_filing(inputs)}, how does {name} explain the {direction} in {subject}?",
    ]
    return wordings, reason, []


def drivers(inputs: dict) -> Written:
    name, short = _company(inputs)
    year = _year(inputs)
    subject, direction, _ = _statement(inputs)
    items = [upper_first(third_person(driver)) for driver in inputs["details"]["drivers"]]
    wordings = [
        f"Which factors does {short} name for the {direction} in its {subject} in {year}?",
        f"List the drivers that {name} gives for the {direction} in its {subject} in {year}.",
        f"In its {_filing(inputs)}, to which factors does {name} put down the {direction} in {subject}?",
    ]
    return wordings, "\n".join(items), items


def trend(inputs: dict) -> Written:
    name, short = _company(inputs)
    years = inputs["years"]
    subject = _statement(inputs)[0]
    wordings = [
        f"How does {name} explain the changes in its {subject} in {years_in_words(years)}?",
        f"What reasons do {possessive(short)} 10-Ks give for the development of {subject} in {years_in_words(years)}?",
        f"Year by year, why did the {subject} of {name} change in {years_in_words(years)}?",
    ]
    sentences = []
    for index, year in enumerate(years):
        _, direction, reason = _statement(inputs, index)
        sentences.append(f"In {year_in_words(year)}, {subject} {PAST[direction]}. {reason}")
    return wordings, " ".join(sentences), []


def causes(inputs: dict) -> Written:
    year, names = _year(inputs), inputs["companies"]
    clauses, items, changes = [], [], set()
    for index, name in enumerate(names):
        subject, direction, reason = _statement(inputs, index)
        changes.add((subject, direction))
        clauses.append((f"{possessive(short_name(name))} {subject}", direction))
        items.append(f"{name}: {reason}")
    if len(changes) == 1:
        listed = joined(names)
        wordings = [
            f"In {year}, why did the {subject} of {listed} {direction}?",
            f"Which reasons do {listed} each give for the {direction} in {subject} in {year}?",
            f"How do {listed} each explain, in their {_filing(inputs, is_several=True)}, "
            f"that {subject} {PAST[direction]}?",
        ]
        return wordings, "\n".join(items), items
    moves = "; ".join(f"{subject} {PAST[direction]}" for subject, direction in clauses)
    wordings = [
        f"In {year}, why did {joined([f'{subject} {direction}' for subject, direction in clauses])}?",
        f"For {year}, which reasons do {joined(names)} give for these changes: {moves}?",
        f"How do {joined(names)} each explain the changes of {year} in their 10-Ks: {moves}?",
    ]
    return wordings, "\n".join(items), items


def attributed(inputs: dict) -> Written:
    name, short = _company(inputs)
    year = _year(inputs)
    subject, direction, reason = _statement(inputs)
    driver = DRIVERS[inputs["details"]["driver"]]
    wordings = [
        f"Does {name} attribute the {direction} in its {subject} in {year}, at least in part, to {driver}?",
        f"Did {driver} contribute to the {direction} in {possessive(short)} {subject} in {year}, "
        "according to its 10-K?",
        f"In explaining the {direction} in its {subject} in {year}, does {name} name {driver} as a cause?",
    ]
    if inputs["answer_boolean"]:
        return wordings, f"Yes. {reason}", []
    return wordings, f"No. It is named as working against the {direction}. {reason}", []


def direction_asked(inputs: dict) -> Written:
    name, short = _company(inputs)
    year = _year(inputs)
    subject, direction, reason = _statement(inputs)
    asked = inputs["details"]["asked_direction"]
    wordings = [
        f"Did {possessive(short)} {subject} {asked} in {year}?",
        f"Does {name} report that its {subject} {PAST[asked]} in {year}?",
        f"According to the {_filing(inputs, name)}, was there {ARTICLES[asked]} {asked} in its {subject}?",
    ]
    verdict = "Yes" if inputs["answer_boolean"] else "No"
    return wordings, f"{verdict}. {upper_first(subject)} {PAST[direction]} in {year}. {reason}", []


def _risk(statement: dict, name: str) -> tuple[str, str]:
    """What the question asks about a risk, as "what does … say …", and what the answer is."""
    if statement["event"]:
        event = third_person(lower_clause(statement["event"]))
        given, connector = third_person(statement["reason"], "the company"), statement["connector"]
        if connector == "because":
            answer = f"Because {given}."
        else:
            answer = f"It {'came' if connector == 'as a result of' else 'was'} {connector} {given}."
        return f"what does {name} name as the reason that {event}", answer
    if statement["condition"]:
        effect = third_person(statement["effect"], "the company")
        return f"what does {name} say could happen if {third_person(statement['condition'])}", f"{upper_first(effect)}."
    cause = third_person(lower_clause(statement["cause"]))
    effect = third_person(statement["effect"])
    return f"what does {name} say could result from {cause}", f"This {statement['modal']} {effect}."


def consequence(inputs: dict) -> Written:
    """Also of a reason: what Item 1A gives as the consequence of a risk, or as the reason of what has happened."""
    name, short = _company(inputs)
    filings = filings_in_words(inputs["years"])
    asked, answer = _risk(inputs["details"]["statements"][0], name)
    asked_shortly, _ = _risk(inputs["details"]["statements"][0], short)
    wordings = [
        f"In Item 1A of its {filings}, {asked}?",
        f"In the risk factors of its {filings}, {asked_shortly}?",
        f"{upper_first(asked)}, according to Item 1A of its {filings}?",
    ]
    if inputs["details"].get("is_on_topic"):
        topic = RISK_NAMES[inputs["topic"]]
        wordings.append(f"Among the {topic} risks in its {filings} (Item 1A), {asked}?")
    return wordings, answer, []


def risks(inputs: dict) -> Written:
    year, names = _year(inputs), inputs["companies"]
    topic = f"{RISK_NAMES[inputs['topic']]} risks" if inputs["details"].get("is_on_topic") else "risk factors"
    asked, items = [], []
    for name, statement in zip(names, inputs["details"]["statements"], strict=True):
        about, answer = _risk(statement, name)
        asked.append(about)
        items.append(f"{name}: {answer}")
    wordings = [
        f"In the risk factors of their {_filing(inputs, is_several=True)}, {joined(asked)}?",
        f"Comparing {topic} of {year} (Item 1A): {'; '.join(asked)}?",
        f"Set side by side (Item 1A of {year}, {topic} of {joined(names)}): {'; '.join(asked)}?",
    ]
    return wordings, "\n".join(items), items


def definition(inputs: dict) -> Written:
    name, short = _company(inputs)
    filings, term = filings_in_words(inputs["years"]), inputs["details"]["term"]
    wordings = [
        f"How does {name} define “{term}” in its {filings}?",
        f"What does {short} mean by “{term}” in its {filings}?",
        f"What is the definition of “{term}” in the {filings_in_words(inputs['years'], name)}?",
    ]
    return wordings, third_person(inputs["details"]["definition"], "the company"), []


def where(inputs: dict) -> Written:
    name, short = _company(inputs)
    filings, term = filings_in_words(inputs["years"]), inputs["details"]["term"]
    wordings = [
        f"Where in its {filings} does {name} define “{term}”, and how?",
        f"In which item of its {filings} does {short} say what “{term}” means, and what is the definition?",
        f"Which item of the {filings_in_words(inputs['years'], name)} defines “{term}”, and in what words?",
    ]
    item = inputs["details"]["section_id"].replace("ITEM_", "Item ")
    return wordings, f"In {item}: {third_person(inputs['details']['definition'], 'the company')}", []


def year_end(inputs: dict) -> Written:
    name, short = _company(inputs)
    wordings = [
        f"On what date did the fiscal year covered by the {_filing(inputs, name)} end?",
        f"When {possessive(short)} {_filing(inputs)} speaks of “the year”, on which date does that year end?",
        f"Which date closes the fiscal year that {name} reports on in its {_filing(inputs)}?",
    ]
    return wordings, inputs["details"]["stated_date"].removeprefix("on "), []


def absent_kpi(inputs: dict) -> Written:
    kpi = KPI_NAMES[inputs["topic"]]
    wordings, _, _ = level({**inputs, "details": {"kpi_name": kpi, "raw_text": ""}})
    return wordings, _not_disclosed(inputs, f"no {kpi}"), []


def absent_concept(inputs: dict) -> Written:
    kpi = lower_first(inputs["details"]["kpi_name"])
    wordings, _, _ = level({**inputs, "details": {"kpi_name": kpi, "raw_text": ""}})
    return wordings, _not_disclosed(inputs, f"no {kpi}"), []


def absent_risk(inputs: dict) -> Written:
    name, short = _company(inputs)
    topic = RISK_NAMES[inputs["topic"]]
    wordings = [
        f"Which {topic} risks does {name} describe in Item 1A of its {_filing(inputs)}?",
        f"What do the risk factors of {possessive(short)} {_filing(inputs)} say about {topic} risks?",
        f"In its {_filing(inputs)} (Item 1A), to which {topic} risks does {name} say it is exposed?",
    ]
    return wordings, _not_disclosed(inputs, f"no {topic} risks"), []


def absent_definition(inputs: dict) -> Written:
    term = TERMS[inputs["topic"]]
    wordings, _, _ = definition({**inputs, "details": {"term": term, "definition": ""}})
    return wordings, _not_disclosed(inputs, f"no definition of “{term}”"), []


def _not_disclosed(inputs: dict, what: str) -> str:
    name = inputs["companies"][0]
    return f"Not disclosed: the {_filing(inputs, name)}, as far as it is in the corpus, states {what}."


SHAPES: dict[str, Callable[[dict], Written]] = {
    "level": level,
    "statement": level,
    "tagged": tagged,
    "tagged_part": tagged,
    "tagged_change": change,
    "tagged_parts": tagged_parts,
    "change": change,
    "rose": rose,
    "highest": highest,
    "cause": cause,
    "drivers": drivers,
    "trend": trend,
    "causes": causes,
    "attributed": attributed,
    "offset": attributed,
    "direction": direction_asked,
    "consequence": consequence,
    "reason": consequence,
    "risks": risks,
    "definition": definition,
    "where": where,
    "year_end": year_end,
    "absent_kpi": absent_kpi,
    "absent_concept": absent_concept,
    "absent_risk": absent_risk,
    "absent_definition": absent_definition,
}
