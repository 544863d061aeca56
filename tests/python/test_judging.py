"""The baseline judge: planted summaries are ordered as they must be, and its rules by hand."""

from __future__ import annotations

import re

import pytest

from finrag.judging import Quote, baseline_verdicts, check_quote, numbers_agree, split_claims
from growth import assert_linear

# Written for these tests in the manner of a discussion and analysis.
SOURCE = [
    "Net sales of Marlowe Tool Company rose 4.2% to $812.5 million in fiscal 2021, compared to $779.8 million in 2020.",
    "The increase was driven by higher volumes in the Americas, partially offset by lower prices in Europe.",
    "Gross margin decreased to 36.4% of net sales from 37.1%, because of higher freight costs.",
    "Net cash provided by operating activities was $96.3 million.",
    "We repurchased 1.2 million shares for $48.0 million and paid dividends of $22.4 million.",
    "We did not borrow under our revolving credit facility.",
    "We expect capital expenditures of about $60 million in fiscal 2022.",
    "Goodwill is tested for impairment in the fourth quarter of each year.",
    "A prolonged shortage of bearings could harm our ability to fill orders.",
    "We plan to open two distribution centers in Texas.",
]
SUMMARY = " ".join(SOURCE[:5])
CHANGED_NUMBER = (
    SUMMARY.replace("4.2%", "5.2%").replace("36.4%", "35.4%").replace("$96.3", "$93.6").replace("1.2 m", "2.1 m")
)
SWAPPED_COMPANY = " ".join(text.replace("Marlowe Tool Company", "Pinemarsh Foods Company") for text in SOURCE[:1])
REVERSED = SUMMARY.replace(" rose ", " fell ").replace("The increase", "The decrease").replace("decreased", "increased")
UNRELATED = (
    "Passenger revenue of the airline reached $4.1 billion on a load factor of 84%. Pilots ratified a labor agreement. "
    "Jet fuel hedges expired at the end of the winter season. Two wide-body aircraft were returned to lessors."
)


def faithfulness(summary: str, source: list[str] = SOURCE) -> float | None:
    """True claims / all claims, null without any."""
    verdicts = baseline_verdicts(source, split_claims(summary))
    return sum(verdict.verdict == "True" for verdict in verdicts) / len(verdicts) if verdicts else None


def mean_score(summary: str) -> float:
    verdicts = baseline_verdicts(SOURCE, split_claims(summary))
    return sum(verdict.score for verdict in verdicts) / len(verdicts)


def verdict(claim: str, source: list[str] = SOURCE, **more):
    return baseline_verdicts(source, [claim], **more)[0]


def test_planted_summaries_are_ordered_as_they_must_be():
    """A copy is 1, no claims is no value, and every planted fault costs at least half of the faithfulness."""
    assert faithfulness(SUMMARY) == 1.0
    assert mean_score(SUMMARY) == 1.0
    assert faithfulness("") is None
    assert faithfulness(UNRELATED) == 0.0
    assert mean_score(UNRELATED) <= 0.2
    assert faithfulness(SWAPPED_COMPANY) == 0.0
    for planted in (CHANGED_NUMBER, REVERSED):
        assert faithfulness(planted) <= 0.5
        assert mean_score(SUMMARY) - mean_score(planted) >= 0.4
    # what is contradicted ranks below what is merely not found
    assert mean_score(REVERSED.split(". The")[0]) < mean_score(SUMMARY.split(". The")[0]) - 0.9


def test_a_copy_of_the_whole_source_is_true_whatever_its_line_breaks():
    for text in (" ".join(SOURCE), "\n".join(SOURCE), "\n\n- ".join(SOURCE)):
        assert faithfulness(text) == 1.0


@pytest.mark.parametrize("text", SOURCE)
def test_a_changed_number_is_never_true(text):
    """Every figure of every sentence, raised and lowered by its last digit, doubled, and moved by a power of ten."""
    for match in re.finditer(r"\d[\d,]*(?:\.\d+)?", text):
        decimals = len(match[0].partition(".")[2])
        value = float(match[0].replace(",", ""))
        for changed in (value + 10**-decimals, value - 10**-decimals, 2 * value, 10 * value, value / 10):
            digits = decimals + 1 if changed == value / 10 else decimals
            claim = f"{text[: match.start()]}{changed:.{digits}f}{text[match.end() :]}"
            assert verdict(claim).verdict != "True", claim


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # the same facts in another order or rounded
        ("In fiscal 2021, net sales of Marlowe Tool Company rose 4.2% to $812.5 million.", "True"),
        ("Net sales rose to $813 million in fiscal 2021.", "True"),
        ("Net cash from operating activities was $96.3 million.", "True"),
        ("Gross margin declined to 36.4% because of higher freight costs.", "True"),
        # the contrary
        ("Net sales fell 4.2% to $812.5 million in fiscal 2021.", "False"),
        ("Gross margin increased to 36.4% of net sales.", "False"),
        ("We borrowed under our revolving credit facility.", "False"),
        ("Net cash provided by operating activities was $69.3 million.", "False"),
        ("Net sales of Pinemarsh Foods rose 4.2% to $812.5 million in fiscal 2021.", "False"),
        ("We repurchased 1.3 million shares for $48.0 million.", "False"),
        # the figure of another year, or of another item
        ("Net sales were $779.8 million in fiscal 2021.", "Unclear"),
        ("Dividends paid were $48.0 million and share repurchases $22.4 million.", "Unclear"),
        # a plan is no fact, a possibility no event
        ("Capital expenditures were about $60 million in fiscal 2022.", "Unclear"),
        ("A prolonged shortage of bearings harmed our ability to fill orders.", "Unclear"),
        # not in the source
        ("The company hired a new chief executive.", "Unclear"),
        ("We plan to open three distribution centers in Texas.", "False"),
        ("We plan to open two distribution centers in Ohio.", "False"),
    ],
)
def test_verdicts_by_hand(claim, expected):
    found = verdict(claim)
    assert found.verdict == expected, found


# Made up, each sentence to be falsified by what another one states.
LEDGER = [
    "Premium credits of $48.5 million were granted to drivers in 2020.",
    "Letters of credit of $39.7 million were outstanding at the end of 2019.",
    "Net income fell 5% to $90 million because of higher wages in 2020.",
    "Operating income was $140 million in the Retail segment and $60 million in the Cloud segment.",
    "In 2020, we acquired two mills from Alder, and net sales of lumber were flat.",
    "The plant did not close, and no workers were dismissed.",
    "Under SFAS No. 142, goodwill is tested each year.",
    "Comprehensive income (loss) is shown in the table.",
    "Ad sales increased $398 million in 2022.",
    "Provisions were $3.7 million and $2.2 million in 2020 and 2019, respectively.",
]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # the figure or the year of another sentence
        ("Premium credits of $39.7 million were granted to drivers in 2020.", "False"),
        ("Premium credits of $48.5 million were granted to drivers in 2019.", "Unclear"),
        (
            "Credits of $48.5 million were granted in 2020, and letters of credit of $39.7 million were outstanding "
            "at the end of 2019.",
            "True",
        ),
        # a loss is no fall, and no income
        ("Net loss fell 5% to $90 million because of higher wages in 2020.", "False"),
        ("Net loss was $90 million in 2020.", "Unclear"),
        ("Net income declined 5% to $90 million in 2020.", "True"),
        # a word for its opposite, in its place
        ("In 2020, we sold two mills from Alder, and net sales of lumber were flat.", "False"),
        ("In 2020, we acquired two mills from Alder, and gross sales of lumber were flat.", "False"),
        ("Comprehensive income is shown in the table.", "True"),
        # by for to, a limit that nobody says, one that holds
        ("Net income fell by $90 million because of higher wages in 2020.", "False"),
        ("Net income fell 5% to more than $90 million because of higher wages in 2020.", "False"),
        ("Premium credits of more than $48 million were granted to drivers in 2020.", "True"),
        ("Premium credits of less than $48 million were granted to drivers in 2020.", "False"),
        # what rose by a sum did not rise to it
        ("Ad sales increased $398 million in 2022.", "True"),
        ("Ad sales increased to $398 million in 2022.", "False"),
        # the years of figures that go in turn
        ("Provisions were $3.7 million in 2020 and $2.2 million in 2019.", "True"),
        ("Provisions were $3.7 million in 2019 and $2.2 million in 2020.", "Unclear"),
        # what stands after two figures is exchanged
        ("Operating income was $140 million in the Cloud segment and $60 million in the Retail segment.", "Unclear"),
        ("Operating income of $140 million in the Retail and $60 million in the Cloud segment.", "True"),
        # one of two negations is gone; "No. 142" is none
        ("The plant did close, and no workers were dismissed.", "False"),
        ("Goodwill is tested each year under SFAS 142.", "True"),
        # cut off in a word
        ("Premium credits of $48.5 million were granted to driv", "Unclear"),
        ("Premium credits of $48.5 million were granted", "True"),
    ],
)
def test_what_one_word_or_figure_makes_false(claim, expected):
    found = verdict(claim, LEDGER)
    assert found.verdict == expected, found


# Each has a rise and a fall of two things, and the same words around both.
TURNS = [
    "This decrease was partially offset by an increase in royalty rates.",
    "The increase in receivables is the result of a decrease in the allowance for receivables of about $1.5 million.",
    "There was an increase in net sales and a decrease in net income in 2020.",
    "Higher unit shipments were offset by lower unit prices.",
    "An increase in the discount rate reduced pension liabilities.",
    "Revenue from hardware decreased 7%, more than offsetting an increase of 12% in revenue from services.",
    "Net loss narrowed to $(45) million, helped by an increase in subscription revenue.",
    "Premiums written rose 9% in commercial lines and declined 3% in personal lines.",
    "Store sales declined 2% on fewer visits.",
    "Online sales grew 15%.",
]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("This increase was partially offset by an increase in royalty rates.", "False"),
        ("The decrease in receivables is the result of a decrease in the allowance for receivables.", "False"),
        ("Net sales increased while net income decreased in 2020.", "True"),
        ("Net sales decreased while net income increased in 2020.", "False"),
        ("Lower unit shipments were offset by lower unit prices.", "False"),
        ("Unit shipments increased, offset by lower unit prices.", "True"),
        ("Pension liabilities decreased because of an increase in the discount rate.", "True"),
        ("Pension liabilities increased because of an increase in the discount rate.", "False"),
        ("A decrease of 7% in revenue from hardware more than offset an increase in revenue from services.", "True"),
        ("An increase of 7% in revenue from hardware more than offset an increase in revenue from services.", "False"),
        ("Premiums written in personal lines declined 3%.", "True"),
        ("Premiums written in personal lines rose 3%.", "False"),
        ("Store sales declined 2% on fewer visits while online sales grew 15%.", "True"),
        ("Store sales grew 2% on fewer visits while online sales grew 15%.", "False"),
        ("Net loss widened to $45 million, helped by an increase in subscription revenue.", "False"),
    ],
)
def test_what_rises_and_what_falls(claim, expected):
    found = verdict(claim, TURNS)
    assert found.verdict == expected, found


# As models tell what a filing states: other signs, scales, dates and lead-ins.
FACTS = [
    "Total net sales were $391,035 million in 2024 and $383,285 million in 2023, an increase of 2%.",
    "Net loss was $45.3 million, or $0.73 per diluted share, in 2021, against net income of $12.1 million in 2020.",
    "The allowance was 1.35% of loans at December 31, 2022.",
    "We operate 42 plants in two states.",
]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # a loss is no income, and its amount a share has its sign
        ("Net income was $45.3 million in 2021.", "False"),
        ("Net loss was $(45.3) million in 2021.", "True"),
        ("Net loss per diluted share was $(0.73) in 2021.", "True"),
        # a change is in place of no level
        ("Total net sales rose by $7.8 billion in 2024.", "Unclear"),
        # the year says which figure is meant
        ("Net sales (2023): $383.3 billion", "True"),
        ("Net sales (2023): $391.0 billion", "Unclear"),
        # where it is stated, the verb before a figure, its scale and words for numbers are none of the claim's words
        ("According to the filing, total net sales amounted to $391bn in 2024.", "True"),
        ("We operate forty-two plants.", "True"),
        ("We operate forty-three plants.", "False"),
        ("We operate 42 plants in three states.", "False"),
        ("The allowance was 1.35% of loans as of 31 Dec 2022.", "True"),
        ("The allowance was 1.35% of loans as of 31 Jan 2022.", "False"),
    ],
)
def test_what_is_told_in_another_form(claim, expected):
    found = verdict(claim, FACTS)
    assert found.verdict == expected, found


def test_a_verdict_has_its_reason_and_its_evidence():
    found = verdict("Gross margin increased to 36.4% of net sales.")
    assert found.evidence[0] == 2
    assert found.quotes[0] == SOURCE[2]
    assert "increased" in found.reason
    assert found.numbers_agree is True
    assert verdict("Gross margin was 39.9% of net sales.").numbers_agree is False
    assert verdict("Goodwill is tested for impairment.").numbers_agree is None


def test_a_name_that_the_source_goes_by_is_no_other():
    """The source says "we"; its own name is known from the filing."""
    claim = "Marlowe repurchased 1.2 million shares for $48.0 million."
    source = SOURCE[1:]
    assert verdict(claim, source).verdict != "True"
    assert verdict(claim, source, known_names=["MARLOWE TOOL CO"]).verdict == "True"


def test_sentences_that_an_abbreviation_runs_together_are_looked_up_each():
    source = [
        "We sold the division to Bolt Inc.",
        "Costs fell.",
        "Based on our plans, sales will rise; there is no assurance.",
    ]
    claims = split_claims(
        "We sold the division to Bolt Inc. Based on our plans, sales will rise; there is no assurance."
    )
    assert len(claims) == 2
    assert [found.verdict for found in baseline_verdicts(source, claims)] == ["True", "True"]
    assert baseline_verdicts(source, claims)[0].evidence == (0, 2)


def test_no_source_supports_nothing():
    assert [found.verdict for found in baseline_verdicts([], ["Net sales rose."])] == ["Unclear"]
    assert baseline_verdicts(SOURCE, []) == []


def test_claims_are_sentences_and_parts():
    text = "Net sales rose 4.2%; margins fell. U.S. sales of Acme Inc. were flat.\n- First item\n\n***\n2. Second item"
    assert split_claims(text) == [
        "Net sales rose 4.2%", "margins fell.", "U.S. sales of Acme Inc. were flat.", "First item", "Second item",
    ]  # fmt: skip
    assert split_claims("Yes. Net sales rose 4 % . margins fell .") == ["Net sales rose 4 %", "margins fell ."]
    assert split_claims(None) == split_claims(" \n ") == []


@pytest.mark.parametrize("answer", ["No. {}", "No, {}", "no – {}", "**No.** {}", "Yes: {}", "{}"])
def test_the_sentence_that_says_why_is_the_claim(answer):
    why = "Net sales rose 4.2% to $1.2 billion."
    assert split_claims(answer.format(why)) == [why]
    assert split_claims(f"{why} No. They fell.") != [why, "They fell."]


@pytest.mark.parametrize("text", ["No. 3 was closed.", "No plant was closed.", "No-fault claims rose.", "Yes 3 fell."])
def test_what_only_begins_as_an_answer_does_is_left(text):
    assert split_claims(text) == [text]


def test_the_part_of_a_row_is_of_the_rows_unit():
    """Beside its unit the figure is one of millions, cut from it one of its own."""
    row = "(in millions) Year ended December 31, 2020: $271.4; Year ended December 31, 2019: $255.8"
    claims = split_claims(row)
    assert claims[1] == "Year ended December 31, 2019: $255.8"
    found = baseline_verdicts([row], claims)
    assert [(one.verdict, one.numbers_agree) for one in found] == [("True", True)] * 2
    assert numbers_agree([row], claims[1]) is True
    assert numbers_agree([row], "Year ended December 31, 2019: $255.9") is False


def test_headings_lead_ins_and_citations_are_no_claims():
    text = (
        "## Supply Chain and Demand Risks\n**Potential Business Impact:**\nThe main drivers were:\n"
        "- Sales fell 3% [WMT, FY 2019, Item 7: MD&A].\n- Costs rose [1, 2].\nThe Americas Grew.\nNet Sales 2020 $5\n"
        "Sales [net] rose [0000104169_10-K_2018_section_7_142]"
    )
    assert split_claims(text) == [
        "Sales fell 3%.", "Costs rose.", "The Americas Grew.", "Net Sales 2020 $5", "Sales [net] rose",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("## Summary\n\nSales rose 5%.", ["Sales rose 5%."]),
        ("**Overview**\nSales rose 5%.", ["Sales rose 5%."]),
        ("Sure! Here's the summary.\nSales rose 5%.\nI hope this helps!", ["Sales rose 5%."]),
        ("| Year | Revenue |\n|---|---|\n| 2023 | $5 million |", ["2023, Revenue $5 million"]),
        # a model's JSON, what it says of its summary, and a day of a short month
        (
            '```json\n{"summary": "Sales rose 5%. Costs fell.", "tone": "flat"}\n```',
            ["Sales rose 5%.", "Costs fell."],
        ),
        ('{"sales": "up 5%"}', ['{"sales": "up 5%"}']),
        ('{"a": ["Sales rose 5%."], "b": {"c": "Costs fell by 2%."}}', ["Sales rose 5%.", "Costs fell by 2%."]),
        ("Sales rose 5%. In conclusion, this summary highlights the main points.", ["Sales rose 5%."]),
        ("Sales rose 5% (0000104169_10-K_2018_section_7_142).", ["Sales rose 5%."]),
        ("Sales rose 5% (WMT, FY 2019, Item 7) in the U.S. (FY 2019).", ["Sales rose 5% in the U.S. (FY 2019)."]),
        ("This summary judgment was granted.", ["This summary judgment was granted."]),
        ("I'm sorry, but I can't summarize this section because no text was provided.", []),
        ("Debt was $5 million as of Dec. 31, 2024. It fell.", ["Debt was $5 million as of Dec. 31, 2024.", "It fell."]),
        # what says something is a claim, however it is set
        ("Net Sales Declined Sharply", ["Net Sales Declined Sharply"]),
        ("## Net Sales Declined Sharply\nCosts rose.", ["Net Sales Declined Sharply", "Costs rose."]),
        ("**Sales rose 4% in 2023**", ["Sales rose 4% in 2023"]),
        ("**Sales were flat.**", ["Sales were flat."]),
        ("Impact of Declined Demand on Sales", []),
        ("Nike", ["Nike"]),
    ],
)
def test_what_is_no_claim(text, claims):
    assert split_claims(text) == claims


@pytest.mark.parametrize(
    ("quote", "match", "sentence"),
    [
        ("driven by higher volumes in the Americas", "exact", 1),
        ("Driven by  HIGHER volumes, in the Americas", "exact", 1),
        ("activities was $96.3 million. We repurchased 1.2 million shares", "exact", 3),
        ("Goodwill is tested for impairments in the fourth quarter of every year", "similar", 7),
        ("Net cash provided by operating activities was $96.4 million", "missing", None),
        ("Net cash provided by operating activities was $96.4 million in total", "missing", None),
        ("… driven by higher volumes in the Americas, partially offset by lower prices …", "exact", 1),
        ("“GROSS margin  decreased to 36.4% of net sales”", "exact", 2),
        ("The incease was driven by higer volumes in the Americas", "similar", 1),
        ("Our auditors resigned", "missing", None),
        # the number of the sentence before it
        ("[3] Gross margin decreased to 36.4% of net sales", "exact", 2),
        # a word that turns it round
        ("We did borrow under our revolving credit facility", "missing", None),
        ("Gross margin increased to 36.4% of net sales from 37.1%", "missing", None),
        ("We repurchased 1.2 million shares for $48.0 billion and paid dividends of $22.4 million", "missing", None),
        ("Net cash provided by operating activities was €96.3 million", "missing", None),
        ("Gross cash provided by operating activities was $96.3 million", "missing", None),
        ("We plan to open three distribution centers in Texas", "missing", None),
        # a word or a number says nothing, but where it is all that a sentence says
        ("the", "missing", None),
        ("2021", "missing", None),
        ("dividends", "missing", None),
        ("net sales", "exact", 0),
        ("", "missing", None),
    ],
)
def test_quotes_are_looked_up(quote, match, sentence):
    found = check_quote(quote, SOURCE)
    assert (found.match, found.sentence) == (match, sentence), found
    assert found.score == 100 if match == "exact" else found.score < 100


@pytest.mark.parametrize(
    ("quote", "score"),
    [
        # four and three of the nine words
        ("Sales of the plant … rose in 2020.", 100 * 7 / 9),
        ("Sales of the plant [...] rose in 2020", 100 * 7 / 9),
        # in another order, of two sentences, of no words that tell, over a negation
        ("rose in 2020 … Sales of the plant", None),
        ("Sales of the plant … with higher margins", None),
        ("Sales … in 2020", None),
        ("Margins did … rise in 2020", None),
    ],
)
def test_a_quote_may_leave_words_out(quote, score):
    source = [
        "Sales of the plant in Ohio rose in 2020.",
        "They came with higher margins.",
        "Margins did not rise in 2020.",
    ]
    found = check_quote(quote, source)
    assert (found.match, found.sentence) == (("missing", None) if score is None else ("similar", 0))
    assert score is None or found.score == pytest.approx(score)


def test_a_quote_of_one_word_may_be_a_whole_sentence():
    assert check_quote("Boeing", ["Airbus", "Boeing"]) == Quote("Boeing", "exact", 100.0, 1)
    assert not check_quote("Boeing", ["Airbus and Boeing"]).is_found


def test_numbers_are_compared_without_a_model():
    assert numbers_agree(SOURCE, "Sales were $0.81 billion in 2021.") is True
    assert numbers_agree(SOURCE, "Sales were $0.82 billion in 2021.") is False
    assert numbers_agree(SOURCE, "Sales were $812.5 million in 2019.") is False
    assert numbers_agree(SOURCE, "Sales rose.") is None


@pytest.mark.parametrize("passage", [" ", "\n", "1,", "7", ". "])
def test_time_grows_with_the_length_of_a_claim(passage):
    assert_linear(split_claims, passage)
    assert_linear(lambda claim: numbers_agree(SOURCE, claim), passage)
