"""Writes Item 7: every figure with its comparison and its cause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.demo.choices import pick, rotate, sample
from finrag.demo.document import Paragraph
from finrag.demo.money import Metric
from finrag.demo.profile import YEARS
from finrag.demo.prose import causes, liquidity, mda, results
from finrag.demo.slots import Slots

# Companies whose 2019 filing still repeats, word for word, how 2018 compared with 2017.
REPEATERS = ("larkspur_vane", "quillon", "tarnwick")


def discussion(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    paragraphs = [
        Paragraph(list(mda.INTRODUCTION)),
        Paragraph(
            [
                *(slots.fill(text) for text in (*profile.definitions[:1], *profile.results_yearly[:2])),
                slots.fill(pick(mda.OVERVIEW_YEARLY, profile.key, slots.year)),
            ],
            "Overview",
        ),
        Paragraph(highlights(slots), listed=True),
        Paragraph(revenue(slots), "Results of Operations"),
        *segments(slots),
        Paragraph(margins(slots)),
        Paragraph(operating(slots)),
        Paragraph(below_operating(slots)),
        Paragraph(non_gaap(slots), "Non-GAAP Measures"),
        Paragraph(cash_flows(slots), "Liquidity and Capital Resources"),
        Paragraph(debt(slots)),
        Paragraph(sample(mda.CRITICAL_ESTIMATES, 2, profile.key, "estimates"), "Critical Accounting Estimates"),
        Paragraph([slots.fill(text) for text in mda.OUTLOOK_YEARLY], "Outlook"),
    ]
    if slots.year == 2019 and profile.key in REPEATERS:
        earlier = Slots(profile, slots.statements, 2018)
        paragraphs.insert(-2, Paragraph([*revenue(earlier), *operating(earlier)], "2018 Compared with 2017"))
    paragraphs[-1].sentences.append(pick(mda.REFERENCES, profile.key, slots.year))
    return paragraphs


def say(slots: Slots, templates: Sequence[str], *key: object, **words: str) -> str:
    """One of the ways to say something, with a connector and the given words, filled."""
    key = (slots.profile.key, slots.year, *key)
    text = pick(templates, *key, "wording")
    words.setdefault("because", pick(results.CONNECTORS, *key, "connector"))
    words.setdefault("because_of", pick(("due to", "attributable to", "the result of", "driven by"), *key, "connector"))
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return slots.fill(text)


def cause_from(pool: dict[bool, Sequence[str]], slots: Slots, is_up: bool, *key: object) -> str:
    return rotate(pool[is_up], slots.year, slots.profile.key, *key)


def highlights(slots: Slots) -> list[str]:
    signs = (slots.now.operating_income > 0, slots.now.net_income > 0)
    pairs = zip(signs, results.HIGHLIGHTS_GAIN, results.HIGHLIGHTS_LOSS, strict=True)
    profits = [gain if is_gain else loss for is_gain, gain, loss in pairs]
    return [slots.fill(text) for text in (*results.HIGHLIGHTS[:1], *profits, *results.HIGHLIGHTS[1:])]


def revenue(slots: Slots) -> list[str]:
    profile, index = slots.profile, YEARS.index(slots.year)
    return [
        say(slots, results.REVENUE, "revenue", cause=profile.revenue_causes[index]),
        say(slots, results.REVENUE_OFFSET, "offset", offset=profile.revenue_offsets[index]),
        say(slots, results.REVENUE_AGAIN, "again"),
        *(slots.fill(text) for text in profile.results_yearly[2:]),
        *profile.attributions.get(slots.year, ()),
    ]


def segments(slots: Slots) -> list[Paragraph]:
    paragraphs = []
    for position, segment in enumerate(slots.profile.segments, start=1):
        part = slots.values[f"s{position}_revenue"]
        assert isinstance(part, Metric)
        drivers = segment.up if part.is_up else segment.down
        driver = rotate(drivers, slots.year, slots.profile.key, segment.name)
        words = {"segment": segment.name, "part_start": str(slots.values["part_rev"]).capitalize(), "driver": driver}
        sentences = []
        for templates, what in ((results.SEGMENT, "segment"), (results.SEGMENT_SHARE, "share")):
            text = pick(templates, slots.profile.key, slots.year, segment.name, what)
            text = re.sub(r"\{part(?=[.:}])", f"{{s{position}_revenue", text)
            text = re.sub(r"\{share(?=[.:}])", f"{{s{position}_share", text)
            sentences.append(say(slots, (text,), segment.name, what, **words))
        paragraphs.append(Paragraph(sentences))
    return paragraphs


def margins(slots: Slots) -> list[str]:
    sentences = []
    if slots.now.gross_profit is not None:
        margin = slots.values["gross_margin"]
        template = pick(results.GROSS_MARGIN, slots.profile.key, slots.year, "gross margin")
        # Gross profit in dollars may rise while the margin falls: the cause follows what the sentence is about.
        is_up = slots.values["gross_profit"].is_up if template.startswith("Gross profit") else margin.is_up
        cause = cause_from(causes.GROSS_MARGIN, slots, is_up, "gross margin")
        sentences += [
            say(slots, (template,), "gross margin", cause=cause),
            say(slots, results.GROSS_PROFIT_AGAIN, "gross profit"),
        ]
    sentences += [say(slots, results.COST, "cost"), say(slots, results.EXPENSES, "expenses")]
    sentences += [slots.fill(text) for text in results.DEPRECIATION]
    return sentences


def operating(slots: Slots) -> list[str]:
    state = slots.values["operating_income"].state
    cause = slots.profile.operating_causes[YEARS.index(slots.year)]
    sentences = [say(slots, results.OPERATING[state], "operating", cause=cause)]
    if state == "gain":
        sentences.append(say(slots, results.OPERATING_MARGIN, "operating margin"))
    return sentences


def below_operating(slots: Slots) -> list[str]:
    interest, net = slots.values["interest"], slots.values["net_income"]
    now, before, before_that = slots.now, slots.before, slots.statements.get(slots.year - 2, slots.before)
    borrowings_rose = now.debt + before.debt >= before.debt + before_that.debt
    if borrowings_rose == interest.is_up and slots.year % 2 == 0:
        interest_cause = causes.AVERAGE_BORROWINGS[interest.is_up]
    else:
        interest_cause = cause_from(causes.INTEREST, slots, interest.is_up, "interest")
    together = net.is_up == slots.values["operating_income"].is_up
    net_cause = cause_from(causes.NET_INCOME if together else causes.NET_INCOME_BELOW, slots, net.is_up, "net income")
    if now.net_income < 0:
        per_share = results.EPS_LOSS
    else:
        per_share = results.EPS_GAIN if before.net_income > 0 else results.EPS_TURN
    return [
        say(slots, results.INTEREST, "interest", cause=interest_cause),
        say(slots, results.INTEREST_INCOME, "interest income"),
        say(slots, results.TAX, "tax"),
        say(slots, results.NET_INCOME[net.state], "net income", cause=net_cause),
        say(slots, per_share, "eps"),
    ]


def non_gaap(slots: Slots) -> list[str]:
    definitions = [slots.fill(text) for text in slots.profile.definitions[1:]]
    return [*results.NON_GAAP_INTRODUCTION, *definitions, *(slots.fill(text) for text in results.NON_GAAP)]


def cash_flows(slots: Slots) -> list[str]:
    cfo, capex = slots.values["cfo"], slots.values["capex"]
    common = sample(liquidity.COMMON, 2, slots.profile.key, "liquidity")
    return [
        *common,
        say(slots, liquidity.CASH, "cash"),
        say(slots, liquidity.CFO[cfo.state], "cfo", cause=cause_from(causes.CFO, slots, cfo.is_up, "cfo")),
        say(slots, liquidity.CAPEX, "capex", cause=cause_from(causes.CAPEX, slots, capex.is_up, "capex")),
        *(slots.fill(text) for text in liquidity.CAPEX_AGAIN),
    ]


def debt(slots: Slots) -> list[str]:
    figure = slots.values["debt"]
    if figure.units == figure.prior_units:
        sentences = [say(slots, liquidity.DEBT_UNCHANGED, "debt")]
    else:
        sentences = [say(slots, liquidity.DEBT, "debt", cause=cause_from(causes.DEBT, slots, figure.is_up, "debt"))]
    sentences.append(say(slots, liquidity.FINANCING, "financing"))
    if slots.now.dividends:
        sentences.append(say(slots, liquidity.DIVIDENDS, "dividends"))
    bought = liquidity.REPURCHASES if slots.now.repurchases else liquidity.NO_REPURCHASES
    sentences.append(say(slots, bought, "repurchases"))
    sentences += [slots.fill(text) for text in liquidity.OBLIGATIONS]
    return sentences
