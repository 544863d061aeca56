"""Gold items aligned with an answer: found as they stand, and with one more or one denied no whole list."""

from __future__ import annotations

import pytest

from finrag.scoring.alignment import align
from finrag.scoring.lists import list_match

BRANDS = ["Kestrel", "Volt", "Norda"]
QUESTION = "Which brands does the company sell?"


def is_whole(wanted, answer, question):
    aligned = align(wanted, answer, question)
    return len(aligned.found) == len(wanted) and not aligned.further


@pytest.mark.parametrize(
    "answer",
    [
        "The segment sells names such as Kestrel, Volt and Norda, which have grown.",
        "Revenue of our Kestrel, Volt, and Norda brands increased by 12%.",
        "Growth came from Norda, Kestrel and Volt to fund expansion.",
        "It operates three brands: **Kestrel**, **Volt**, and **Norda** [1].",
        "The filing names Kestrel, Volt, and Norda as its brands.",
        'Management noted that "sales under Kestrel, Volt and Norda rose" [NBR, FY 2020, Item 7].',
        "Breaches affect millions of Kestrel, Volt, Norda and other types of customers.",
    ],
)
def test_a_whole_list_is_found(answer):
    assert is_whole(BRANDS, answer, QUESTION)


@pytest.mark.parametrize(
    "answer",
    [
        "It sells Kestrel and Volt.",
        "It sells Zed, Kestrel, Volt and Norda.",
        "It sells Kestrel, Volt, Zed, and Norda.",
        "It sells Kestrel, Volt, Norda and Zed.",
        "It sells Kestrel, Volt and Norda; Zed; Alto.",
        "It sells Kestrel, Volt and Norda, with Zed as a fourth brand.",
        "It sells Kestrel, Volt and Norda in Europe and Zed in Asia.",
        "Names such as Kestrel, Volt and Norda, have grown, and Zed too.",
        "It sells Kestrel, Volt and Norda. It also sells Zed.",
        "It does not sell Kestrel, Volt and Norda.",
        "It sells Zed, unlike Kestrel, Volt and Norda.",
    ],
)
def test_with_another_item_or_one_less_it_is_none(answer):
    assert not is_whole(BRANDS, answer, QUESTION)


def test_a_single_item_beside_another():
    assert not is_whole(["Kestrel"], "It sells Kestrel and Volt.", QUESTION)


@pytest.mark.parametrize(
    ("gold", "answer", "question"),
    [
        ("fund part of the Norda price|general uses", "To fund part of the price for Norda and general uses.", None),
        ("lower freight costs|new stores", "The drivers were lower costs of freight and new stores.", None),
        ("North|VLT", "The segments are **North** and **Volt Learning Tools (VLT)**.", None),
        ("North|Volt Learning Tools", "North and VLT.", "What did North and Volt Learning Tools (VLT) report?"),
        ("Kestrel Data|Norda", "It bought **Kestrel Data** (May 2021) and **Norda** (June 2021) [Note 3].", None),
        ("Volt|server tools", "- Volt growth of **9%**\n- Server tools growth of 4%", "Which drove growth?"),
        ("Volt's Kestrel|Norda", "The filing lists two: **Kestrel** (Volt) and **Norda**.", None),
        ("Kestrel|Norda", "Zed has two brands, Kestrel and Norda [ZED, FY 2024, Item 1].", None),
        ("strong sales|Norda purchase", "Strong sales, plus the addition of sales from the Norda purchase.", None),
        ("data events|harm", "It flags data events involving shops and banks, and harm.", None),
        ("first quarter|third quarter", "It bought shares in Q1 and Q3 of 2023, but not in Q2.", None),
        ("March 15, 2022|June 15, 2022", "They were paid on March 15 and June 15, 2022.", None),
        ("Norway|Mexico|Chile", "It works in Norway, Mexico and Chile, and leases its main office.", None),
        ("pay and benefits|compute", "- a 27% increase in pay and benefits, reflecting growth\n- compute", None),
        ("OEMs|shops", "Zed names original equipment manufacturers (OEMs) and shops.", None),
        ("tax benefits from share-based pay|fees", "Tax benefits recognized from share-based pay and fees.", None),
        ("Norway|Other Overseas", "They are Norway Operations and Other Overseas Operations.", None),
        ("phishing|fraud", "It names threats, such as phishing attacks and fraud.", None),
        ("North|VLT", 'The segments are North and Volt Learning Tools ("VLT").', None),
        ("lack of a work force|fire", "- Lack of a workforce\n- Fire", None),
        ("Audit Panel|response teams", "An Audit Panel comprised of directors, and cross-site response teams.", None),
        ("higher Norda pay|rent", "Pay at Norda was higher; in addition, there was rent.", None),
        ("margin expansion|debt reduction", "The goals are expanding margins and reducing debt.", None),
        ("Norda|Volt", "Norda (6%), run from Oslo, and Volt, Inc. (5%); Zed was below the threshold.", None),
        ("Ireland|China", "Plants are in Leixlip, Ireland; and Dalian, China.", None),
        ("bonds|bank debt losses", "Losses came from bonds and from bank debt.", "Which losses are named?"),
        ("review teams|control tools", "Review teams and strong control tools designed to meet laws and rules.", None),
    ],
)  # fmt: skip
def test_an_item_in_other_words(gold, answer, question):
    assert list_match(gold.split("|"), answer, question).is_match


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("fund part of the Norda price|general uses", "To fund part of the price for Volt and general uses."),
        ("lower freight costs|new stores", "The drivers were higher costs of freight and new stores."),
        ("response teams|control systems", "Control systems and no response teams."),
        ("response teams|control systems", "Control systems and former response teams."),
        ("Norway|Mexico", "It works in Norway, but not Mexico."),
        ("Norway|Mexico", "It works in Norway, Mexico, Chile and Peru."),
        ("pay|compute", "- a 27% decrease in pay\n- compute"),
        ("North|VLT", "The segments are North and Volt Living Tables (VLX)."),
        ("North|Norda", "North is named; Norda is not mentioned."),
        ("higher pay|lower rent", "Drivers were higher pay and higher rent."),
        ("pay|price of Norda", "It was pay and the price of Volt."),
    ],
)  # fmt: skip
def test_another_thing_in_like_words(gold, answer):
    assert not list_match(gold.split("|"), answer).is_match
