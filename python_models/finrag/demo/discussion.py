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

# Companies whose 2021 filing still repeats, word for word, how 2020 compared with 2019.
REPEATERS = ("larkspur_vane", "quillon", "tarnwick")


def discussion(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    paragraphs = [
        Paragraph(list(mda.introduction)),
        Paragraph(
            [
                *(slots.fill(text) for text in (*profile.definitions[:1], *profile.results_yearly[:2])),
                slots.fill(pick(mda.overview_yearly, profile.key, slots.year)),
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
        Paragraph(sample(mda.critical_estimates, 2, profile.key, "estimates"), "Critical Accounting Estimates"),
        Paragraph([slots.fill(text) for text in mda.outlook_yearly], "Outlook"),
    ]
    if slots.year == 2021 and profile.key in REPEATERS:
        earlier = Slots(profile, slots.statements, 2020)
        paragraphs.insert(-2, Paragraph([*revenue(earlier), *operating(earlier)], "2020 Compared with 2019"))
    paragraphs[-1].sentences.append(pick(mda.references, profile.key, slots.year))
    return paragraphs


def say(slots: Slots, templates: Sequence[str], *key: object, **words: str) -> str:
    """One of the ways to say something, with a connector and the given words, filled."""
    key = (slots.profile.key, slots.year, *key)
    text = pick(templates, *key, "wording")
    words.setdefault("because", pick(results.connectors, *key, "connector"))
    words.setdefault("because_of", pick(("due to", "attributable to", "the result of", "driven by"), *key, "connector"))
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return slots.fill(text)


def cause_from(pool: dict[bool, Sequence[str]], slots: Slots, is_up: bool, *key: object) -> str:
    return rotate(pool[is_up], slots.year, slots.profile.key, *key)


def highlights(slots: Slots) -> list[str]:
    signs = (slots.now.operating_income > 0, slots.now.net_income > 0)
    pairs = zip(signs, results.highlights_gain, results.highlights_loss, strict=True)
    profits = [gain if is_gain else loss for is_gain, gain, loss in pairs]
    return [slots.fill(text) for text in (*results.highlights[:1], *profits, *results.highlights[1:])]


def revenue(slots: Slots) -> list[str]:
    profile, index = slots.profile, YEARS.index(slots.year)
    return [
        say(slots, results.revenue, "revenue", cause=profile.revenue_causes[index]),
        say(slots, results.revenue_offset, "offset", offset=profile.revenue_offsets[index]),
        say(slots, results.revenue_again, "again"),
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
        for templates, what in ((results.segment, "segment"), (results.segment_share, "share")):
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
        template = pick(results.gross_margin, slots.profile.key, slots.year, "gross margin")
        # Gross profit in dollars may rise while the margin falls: the cause follows what the sentence is about.
        is_up = slots.values["gross_profit"].is_up if template.startswith("Gross profit") else margin.is_up
        cause = cause_from(causes.gross_margin, slots, is_up, "gross margin")
        sentences += [
            say(slots, (template,), "gross margin", cause=cause),
            say(slots, results.gross_profit_again, "gross profit"),
        ]
    sentences += [say(slots, results.cost, "cost"), say(slots, results.expenses, "expenses")]
    sentences += [slots.fill(text) for text in results.depreciation]
    return sentences


def operating(slots: Slots) -> list[str]:
    state = slots.values["operating_income"].state
    cause = slots.profile.operating_causes[YEARS.index(slots.year)]
    sentences = [say(slots, results.operating[state], "operating", cause=cause)]
    if state == "gain":
        sentences.append(say(slots, results.operating_margin, "operating margin"))
    return sentences


def below_operating(slots: Slots) -> list[str]:
    interest, net = slots.values["interest"], slots.values["net_income"]
    now, before, before_that = slots.now, slots.before, slots.statements.get(slots.year - 2, slots.before)
    borrowings_rose = now.debt + before.debt >= before.debt + before_that.debt
    if borrowings_rose == interest.is_up and slots.year % 2 == 0:
        interest_cause = causes.average_borrowings[interest.is_up]
    else:
        interest_cause = cause_from(causes.interest, slots, interest.is_up, "interest")
    together = net.is_up == slots.values["operating_income"].is_up
    net_cause = cause_from(causes.net_income if together else causes.net_income_below, slots, net.is_up, "net income")
    if now.net_income < 0:
        per_share = results.eps_loss
    else:
        per_share = results.eps_gain if before.net_income > 0 else results.eps_turn
    return [
        say(slots, results.interest, "interest", cause=interest_cause),
        say(slots, results.interest_income, "interest income"),
        say(slots, results.tax, "tax"),
        say(slots, results.net_income[net.state], "net income", cause=net_cause),
        say(slots, per_share, "eps"),
    ]


def non_gaap(slots: Slots) -> list[str]:
    definitions = [slots.fill(text) for text in slots.profile.definitions[1:]]
    return [*results.non_gaap_introduction, *definitions, *(slots.fill(text) for text in results.non_gaap)]


def cash_flows(slots: Slots) -> list[str]:
    cfo, capex = slots.values["cfo"], slots.values["capex"]
    common = sample(liquidity.common, 2, slots.profile.key, "liquidity")
    return [
        *common,
        say(slots, liquidity.cash, "cash"),
        say(slots, liquidity.cfo[cfo.state], "cfo", cause=cause_from(causes.cfo, slots, cfo.is_up, "cfo")),
        say(slots, liquidity.capex, "capex", cause=cause_from(causes.capex, slots, capex.is_up, "capex")),
        *(slots.fill(text) for text in liquidity.capex_again),
    ]


def debt(slots: Slots) -> list[str]:
    figure = slots.values["debt"]
    if figure.units == figure.prior_units:
        sentences = [say(slots, liquidity.debt_unchanged, "debt")]
    else:
        sentences = [say(slots, liquidity.debt, "debt", cause=cause_from(causes.debt, slots, figure.is_up, "debt"))]
    sentences.append(say(slots, liquidity.financing, "financing"))
    if slots.now.dividends:
        sentences.append(say(slots, liquidity.dividends, "dividends"))
    bought = liquidity.repurchases if slots.now.repurchases else liquidity.no_repurchases
    sentences.append(say(slots, bought, "repurchases"))
    sentences += [slots.fill(text) for text in liquidity.obligations]
    return sentences
