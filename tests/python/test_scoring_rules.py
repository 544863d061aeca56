"""List, boolean and no-answer scoring against their hand-made cases, and abstention on the real answers."""

from __future__ import annotations

import json

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csv_files import rows_of
from finrag.scoring.booleans import boolean_match
from finrag.scoring.lists import (
    ITEM_SIMILARITY,
    contradict,
    full_name,
    has_other_word,
    list_match,
    similarities,
    split_items,
)
from finrag.scoring.turned import turned_round
from finrag.text import abstention as abstention_rule
from finrag.text.abstention import MAX_OTHER_WORDS, abstention
from finrag.text.items import in_prose
from finrag.text.opposites import say_opposites
from finrag.text.words import normalised, sentences
from finrag.text.yes_no import parse_boolean, says_none

STATED = {"yes": True, "no": False, "": None}


LISTS = rows_of("tests/fixtures/list_answer_cases.csv")
BOOLEANS = rows_of("tests/fixtures/boolean_answer_cases.csv")
ABSTENTIONS = rows_of("tests/fixtures/abstention_cases.csv")
# Five sets (a to e, 680 cases; 653 here, as some are alike), written and labelled by somebody who had not read the
# reader, in wordings that differ as much as they could. Wrong at the first run, as to whether it is a full abstention,
# beside the reader before set a: 20 of 120 (21), 20 of 120 (27), 17 of 120 (25), 11 of 120 (17) and 20 of
# 200 (34). Each was read, and the reader mended, after its run. What is left:
MISREAD = {
    *(f"blind_a_{number}" for number in ("035", "077", "102", "107")),
    *(f"blind_b_{number}" for number in ("045", "065", "076", "080", "083", "094", "101", "103", "109")),
    *(f"blind_c_{number}" for number in ("069", "071", "074", "079", "109", "112")),
    *(f"blind_d_{number}" for number in ("044", "056", "066", "067", "073", "084", "102", "107", "111")),
    *(f"blind_e_{number}" for number in ("055", "065", "071", "092", "110", "111", "113", "118", "121", "127", "129")),
    *(f"blind_e_{number}" for number in ("133", "158", "161", "165", "171", "175", "193")),
}


def answer_of(case: dict[str, str]) -> str | list[str]:
    """A text after "text:", else items between bars."""
    answer = case["answer"]
    return answer.removeprefix("text:") if answer.startswith("text:") else answer.split("|")


@pytest.mark.parametrize("case", LISTS, ids=lambda case: case["case_id"])
def test_list_case(case: dict[str, str]) -> None:
    match = list_match(case["gold"].split("|"), answer_of(case))
    assert match.jaccard == pytest.approx(float(case["jaccard"])), match
    assert match.is_match == STATED[case["is_match"]]


@pytest.mark.parametrize("table", [LISTS, BOOLEANS, ABSTENTIONS], ids=["lists", "booleans", "abstentions"])
def test_cases_are_many_and_distinct(table: list[dict[str, str]]) -> None:
    assert len(table) >= 40
    assert len({case["case_id"] for case in table}) == len(table)


def test_list_without_gold_has_no_verdict() -> None:
    match = list_match([], ["a"])
    assert (match.is_match, match.jaccard, match.reason) == (None, None, "no_gold")
    assert list_match(["a"], None).reason == "no_answer"


def test_item_similarity_is_a_boundary() -> None:
    # three of twenty letters replaced are 6 edits of 40 letters: 100 * (1 - 6 / 40) = 85
    scores = similarities(["aaaaaaaaaaaaaaaaaaaa"], ["aaaaaaaaaaaaaaaaabbb", "aaaaaaaaaaaaaaaabbbb"])[0]
    assert scores.tolist() == [85.0, 80.0]
    assert 80.0 < ITEM_SIMILARITY == 82.0 < 85.0
    assert list_match(["aaaaaaaaaaaaaaaaaaaa"], ["aaaaaaaaaaaaaaaaabbb"]).is_match
    assert not list_match(["aaaaaaaaaaaaaaaaaaaa"], ["aaaaaaaaaaaaaaaabbbb"]).is_match


def test_a_noun_of_the_question_at_the_beginning_of_a_line_is_of_its_item() -> None:
    gold = ["Automotive Sales: $72,480 million", "Services And Other: $10,534 million", "Leasing: $1,827 million"]
    question = "Which figures does Tesla report for revenues by product or service in fiscal 2024?"
    assert list_match(gold, "\n".join(gold), question).jaccard == 1.0


def test_contradictions() -> None:
    assert contradict("sales rose 5%", "sales rose 6%")
    assert contradict("sales rose", "sales did not rise")
    assert contradict("sales rose", "sales fell")
    assert not contradict("sales rose 5%", "sales increased 5 percent")


@given(st.lists(st.text(alphabet="abcde fgh", min_size=1, max_size=12), min_size=1, max_size=6), st.randoms())
def test_order_does_not_matter(items: list[str], random) -> None:
    shuffled = items[:]
    random.shuffle(shuffled)
    match = list_match(items, shuffled)
    assert match.jaccard == (1.0 if any(normalised(item) for item in items) else None)


def test_items_of_a_real_list() -> None:
    text = "Risks:\n\n- **Cyber**: attacks, breaches\n- **Privacy**: laws; rules"
    assert split_items(text) == ["**Cyber**: attacks, breaches", "**Privacy**: laws; rules"]


@pytest.mark.parametrize("verb", ["identifies", "identified", "lists", "reported", "has"])
def test_what_counts_the_items_is_none(verb):
    items = in_prose(f"The filing {verb} three segments, Retail, Wholesale and Services.", ("Retail", "Wholesale"))
    assert items == ["Retail", "Wholesale", "Services"]


@pytest.mark.parametrize(
    ("answer", "is_match"),
    [
        ("EUR, GBP and RMB", True),
        ("the euro, pound sterling and the Chinese renminbi", True),
        ("EUR, GBP and JPY", False),
        ("EUR/USD, GBP and CNY", False),
    ],
)
def test_currencies_by_code_or_name(answer: str, is_match: bool) -> None:
    gold = ["euro", "British pound", "Chinese yuan"]
    assert list_match(gold, answer, "Which currencies matter most?").is_match is is_match
    # beside a figure a code is of an amount
    assert full_name("EUR 5 million, 5 GBP") == "EUR 5 million, 5 GBP"


@pytest.mark.parametrize("case", BOOLEANS, ids=lambda case: case["case_id"])
def test_boolean_case(case: dict[str, str]) -> None:
    assert parse_boolean(case["answer"])[0] is STATED[case["stated"]], parse_boolean(case["answer"])


@pytest.mark.parametrize(
    "name", ["Dropbox", "Fallon", "Gainsborough", "Growmark", "Hikma", "Surgery Partners", "Lowerre"]
)
def test_a_name_is_no_direction(name: str) -> None:
    rose, fell = f"{name}'s revenue increased 13% in 2021.", f"{name}'s revenue declined 4% in 2021."
    asks_rise, asks_fall = (f"Did {name}'s revenue {change} in 2021?" for change in ("increase", "decline"))
    assert [parse_boolean(said, asks_rise)[0] for said in (rose, fell)] == [True, False]
    assert [parse_boolean(said, asks_fall)[0] for said in (rose, fell)] == [False, True]


WAGES = "Did Orbit's wage and rent cost rise in 2024?"
HARBOR = "Did Orbit's Harbor net sales decrease in 2024?"
SOUTH_BAY = "According to the 2025 10-K of Orbit, Inc., was there an increase in its South Bay revenues?"
REVENUE = "Did Orbit's revenue fall in fiscal 2024?"


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        ("Did R&D spending exceed $50 million in 2020?", "R&D spending was $38.9 million in 2020.", False),
        ("Did R&D spending exceed $50 million in 2020?", "R&D spending was $51 million, up from $49 million.", True),
        ("Was the tax rate below 21% in 2020?", "The tax rate was 24.6% in 2020.", False),
        ("Was the tax rate above 21% in 2020?", "The tax rate was 18% or 24%.", None),
        ("Was the tax rate above 21% in 2020?", "Debt was 24.6% of capital.", None),
        ("Has it more than one reportable segment?", "It has three reportable segments.", True),
        ("Does it have a customer above 10% of revenue?", "The text does not say whether any is above 10%.", None),
        ("Did it incur restructuring charges?", "Restructuring charges were zero in 2021.", False),
        ("Did it make acquisitions?", "There were no acquisitions in 2018.", False),
        ("Did it acquire another company?", "There were no acquisitions in 2018.", False),
        ("Did it miss any interest payment?", "It missed the interest payment of May.", True),
        ("Were any weaknesses identified?", "None were identified.", False),
        ("Has it a material weakness?", "Controls were not effective because of one in tax.", True),
        ("Did its margin shrink in 2022?", "The margin was 31.4% after 33.0%. It therefore shrank.", True),
        ("Did revenue grow in 2022?", "Revenue was $801 million in 2021 and $884 million in 2022.", True),
        ("Did revenue grow in 2022?", "In 2022 revenue was $801 million, in 2021 $884 million.", False),
        ("Did revenue grow in 2022?", "Revenue was $801 million and $884 million.", None),
        ("Did its margin expand in 2023?", "The margin went from 11.4% to 9.8%.", False),
        ("Did occupancy improve in 2021?", "Occupancy recovered to 61% after 38% the year before.", True),
        ("Did it earn over $3 per share?", "Earnings per share were $2.74, down from $3.05.", False),
        ("Is its internal control effective?", "Management identified two material weaknesses.", False),
        ("Was it in breach of a covenant?", "It was in compliance with every covenant.", False),
        ("Was it in breach of a covenant?", "It was not in compliance with one covenant.", True),
        ("Is there substantial doubt about it?", "The loan was extended, so no substantial doubt remains.", False),
        ("Has it remediated the weakness?", "The weakness will not be considered remediated until 2023.", False),
        ("Was reserve development favorable?", "Reserves developed unfavorably by $22.7 million.", False),
        ("Is it incorporated in Delaware?", "That's right: it is a Delaware corporation.", True),
        ("Did it increase its dividend?", "It maintained its dividend at $0.20 per share.", False),
        ("Did it meet its guidance?", "It fell short of its guidance.", False),
        ("Did its share rise?", "It was 16.2% in 2021, against 14.8% in 2020, so the answer is yes [2].", True),
        ("Was it in breach of a covenant?", "The text does not say whether it was in compliance.", None),
        ("Was the deal material?", "The excerpts do not say whether the deal was immaterial.", None),
        ("Has it a material weakness?", "The text does not disclose whether controls were ineffective.", None),
        ("Is its control effective?", "No information on whether its control was ineffective is given.", None),
        ("Did revenue grow in 2022?", "Revenue was $884 million in 2022 and net income $90 million in 2021.", None),
        ("Did its margin improve in 2022?", "The margin in 2022 was 12%, versus 11% for peers.", None),
        ("Did its margin improve in 2022?", "The margin was 12%, versus 11% the prior year.", True),
        ("Did it repurchase stock in 2023?", "In 2022 the company repurchased $75 million of stock.", None),
        ("Did it repurchase stock in 2023?", "The company repurchased stock in 2022 and 2023.", True),
        ("Did revenue rise in 2021?", "No doubt, revenue rose.", True),
        ("Did revenue rise in 2021?", "There is no doubt that revenue rose.", True),
        ("Did revenue rise in 2021?", "No doubt, revenue fell.", False),
        ("Did revenue rise in 2021?", "Correct, it did not rise.", False),
        ("Did revenue rise in 2021?", "Correct, it rose.", True),
        ("Did revenue rise in 2021?", "Correct, the filing says so, but does not say why.", True),
        ("Did revenue rise in 2021?", "Yes. However, it actually fell.", None),
        ("Did revenue rise in 2021?", "Yes. However, costs rose too.", True),
        ("Did revenue rise in 2021?", "Yes. It rose 5%. However, it fell in the fourth quarter.", True),
        ("Did sales in Asia rise?", "Sales in Asia decreased.\n\nFinal answer: No", False),
        ("Did other income rise?", "Other income decreased.\nAnswer: Yes", True),
        ("Did costs rise?", "2023: $2,459M. 2024: $2,725M.\n\n### Final Answer\n**Yes**", True),
        ("Did costs rise?", "Costs decreased. The final answer is: Yes.", True),
        ("Did costs rise?", "No.\n\nQuestion: Did sales rise?\nAnswer: Yes", False),
        ("Did costs rise?", "Step 1: the figures. They fell.\nAnswer: see above", False),
        ("Did sales decrease?", "No [1]", False),
        ("Did sales decrease?", "**No** (they increased)", False),
        ("Did sales decrease?", "No (+3%)", False),
        ("Did costs rise?", "They did not decrease; they increased.", True),
        ("Did costs rise?", "They did not increase; they decreased.", False),
        ("Did costs rise?", "Costs did not decline but increased.", True),
        ("Did costs rise?", "Costs did not decrease. They rose by $266 million.", True),
        ("Did costs rise?", "They did not decrease; they were flat.", False),
        ("Did sales decrease?", "They did not fall. They rose 3%.", False),
        ("Did sales decrease?", "They did not grow but fell.", True),
        ("Did costs rise?", "It was not a decrease but an increase.", True),
        (WAGES, "There was an increase of $26 million.", True),
        (WAGES, "There was a slight decrease in 2024.", False),
        (WAGES, "There was an increase of $26 million in rent.", None),
        (WAGES, "There was an increase in rent.", None),
        (WAGES, "The cost grew 11%.", True),
        (WAGES, "The price grew 11%.", None),
        (WAGES, "Actually, they fell.", False),
        (WAGES, "The filing says it rose, mainly due to wages.", True),
        (WAGES, "The filing says prices rose.", None),
        (WAGES, "Wage and rent cost of $27 million was higher than the $24 million in 2023.", True),
        (WAGES, "Wage and rent cost was higher in 2023 than in 2022.", None),
        (WAGES, "Orbit's wage income rose, but its wage and rent cost decreased.", False),
        (WAGES, "Tax cost rose, while wage and rent cost decreased.", False),
        (WAGES, "Tax cost fell, while wage and rent cost increased.", True),
        (HARBOR, "Harbor net sales rose 3%, but Mountain net sales decreased.", False),
        (HARBOR, "Mountain net sales rose 3%, but Harbor net sales decreased.", True),
        (SOUTH_BAY, "South Bay revenues decreased in 2025.", False),
        (SOUTH_BAY, "North Bank revenues decreased in 2025.", None),
        (REVENUE, "Revenue increased in 2023 but decreased in 2024.", True),
        (REVENUE, "Revenue decreased in 2023 but increased in 2024.", False),
        (REVENUE, "Costs rose, and revenue fell.", True),
        (REVENUE, "Revenue was up 3%.", False),
        (REVENUE, "Orbit's net sales were down 3%.", True),
        (REVENUE, "Revenue came in up 3%.", False),
        (REVENUE, "Revenue: down 3%", True),
        (REVENUE, "Cost of revenue was down 3%.", None),
        (REVENUE, "Costs fell.", None),
        ("Did Orbit's debt cost rise in 2024?", "Debt rose.", None),
        ("Did Orbit's debt cost rise in 2024?", "The debt increased.", None),
        ("Did Orbit's debt cost rise in 2024?", "The cost increased.", True),
        ("Was there a decrease in its revenue of the Help segment?", "Help revenue was up, on new plans.", False),
        ("Was there a decrease in its revenue of the Help segment?", "Plans revenue was up, on new plans.", None),
        ("Did the net income of Orbit, Inc. rise?", "Profit was down 3%.", False),
        ("Did Orbit report higher net income for 2024 than for 2023?", "Net income was down 3%.", False),
        ("Was its cash provided by operating activities higher in 2024?", "Operating cash flow was down.", False),
        ("Did Orbit's capital expenditures rise?", "Capex was up 3%.", True),
        ("Did Orbit's research and design expenses rise?", "R&D expenses were up 3%.", True),
        ("Did Orbit's research and design expenses rise?", "SG&A expenses were up 3%.", None),
        ("Did Orbit's revenue growth outpace that of 2023?", "Revenue grew 9% in 2024 against 14% in 2023.", None),
        (REVENUE, "It went from $4 to $5 million, so the answer would be no.", False),
        (REVENUE, "Let us compare. In 2023 it was $4 million. Since 4 < 5, the answer is no.", False),
    ],
)  # fmt: skip
def test_yes_or_no_by_figures_and_nouns(question: str, answer: str, stated: bool | None) -> None:
    assert parse_boolean(answer, question)[0] is stated, parse_boolean(answer, question)


@pytest.mark.parametrize(
    ("gold", "answer", "verdict", "reason"),
    [
        ("Yes. It does.", "Yes, in both years.", "matched", "leading"),
        ("Yes. It does.", "No.", "unmatched", "leading"),
        (False, "It does not attribute the change to currency.", "matched", "denial"),
        (True, True, "matched", "field"),
        (True, None, "no_answer", "empty"),
        ("Yes.", "I cannot answer this question.", "no_answer", "abstains"),
        ("It depends on the year.", "Yes.", "no_answer", "gold_unclear"),
    ],
)
def test_boolean_match(gold: str | bool, answer: str | bool | None, verdict: str, reason: str) -> None:
    match = boolean_match(gold, answer)
    assert (match.verdict, match.reason) == (verdict, reason)


@pytest.mark.parametrize(
    "case", [case for case in ABSTENTIONS if not case["case_id"].startswith("blind")], ids=lambda case: case["case_id"]
)
def test_abstention_case(case: dict[str, str]) -> None:
    assert abstention(case["answer"]).kind == case["kind"], abstention(case["answer"])


def test_every_abstention_that_is_misread_is_known() -> None:
    blind = [case for case in ABSTENTIONS if case["case_id"].startswith("blind")]
    assert {case["case_id"] for case in blind if abstention(case["answer"]).kind != case["kind"]} == MISREAD
    is_full = [(case["kind"] == "full", abstention(case["answer"]).kind == "full") for case in blind]
    assert sum(wrong != said for wrong, said in is_full) <= 0.06 * len(blind)


@pytest.mark.parametrize(
    ("instead", "kind"),
    [
        ("it uses net income as its measure", "full"),
        ("it uses net income before taxes as its measure", "partial"),
        ("it uses net income as its definition", "partial"),
        ("it uses it as a measure", "partial"),
    ],
)
def test_what_is_used_where_there_is_no_definition(instead: str, kind: str) -> None:
    answer = f"Orbit does not define core profit; {instead}."
    assert abstention(answer, "How does Orbit define core profit?").kind == kind
    assert abstention(answer).kind == "partial"  # where there is an answer it may be this one


def test_abstention_boundaries(monkeypatch) -> None:
    refusal = "I cannot answer this question."
    assert abstention(f"{refusal} {'Words ' * (MAX_OTHER_WORDS - 1)}end.").kind == "full"
    assert abstention(f"{refusal} {'Words ' * MAX_OTHER_WORDS}end.").kind == "partial"
    assert abstention(f"Sales rose in all regions. Costs rose in most of them. {refusal}").kind == "none"
    monkeypatch.setattr(abstention_rule, "LEAD_SENTENCES", 3)
    # another text: what was said of the first is remembered
    assert abstention(f"Sales fell in all regions. Costs rose in most of them. {refusal}").kind == "full"


def test_sentences_of_filings_hardly_abstain(real_data) -> None:
    """As answers quote them: 57 of the first 15,000 of this order."""
    sentences = duckdb.sql(
        f"select distinct sentence from '{real_data}/finsights/sentences/*.parquet' "
        "where length(sentence) between 30 and 400 order by md5(sentence) limit 3000"
    ).fetchall()
    read = [text for (text,) in sentences if abstention(text).kind != "none"]
    assert len(sentences) == 3000 and len(read) <= 15, read


def test_abstention_on_the_real_answers(real_data) -> None:
    # Read by hand: these five only refuse, these three refuse and then tell something else, the other fifteen answer.
    kinds = {"full": [], "partial": [], "none": []}
    for path in sorted((real_data / "finsights" / "runs").glob("*.json")):
        answer = json.loads(path.read_text(encoding="utf-8"))["answer"]
        kinds[abstention(answer).kind].append(path.stem.removeprefix("response_202511"))
    assert kinds["full"] == ["19T130742", "19T140058", "19T140306", "20T014814", "20T015127"]
    assert kinds["partial"] == ["19T130446", "20T013735", "20T014649"]
    assert len(kinds["none"]) == 15


def test_sentences_keep_abbreviations_and_decimals() -> None:
    assert sentences("Walmart Inc. paid $2.5 million. It grew.\n- **Apple**: fell vs. 2019.") == [
        "Walmart Inc. paid $2.5 million.",
        "It grew.",
        "Apple: fell vs. 2019.",
    ]


def test_the_name_of_a_form_ends_a_sentence_and_an_initial_does_not() -> None:
    assert sentences("See our Form 10-K. We filed a Form 8-K. J. P. Morgan lent. It is on Form 20-F. Sales rose.") == [
        "See our Form 10-K.",
        "We filed a Form 8-K.",
        "J. P. Morgan lent.",
        "It is on Form 20-F.",
        "Sales rose.",
    ]


PAIRS = rows_of("tests/fixtures/list_pair_cases.csv")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['gold']} / {pair['answer']}")
def test_item_similarity_parts_labelled_pairs(pair: dict[str, str]) -> None:
    score = similarities([pair["gold"]], [pair["answer"]])[0, 0]
    assert (score >= ITEM_SIMILARITY) == (pair["same"] == "yes"), score


@pytest.mark.parametrize(
    ("gold", "answer", "jaccard"),
    [
        # a noun that all items end in is left out of both only where something is left
        (["More loads", "Higher revenue per load"], "more trucks and higher revenue per truck", 0.0),
        (["More loads", "Higher revenue per load"], "more loads and higher revenue per load", 1.0),
        (["Second quarter", "Third quarter"], "the second and third quarters", 1.0),
        # the other of two is right: 1 / (2 + 2 - 1)
        (["New restaurants", "Higher guest counts"], "fewer new restaurants and higher guest counts", 1 / 3),
        (["New restaurants", "Higher guest counts"], "new restaurants and higher guest counts", 1.0),
        (["Favorable weather", "Higher volume"], "Unfavorable weather and higher volume", 1 / 3),
    ],
)
def test_opposites_and_neighbours_in_a_text(gold: list[str], answer: str, jaccard: float) -> None:
    question = "List the drivers that the company gives for the change."
    assert list_match(gold, answer, question).jaccard == pytest.approx(jaccard)


@pytest.mark.parametrize(
    ("gold", "answer", "is_match"),
    [
        # a cause and its effect, both turned round or one of them
        ("Lower fares due to higher capacity", "Higher fares due to lower capacity", False),
        ("Lower fares due to higher capacity", "Lower fares due to less capacity", False),
        ("Lower fares due to higher capacity", "Higher fares due to higher capacity", False),
        ("Lower fares due to higher capacity", "Fares fell on higher capacity", True),
        ("Lower fares due to higher capacity", "A fare decline due to increased capacity", True),
        ("Higher fares offset by lower traffic", "Lower fares offset by higher traffic", False),
        ("Higher fares offset by lower traffic", "Lower traffic offset higher fares", True),
        ("Fare growth and traffic decline", "Fare decline and traffic growth", False),
        ("Fare growth and traffic decline", "Growth in fares and a decline in traffic", True),
    ],
)
def test_directions_are_those_of_their_nouns(gold: str, answer: str, is_match: bool) -> None:
    assert list_match([gold], answer, "Which factors drove it?").is_match == is_match


@pytest.mark.parametrize(
    ("answer", "is_match"),
    [
        ("Fare decreases, higher traffic", False),
        ("Fare cuts, higher traffic", False),
        ("Fare hikes, higher traffic", True),
        ("Higher fares, higher traffic", True),
    ],
)
def test_a_direction_after_its_noun(answer: str, is_match: bool) -> None:
    assert list_match(["Fare increases", "Higher traffic"], answer, "Which factors drove it?").is_match == is_match


def test_of_one_thing_alone_nothing_is_turned_round() -> None:
    assert turned_round("Lower fares due to higher capacity", "higher fares due to lower capacity")
    assert not turned_round("Lower fares", "higher fares due to lower capacity")
    assert not turned_round("Lower fares due to higher capacity", "higher rents due to lower wages")
    assert not turned_round("Lower fares due to higher capacity", "higher or lower fares due to higher capacity")


def test_half_of_its_words_name_a_thing() -> None:
    assert turned_round("Lower corn prices due to higher supply", "Higher corn yields due to lower demand")  # 1 of 2
    assert not turned_round("Lower corn futures prices due to higher supply", "Higher corn yields due to lower demand")


def test_an_opposite_that_both_name_is_none() -> None:
    assert say_opposites("new wells", "old wells")
    assert not say_opposites("new and old wells", "old wells")
    assert not say_opposites("put options", "input costs")  # a short word
    assert contradict("direct costs", "indirect costs")
    assert not contradict("sales of new stores", "sales of stores")


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("sales volume", "sales value", True),
        ("sales volume", "sales volumes", False),
        ("price actions", "pricing action", False),
        ("store sales", "sales", False),
        ("three words here", "three words there", False),  # spelt alike: 2 * 4 / 9 is 89
        ("one of four words", "one of four deeds", False),  # too many
    ],
)
def test_one_other_word_among_few(one: str, other: str, differ: bool) -> None:
    assert has_other_word(one, other) == differ


DIVIDENDS = "How much in preferred dividends was paid in 2020?"
WEAKNESSES = "How many material weaknesses did Mills identify?"
BOUGHT = "How many shares were repurchased?"


@pytest.mark.parametrize(
    ("question", "answer", "is_none"),
    [
        (DIVIDENDS, "none", True),
        (DIVIDENDS, "No preferred dividends were paid.", True),
        (DIVIDENDS, "In 2020, no preferred dividends were paid.", True),
        (DIVIDENDS, "Mills paid no preferred dividends.", True),
        (DIVIDENDS, "The company did not pay any preferred dividends in 2020.", True),
        (WEAKNESSES, "There were no material weaknesses.", True),
        (WEAKNESSES, "Mills had no material weaknesses in its internal control.", True),
        (BOUGHT, "No shares were repurchased during the year.", True),
        # another quantity, act or year
        (DIVIDENDS, "No common dividends were paid.", False),
        (DIVIDENDS, "No preferred dividends were paid in 2019.", False),
        (WEAKNESSES, "There were no material changes.", False),
        (BOUGHT, "No shares were issued.", False),
        (BOUGHT, "It issued no shares.", False),
        # some, or nobody knows
        (DIVIDENDS, "Preferred dividends were not material.", False),
        (DIVIDENDS, "It did not pay all preferred dividends.", False),
        (DIVIDENDS, "No preferred dividends were paid before July, but some were later.", False),
        (BOUGHT, "No more shares than before were repurchased.", False),
        (DIVIDENDS, "not available", False),
        (DIVIDENDS, "No information is given.", False),
        (DIVIDENDS, "No preferred dividends are disclosed.", False),
        (DIVIDENDS, "It does not disclose any preferred dividends.", False),
        (DIVIDENDS, "The filing makes no mention of preferred dividends.", False),
        (DIVIDENDS, "", False),
    ],
)
def test_what_is_none_in_words(question: str, answer: str, is_none: bool) -> None:
    assert says_none(answer, question) == is_none


PARTS_OF_ORBIT = ["Tools and Small Machines", "Orbit Cloud", "North America", "Latin America"]


@pytest.mark.parametrize(
    ("answer", "jaccard"),
    [
        ("Tools, Cloud, North America, Latin America", 1.0),
        ("- Tools\n- **Cloud**\n- North America\n- Latin America", 1.0),
        ("Tools and Small Machines; Cloud; North America; Latin America", 1.0),
        ("Tools, Orbit Cloud, America, Latin America", 3 / 5),  # which America
        ("Tools, Norda Cloud, North America, Latin America", 3 / 5),
    ],
)
def test_names_of_parts_that_are_cut_short(answer: str, jaccard: float) -> None:
    assert list_match(PARTS_OF_ORBIT, answer, "Which segments does Orbit report?").jaccard == jaccard


@pytest.mark.parametrize(
    ("answer", "matched"),
    [
        ("Cloud, Sky and Cook", 3),
        ("Ms. Cloud (Chair), Ana Sky and Tim Cook", 3),
        ("M. T. Cloud; Ana B. Sky; Timothy Cook", 3),
        ("Maria Theresa Cloud, A. Sky, Director Cook", 3),
        ("Peter Cloud, Ana-Maria Sky, Tom Cook", 0),
        ("Maria J. Cloud, Sky Foods, Cook Islands", 0),
    ],
)
def test_names_of_persons_may_be_cut_short(answer: str, matched: int) -> None:
    board = ["Maria T. Cloud", "Ana Sky", "Timothy D. Cook"]
    assert list_match(board, answer, "Who are the directors?").matched_count == matched
    assert list_match([*board, "John Cook"], "Cook", "Who are the directors?").matched_count == 0


def test_names_of_parts_may_be_cut_short() -> None:
    assert list_match(["Maria Cloud", "Ana Sky"], "Cloud, Sky", "Which funds are there?").jaccard == 0.0
    assert list_match(["Orbit Cloud", "Orbit Sky"], ["Cloud", "Sky"], "Which segments are there?").jaccard == 1.0
    of_figures = ["Sand Basin: $5 million", "Copper Plains: $3 million"]
    question = "How are revenues broken down by segment?"
    assert list_match(of_figures, "Sand: $5 million; Copper: $3 million", question).jaccard == 1.0
    assert list_match(of_figures, "Sand: $3 million; Copper: $5 million", question).jaccard == 0.0
