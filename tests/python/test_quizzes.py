"""Closed questions, statements and choices: what the rules write, and planted summaries put to them."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from finrag.metrics import classification
from finrag.metrics.estimates import resampled_estimate
from finrag.metrics.registry import Metric
from finrag.quizzes import choices, writing
from finrag.quizzes.changes import change_company, change_number, change_year, negate, turn_round
from finrag.quizzes.picking import is_checkable, spread
from finrag.quizzes.questions import key_place
from finrag.quizzes.reading import answer_choices, claim_of, judge_statements, statement_of
from finrag.text.statements import read
from quiz_pipeline import QuizPipeline
from warehouses import ROOT

COMPANY = "Marlowe Tool Company"
# Written for these tests in the manner of a discussion and analysis.
SOURCE = [
    "Net sales of Marlowe Tool Company rose 4.2% to $812.5 million in fiscal 2021.",
    "Gross margin of Marlowe Tool decreased to 36.4% of net sales because of higher freight costs.",
    "Operating income of Marlowe Tool increased by $14.6 million, reflecting lower warranty claims.",
    "Net cash provided by operating activities of Marlowe Tool was $96.3 million in fiscal 2021.",
    "Marlowe Tool repurchased 1.2 million shares for $48.0 million in fiscal 2021.",
    "Dividends that Marlowe Tool paid amounted to $22.4 million in fiscal 2021.",
    "Interest expense of Marlowe Tool increased to $17.9 million on higher average borrowings.",
    "Capital expenditures of Marlowe Tool declined to $58.7 million after the Tulsa plant was completed.",
    "The order backlog of Marlowe Tool grew to $204.1 million at the end of fiscal 2021.",
    "Research and development costs of Marlowe Tool rose to $31.5 million.",
    "The effective tax rate of Marlowe Tool decreased to 21.8% in fiscal 2021.",
    "Marlowe Tool employed 4,310 people at the end of fiscal 2021.",
]
TEXT = "\n".join(SOURCE)
TURNED = {"rose": "fell", "decreased": "increased", "increased": "decreased", "declined": "rose", "grew": "shrank"}
UNRELATED = (
    "Passenger revenue of the airline reached $4.1 billion on a load factor of 84%. Pilots ratified a labor agreement. "
    "Jet fuel hedges worth $63.5 million expired at the end of the winter season of 2016."
)


def changed_figures(text: str) -> str:
    """Every figure but years, half as much again."""
    return re.sub(r"(?<!fiscal )\d[\d,]*(?:\.\d)?", lambda match: f"{1.5 * float(match[0].replace(',', '')):.1f}", text)


PLANTED = {
    "copy": TEXT,
    "half": "\n".join(SOURCE[:6]),
    "empty": "",
    "number": changed_figures(TEXT),
    "company": TEXT.replace("Marlowe Tool Company", "Pinemarsh Foods").replace("Marlowe Tool", "Pinemarsh Foods"),
    "direction": re.sub(r"\b(?:rose|decreased|increased|declined|grew)\b", lambda match: TURNED[match[0]], TEXT),
    "unrelated": UNRELATED,
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> QuizPipeline:
    """Every planted summary of one source, put to all kinds of questions by the rules."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("create schema seeds")
    for seed in ("llm_models", "llm_prices"):
        path = str(ROOT / "seeds" / f"{seed}.csv")
        connection.execute(f"create table seeds.{seed} as from read_csv(?)", [path])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FINRAG_LEDGER", str(tmp_path_factory.mktemp("ledger") / "calls.sqlite"))
        summaries = {("s", system): text for system, text in PLANTED.items()}
        return QuizPipeline(connection, {"s": SOURCE}, summaries, company=COMPANY, count=10).build()


def test_a_copy_is_right_throughout(planted):
    """Every question that is answered from an identical text has the source's answer, and none is left out."""
    for metric in ("qag_inclusion", "qag_inclusion_of_answered", "qag_alignment", "qag_alignment_of_answered"):
        assert planted.values(metric)["copy"] == 1.0
    assert planted.values("qag_inclusion_idk")["copy"] == 0.0
    assert planted.values("statement_precision_true")["copy"] == 1.0
    assert planted.values("statement_recall_true")["copy"] == 1.0
    assert planted.values("summary_statement_recall_true")["copy"] == 1.0
    assert planted.values("choice_accuracy")["copy"] == 1.0
    # a company that stands in no text may be judged Uncertain; nothing else is
    assert planted.values("statement_uncertainty")["copy"] <= 0.1


@pytest.mark.parametrize(
    ("metric", "least_margin"),
    [("qag_inclusion", 0.4), ("qag_alignment", 0.4), ("statement_accuracy", 0.4), ("statement_f1_macro", 0.4),
     ("statement_recall_true", 0.7), ("summary_statement_accuracy", 0.3), ("summary_statement_recall_true", 0.7),
     ("choice_accuracy", 0.7)],
)  # fmt: skip
def test_planted_faults_cost_what_they_must(planted, metric, least_margin):
    """A changed figure, company or direction each costs a summary that is otherwise the source the margin stated."""
    values = planted.values(metric)
    for fault in ("number", "company", "direction", "unrelated"):
        assert values[fault] <= values["copy"] - least_margin, fault
    # nothing ranks below what is about something else
    assert values["unrelated"] == 0.0 == min(value for value in values.values() if value is not None)


def test_what_is_left_out_is_undecided_and_not_wrong(planted):
    """Half of the source answers half of its questions, all of them rightly; the other half is idk, no disagreement."""
    assert planted.values("qag_inclusion")["half"] == pytest.approx(0.5, abs=0.1)
    assert planted.values("qag_inclusion_of_answered")["half"] == 1.0
    assert planted.values("qag_alignment")["half"] == 1.0
    assert planted.values("statement_precision_macro")["half"] == 1.0
    assert planted.values("choice_accuracy")["half"] == planted.values("choice_accuracy")["copy"] - 0.5
    assert planted.values("choice_abstention")["half"] == 0.5


def test_an_empty_and_an_unrelated_summary_answer_nothing(planted):
    """idk throughout, which agrees with nothing; an empty summary has no questions of its own, so no alignment."""
    for system in ("empty", "unrelated"):
        assert planted.values("qag_inclusion")[system] == 0.0
        assert planted.values("qag_inclusion_idk")[system] == 1.0
        assert planted.values("qag_inclusion_of_answered")[system] is None
        assert planted.values("statement_uncertainty")[system] == 1.0
        assert planted.values("choice_accuracy")[system] <= 0.25
    assert "empty" not in planted.values("qag_alignment")
    assert "empty" not in planted.values("summary_statement_accuracy")


def test_a_changed_figure_is_never_true(planted):
    """No statement of the source that states a figure is True of the summary whose figures are all changed."""
    wrong = planted.rows(
        "select statement_text from statement_items where system = 'number' and origin = 'source'"
        " and key = 'True' and verdict = 'True'"
    )
    assert wrong == []
    assert planted.rows("select 1 from choice_items where system = 'number' and is_correct") == []


def test_all_systems_face_the_same_questions(planted):
    """The sets of the source hold its hash and nothing of a summary: one set of a kind, whoever is asked."""
    for table, asked in (("qag_items", 10), ("statement_items", 10), ("choice_items", 10)):
        faced = planted.rows(
            f"select system, list(question_id order by question_id) from {table} where origin = 'source' group by all"
        )
        assert len(faced) == len(PLANTED)
        assert len({tuple(questions) for _, questions in faced}) == 1
        assert len(faced[0][1]) == asked


def test_a_second_summariser_changes_no_question(planted, llm):
    """With another system added, the source's sets keep their ids and their text."""
    query = (
        "select question_id, question_text, key, option_a from int_quiz_questions where origin = 'source' order by 1"
    )
    one = {("s", "half"): PLANTED["half"]}
    first = QuizPipeline(llm.connection, {"s": SOURCE}, one, company=COMPANY, count=10).build().rows(query)
    both = one | {("s", "number"): PLANTED["number"]}
    second = QuizPipeline(llm.connection, {"s": SOURCE}, both, company=COMPANY, count=10).build().rows(query)
    assert first == second == planted.rows(query)
    assert len(first) == 30


def test_what_is_written_is_balanced_and_quotes_the_text(planted):
    counts = Counter(planted.rows("select kind, origin, text_id, key from int_quiz_questions where kind != 'choice'"))
    sets = {names[:3] for names in counts}
    assert len(sets) >= 12
    for names in sets:
        one, other = (
            counts[(*names, key)] for key in (("yes", "no") if names[0] == "closed_question" else ("True", "False"))
        )
        assert abs(one - other) <= 1, names
    assert planted.rows("select distinct evidence_found from int_quiz_questions") == [("exact",)]
    evidence = planted.rows(
        "select evidence_sentence_ids, evidence_quote from int_quiz_questions where origin = 'source'"
    )
    assert all(ids == [f"s_{SOURCE.index(quote)}"] for ids, quote in evidence)


def test_keys_stand_equally_often_in_every_place():
    for set_id in ("a", "b", "c"):
        places = [key_place(set_id, number) for number in range(1, 13)]
        assert all(sorted(places[first : first + 4]) == [0, 1, 2, 3] for first in (0, 4, 8))
    assert len({tuple(key_place(f"set {name}", number) for number in range(1, 5)) for name in range(20)}) > 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales rose 5% and costs were higher.", "Sales fell 5% and costs were lower."),
        ("Sales were up 5% in 2020.", "Sales were down 5% in 2020."),
        ("An increase in volumes raised growth.", "A decrease in volumes raised decline."),
        ("Sales rose although prices fell.", None),  # both ways already
        ("The plant was made up of two halls.", None),
        ("Sales were $5 million.", None),
    ],
)
def test_directions_are_turned_round_together_or_not_at_all(text, expected):
    change = turn_round(read(text))
    assert (change and change.text) == expected


def test_a_changed_number_is_another_one_of_the_same_form():
    sentence = read("Debt was $1,250.5 million at year end (of which 3% was short-term).")
    stated = list(sentence.amounts)
    change = change_number(sentence, stated, "seed")
    assert change.was == "$1,250.5 million"  # what stands in brackets is left alone
    assert re.fullmatch(r"\$[\d,]+\.\d million", change.became)
    (other,) = read(change.became).amounts
    assert abs(other.value - 1250.5e6) >= 0.25 * 1250.5e6
    assert change == change_number(sentence, stated, "seed")
    assert change.described == f"number: $1,250.5 million -> {change.became}"
    # not even the value of another sentence
    taken = [*stated, *read(f"Cash was {change.became}.").amounts]
    assert change_number(sentence, taken, "seed").became != change.became


def test_a_changed_year_is_one_that_the_text_does_not_name():
    sentence = read("Sales in 2019 exceeded those of 2018.")
    stated = {"2018", "2019", "2016", "2017", "2020", "2021", "2022"}
    change = change_year(sentence, stated, "seed")
    assert change.became not in stated
    assert change.was in ("2018", "2019")
    assert sentence.text.replace(change.was, change.became) == change.text


@pytest.mark.parametrize(
    ("text", "company", "was"),
    [
        ("In 2019 ACME Corp. grew.", "ACME CORP", "ACME"),
        ("In 2019 Acme grew.", "ACME CORP /DE/", "Acme"),
        ("In 2019 we grew.", "ACME CORP", None),
        ("In 2019 Acme grew.", None, None),
        ("Acmetal grew.", "ACME CORP", None),
    ],
)
def test_a_swapped_company_is_nobodys_name(text, company, was):
    change = change_company(read(text), company, "seed")
    if was is None:
        assert change is None
    else:
        assert change.was.startswith(was)
        assert change.kind == "company"
        assert "cme" not in change.text.lower().replace("welcome", "")


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Net sales increased 5% to $12.0 million in fiscal 2020.", True),
        ("This increased net sales by 5% to $12.0 million.", False),  # what is this?
        ("See Note 5 for the $12.0 million increase in net sales.", False),
        ("Net sales 12.0 11.5 10.9 9.8 8.7 7.6 5.4 4.3 3.2 2.1.", False),  # a row of a table
        ("Total revenue of $645.5 million, up 24.0% from fiscal 2017.", False),  # no verb
        ("Our employees are the foundation of what we do every day.", False),  # nothing to check
        ("Net sales rose 5%.", False),  # too short
        ("Income Taxes Income tax expense was $11.1 billion for fiscal years 2025.", False),  # headings run into these
        ("Financing We have a debt program of up to $10.0 billion for commercial paper.", False),
        ("Sales at Retail Stores We opened stores for $11.1 billion in fiscal 2025.", False),
        ("Sales were at Retail Stores $11.1 billion in fiscal 2025.", True),
        ("Cash Dividends: In fiscal 2025, we paid cash dividends of $1.70 per share.", False),
        ("We may retain profits for up to 12 months before we pay them out.", False),  # a length of time is no figure
        ("In January 2019, Temasek agreed to buy an interest for $800 million in cash.", True),
    ],
)
def test_what_is_worth_asking_about(text, is_asked):
    assert is_checkable(read(text)) is is_asked


def test_a_text_without_figures_or_capitals_is_asked_about_too():
    """Summaries of news systems: no capital, full stops set off by spaces. A negation is the last resort."""
    text = "the plant was closed by its owner after the flood . "
    text += "sales of tools were $5 million in 2019 . nobody was hurt in the fire ."
    found = {one.evidence: one for one in writing.statements(text, 3, None, "seed")}
    assert len(found) == 3
    changed = [one.change for one in found.values() if one.change]
    assert len(changed) in (1, 2)
    negation = negate(read("the plant was closed by its owner after the flood ."))
    assert (negation.kind, negation.text) == ("negation", "the plant was not closed by its owner after the flood .")
    assert negate(read("nobody was not hurt .")) is None
    assert negate(read("Sales rose in Europe.")) is None
    with_figures = "\n".join([*SOURCE, "The plant was closed by its owner after the flood."])
    assert not any("plant was closed" in one.evidence for one in writing.statements(with_figures, 6, None, "seed"))


def test_questions_come_from_all_parts_of_the_text():
    sentences = [read(f"Sales of division {place} were ${100 + place} million in fiscal 2020.") for place in range(40)]
    chosen = [sentences.index(sentence) for sentence in spread(sentences, 4, "seed")]
    assert [place // 10 for place in chosen] == [0, 1, 2, 3]
    assert len(spread(sentences[:2] * 3, 4, "seed")) == 2  # no text twice


def test_distractors_have_the_form_and_the_magnitude_of_the_key():
    written = writing.write_choices({"text": TEXT, "count": 10, "company_name": COMPANY})
    assert len(written) == 10
    for question in written:
        options = [question["key"], *question["distractors"]]
        assert len(set(options)) == 4
        assert question["evidence_quote"].count(question["key"]) == 1
        assert not any(option in question["evidence_quote"] for option in question["distractors"])
        amounts = [read(option).amounts[0] for option in options]
        assert len({choices.form(amount) for amount in amounts}) == 1, options
        assert max(amount.value for amount in amounts[1:]) <= 2.5 * amounts[0].value
        assert min(amount.value for amount in amounts[1:]) >= amounts[0].value / 2.5
    few = writing.write_choices({"text": SOURCE[0], "count": 1, "company_name": COMPANY})
    assert len(few[0]["distractors"]) == 3  # made up


def figure(text: str, written: str):
    sentence = read(text)
    return sentence, next(amount for amount in sentence.amounts if amount.text == written)


@pytest.mark.parametrize(
    ("text", "written", "low", "high"),
    [
        ("The combined ratio fell to 62.9% from 64.0% in 2020.", "62.9%", 0, 64.0),
        ("The combined ratio fell to 62.9% from 64.0% in 2020.", "64.0%", 62.9, float("inf")),
        ("The combined ratio rose to 65.9% compared with 64.0% in 2020.", "65.9%", 64.0, float("inf")),
        # no direction, two directions, no counterpart, another unit: everything stays open
        ("The combined ratio was 62.9% compared with 64.0% in 2020.", "62.9%", 0, float("inf")),
        ("Prices rose and the ratio fell to 62.9% from 64.0% in 2020.", "62.9%", 0, float("inf")),
        ("The combined ratio fell to 62.9% in the year 2020.", "62.9%", 0, float("inf")),
        ("Net sales fell to $62.9 million from 64.0% of the total.", "$62.9 million", 0, float("inf")),
    ],
)
def test_words_of_direction_bind_the_distractors(text, written, low, high):
    sentence, key = figure(text, written)
    assert choices.bounds(sentence, key) == choices.Bounds(low, high)
    found = [read(f"Another ratio was {value}.") for value in ("65.9%", "61.7%", "63.3%", "70.2%", "40.1%", "9.1%")]
    wrong = [read(option).amounts[0].value for option in choices.distractors(key, sentence, found)]
    assert len(wrong) == 3 and all(low < value / (1e6 if "$" in written else 1) < high for value in wrong)


@pytest.mark.parametrize(
    ("text", "written", "is_given"),
    [
        ("Net sales were $105.0 million, $5.0 million above the $100.0 million of 2019.", "$5.0 million", True),
        ("Net sales rose 5.0% to $105.0 million in 2020.", "$105.0 million", False),
        ("Net sales rose 5.0% to $105.0 million from $100.0 million.", "$105.0 million", True),
        ("Net sales rose 5.0% to $105.0 million from $100.0 million.", "5.0%", True),
        ("Net sales rose to $105.0 million from $80.0 million.", "$105.0 million", False),
    ],
)
def test_a_figure_that_others_give_is_not_asked_for(text, written, is_given):
    assert choices.is_derivable(*figure(text, written)) is is_given


def test_without_a_text_words_of_direction_and_form_are_used():
    statement = "The combined ratio fell to {} from 64.0% in 2020."

    def opened(*options):
        return choices.left_open([statement.format(option) for option in options], options)

    assert opened("62.9%", "65.9%", "66.1%", "61.0%") == [0, 3]
    assert opened("62.9%", "61.9%", "60.1%", "61.0%") == [0, 1, 2, 3]
    assert opened("62.9%", "61.9%", "60.12%", "61.0%") == [0, 1, 3]
    assert opened("65.9%", "66.9%", "67.9%", "68.0%") == [0, 1, 2, 3]
    question = {"question_id": "q", "question": f"Which? {statement.format('____')}"}
    options = dict(zip("ABCD", ("65.9%", "66.1%", "62.9%", "70.0%"), strict=True))
    (answer,) = answer_choices({"text": None, "questions": [question | options]})
    assert answer["choice"] == "C"


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Does the text say that sales rose in 2019?", "Sales rose in 2019."),
        ("Did net sales rise in 2019?", "Net sales rise in 2019."),
        ("According to Acme, was the plant closed?", "The plant closed."),
    ],
)
def test_a_closed_question_states_something(question, statement):
    expected = statement if "plant" not in question else "The plant closed."
    assert claim_of(question) == expected


def test_an_option_fills_the_blank_or_follows_the_question():
    assert (
        statement_of("Which figure completes the statement? Sales were ____ in 2019.", "$5") == "Sales were $5 in 2019."
    )
    assert statement_of("What did sales do in 2019?", "fall") == "What did sales do in 2019 fall."


COSTS = "Research and development costs of the group rose to $31.5 million in 2021."
EXPENSE = "Interest expense of the group rose to $17.9 million in 2021."


@pytest.mark.parametrize(
    ("statement", "text", "verdict"),
    [
        (COSTS, f"{EXPENSE}\n{COSTS}", "True"),
        (COSTS.replace("31.5", "17.9"), f"{EXPENSE}\n{COSTS}", "False"),  # a figure of another sentence
        (COSTS.replace("31.5", "44.4"), f"{EXPENSE}\n{COSTS}", "False"),
        (COSTS.replace("rose", "fell"), f"{EXPENSE}\n{COSTS}", "False"),
        (COSTS.replace("31.5", "44.4"), EXPENSE, "Uncertain"),  # the nearest sentence is about something else
        (COSTS, EXPENSE, "Uncertain"),
        (COSTS, "", "Uncertain"),
    ],
)
def test_one_sentence_decides_and_only_about_what_it_states(statement, text, verdict):
    inputs = {"text": text, "company_name": None, "statements": [{"statement_id": "q1", "statement": statement}]}
    (found,) = judge_statements(inputs)
    assert found["verdict"] == verdict
    assert bool(found["quotes"]) is (verdict != "Uncertain")


def test_without_a_text_the_rules_guess_by_chance():
    """A quarter right, within four standard errors, and no letter favoured."""
    questions = [
        {"question_id": f"q{number}", "question": f"Which is {number}?", "A": "a", "B": "b", "C": "c", "D": "d"}
        for number in range(400)
    ]
    counts = Counter(row["choice"] for row in answer_choices({"text": None, "questions": questions}))
    assert set(counts) == set("ABCD")
    assert all(abs(count - 100) <= 4 * np.sqrt(400 * 0.25 * 0.75) for count in counts.values())


KEYS = ["True"] * 6 + ["False"] * 5
VERDICTS = ["True", "True", "True", "False", "Uncertain", "True", "False", "False", "True", "Uncertain", "False"]


@pytest.mark.parametrize("verdicts", [VERDICTS, ["Uncertain"] * 11, ["True"] * 11, KEYS])
def test_precision_recall_and_f1_are_scikit_learns(verdicts):
    found = classification.measures(classification.count(KEYS, verdicts, np.zeros(11, int)).sum(0))
    labels = ["True", "False"]
    options = {"labels": labels, "zero_division": 0}
    per_class = sklearn_metrics.precision_recall_fscore_support(KEYS, verdicts, average=None, **options)
    macro = sklearn_metrics.precision_recall_fscore_support(KEYS, verdicts, average="macro", **options)
    for place, measure in enumerate(("precision", "recall", "f1")):
        for number, label in enumerate(labels):
            assert found[f"{measure}_{label.lower()}"] == pytest.approx(per_class[place][number], abs=1e-12)
        assert found[f"{measure}_macro"] == pytest.approx(macro[place], abs=1e-12)


def test_precision_and_recall_by_hand():
    """True: 4 hits of 5 predicted and 6 actual. False: 3 hits of 4 predicted and 5 actual."""
    found = classification.measures(classification.count(KEYS, VERDICTS, np.zeros(11, int)).sum(0))
    assert (found["precision_true"], found["recall_true"]) == (pytest.approx(4 / 5), pytest.approx(4 / 6))
    assert (found["precision_false"], found["recall_false"]) == (pytest.approx(3 / 4), pytest.approx(3 / 5))
    assert found["f1_true"] == pytest.approx(8 / 11)
    assert found["f1_macro"] == pytest.approx((8 / 11 + 6 / 9) / 2)


def test_a_measure_is_of_the_items_and_sources_that_it_counts():
    """Eleven items of four sources, items 0 to 2 of the first: what is judged True, has the key True, or either.

    A mean of the classes is known from twice the sources of the rarer one; a precision of nothing from none. Last what
    the hits or misses, if these are fewer, are worth in sources of one size, (sum of sizes)² / sum of squares; and all.
    """
    clusters = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3])
    of = classification.sizes(classification.count(KEYS, VERDICTS, clusters))
    expected = {
        "precision_true": (5, 3, 3, 1, 25 / 11), "precision_false": (4, 3, 3, 1, 16 / 6),
        "recall_true": (6, 2, 2, 1, 36 / 18), "recall_false": (5, 2, 2, 1.8, 25 / 13),
        "f1_true": (7, 3, 3, 1.6, 49 / 19), "f1_false": (6, 3, 3, 1.8, 36 / 14),
        "precision_macro": (9, 4, 6, 1, 81 / 23), "recall_macro": (11, 4, 4, 1, 2 * 25 / 13),
        "f1_macro": (11, 4, 6, 1.6, 121 / 31),
    }  # fmt: skip
    assert of == {measure: pytest.approx(sizes) for measure, sizes in expected.items()}
    none = classification.sizes(classification.count(KEYS, ["Uncertain"] * 11, clusters))
    assert none["precision_true"] == none["precision_macro"] == (11, 4, 0, 0, 0) and none["recall_true"] == (
        6,
        2,
        2,
        0,
        2,
    )


def test_a_class_of_one_source_has_the_whole_range():
    """Two of three sources have no verdict False, so resamples give 0 or 1/2; the third says nothing of others."""
    keys, verdicts = ["True", "False"] * 3, ["True"] * 4 + ["False"] * 2
    counts = classification.count(keys, verdicts, np.repeat(np.arange(3), 2))
    low, high = classification.intervals(counts, seed=1)["precision_false"]
    assert (low, high) == (0, 0.5)
    ratio = Metric("precision", 0, "", "ratio", 0, (), "every_run", False)
    found = resampled_estimate(ratio, 0.5, low, high, *classification.sizes(counts)["precision_false"])
    assert (found.ci_low, found.ci_high, found.ci_method, found.n_eff) == (0, 1, "range", 0)
    assert not found.is_interval_reliable


def test_intervals_draw_whole_sources():
    """Twenty sources of two statements each: the interval holds the value; copies of one source leave no spread."""
    rng = np.random.default_rng(5)
    keys = ["True", "False"] * 20
    clusters = np.repeat(np.arange(20), 2)
    verdicts = [key if rng.random() < 0.7 else "Uncertain" for key in keys]
    counts = classification.count(keys, verdicts, clusters)
    low, high = classification.intervals(counts, 7)["f1_macro"]
    value = classification.measures(counts.sum(0))["f1_macro"]
    assert low < value < high
    same = np.repeat(counts[:1], 20, axis=0)
    assert all(np.isnan(bound) for bound in classification.intervals(same, 7)["f1_macro"])
    assert all(np.isnan(bound) for bound in classification.intervals(counts[:1], 7)["f1_macro"])


def test_values_carry_their_counts(planted):
    """Every value counts its items: measured, failed and left out by definition make up the total."""
    rows = planted.rows("select metric, n_total, n_measured, n_error, ci_method from values")
    assert len(rows) > 200
    assert all(n_measured + n_error <= n_total for _, n_total, n_measured, n_error, _ in rows)
    assert {n_measured for metric, _, n_measured, _, _ in rows if metric == "qag_inclusion"} == {10}
    registered = {
        name
        for (name,) in planted.rows(
            "select metric from metrics where items in ('qag_items', 'statement_items', 'choice_items')"
        )
    }
    assert {metric for metric, *_ in rows} == registered
