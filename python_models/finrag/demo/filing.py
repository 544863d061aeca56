"""Writes one filing: which prose goes into which item, and in what order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag.demo.cases import CASES
from finrag.demo.choices import number, pick, rotate, sample
from finrag.demo.discussion import discussion
from finrag.demo.document import TITLES, Paragraph, Section, curly, straight
from finrag.demo.finances import Statement
from finrag.demo.profile import Profile, RiskFactor
from finrag.demo.prose import business, governance, market_risk, mda, notes, risk
from finrag.demo.slots import Slots

# Items that a filing lacks, and items that are present but empty.
MISSING = {
    ("harrowgate", 2021): ("ITEM_6",),
    ("harrowgate", 2022): ("ITEM_6",),
    ("skyfennel", 2020): ("ITEM_1B", "ITEM_4"),
    ("copperpot", 2020): ("ITEM_7A",),
    ("fernhollow", 2021): ("ITEM_3",),
    ("pinemarsh", 2020): ("ITEM_9B",),
}
EMPTY = {("orthevia", 2021): ("ITEM_7A",), ("wrenlight", 2022): ("ITEM_1B",)}
STUBS = {("orthevia", 2021): "ITEM_7"}

COMMON_RISKS = tuple(RiskFactor(**factor) for factor in risk.common)


@dataclass(frozen=True)
class Filing:
    """One 10-K: its sections in the order of the form, missing items left out."""

    profile: Profile
    year: int
    slots: Slots
    sections: tuple[Section, ...]


def write_filing(profile: Profile, statements: dict[int, Statement], year: int) -> Filing:
    slots = Slots(profile, statements, year)
    sections = []
    for item in TITLES:
        if item in MISSING.get((profile.key, year), ()):
            continue
        if item in EMPTY.get((profile.key, year), ()):
            sections.append(Section(item))
            continue
        if STUBS.get((profile.key, year)) == item:
            section = Section(item, [Paragraph([slots.fill(sentence) for sentence in mda.stub])])
        else:
            section = Section(item, WRITERS[item](slots))
            plant(section, slots)
        typeset(section, straight if profile.straight_quotes else curly)
        sections.append(section)
    return Filing(profile, year, slots, tuple(sections))


def filled(slots: Slots, templates: Iterable[str]) -> list[str]:
    return [slots.fill(template) for template in templates]


def some(slots: Slots, templates: Sequence[str], count: int, *key: object) -> list[str]:
    """A selection that the company keeps in all years."""
    return filled(slots, sample(templates, count, slots.profile.key, *key))


def some_this_year(slots: Slots, templates: Sequence[str], count: int, *key: object) -> list[str]:
    """A selection that changes from year to year."""
    return filled(slots, sample(templates, count, slots.profile.key, slots.year, *key))


def write_business(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    # Filers drop and restore a sentence now and then: five of the ten stand in each year.
    own = some_this_year(slots, profile.business, 5, "business")
    return [
        Paragraph(list(business.forward_looking)),
        Paragraph([*own[:3], *filled(slots, profile.business_yearly[:2])], "Overview"),
        Paragraph([*own[3:4], *filled(slots, profile.business_yearly[2:])]),
        Paragraph(
            [*own[4:], *some_this_year(slots, business.market_yearly, 4, "market")], "Competition and Regulation"
        ),
        Paragraph(filled(slots, profile.seasonality)),
        Paragraph(
            [*business.people, *filled(slots, business.people_yearly[:1]), *some_people(slots)],
            "Human Capital Resources",
        ),
        Paragraph(list(business.available_information)),
    ]


def some_people(slots: Slots) -> list[str]:
    return some_this_year(slots, business.people_yearly[1:], 3, "people")


def write_risks(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    paragraphs = [Paragraph(list(risk.introduction))]
    for index, factor in enumerate(profile.risks):
        sentences = [factor.headline, *sample(factor.sentences, 2, profile.key, slots.year, factor.headline)]
        sentences += profile.risk_yearly[index : index + 1]
        paragraphs.append(Paragraph([*filled(slots, sentences), *happened(slots, factor.topic)]))
    covered = {factor.topic for factor in profile.risks}
    # Some companies warn of more than others, so that Item 1A is long in some filings and short in others.
    for factor in sample(COMMON_RISKS, 2 + number(profile.key, "risks") % 4, profile.key, "risks"):
        sentences = [factor.headline, *sample(factor.sentences, 2, profile.key, factor.headline)]
        paragraphs.append(Paragraph(sentences + ([] if factor.topic in covered else happened(slots, factor.topic))))
    return paragraphs


def happened(slots: Slots, topic: str) -> list[str]:
    """What happened this year on this topic: another event every year until the list is used up."""
    events = risk.happened.get(topic, ())
    return [slots.fill(rotate(events, slots.year, slots.profile.key, topic))] if events else []


def write_staff_comments(slots: Slots) -> list[Paragraph]:
    return [Paragraph(list(governance.staff_comments))]


def write_properties(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    own = [*profile.properties, *profile.properties_yearly, *governance.properties_yearly]
    return [Paragraph([*filled(slots, own), *governance.properties])]


def write_legal(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    return [
        Paragraph(list(governance.legal)),
        Paragraph(filled(slots, (*profile.legal, *profile.legal_yearly))),
    ]


def write_mine_safety(slots: Slots) -> list[Paragraph]:
    return [Paragraph(list(governance.mine_safety))]


def write_stock(slots: Slots) -> list[Paragraph]:
    own = (
        governance.stock if slots.profile.shape.pays_dividends else (*governance.stock, *governance.stock_no_dividends)
    )
    return [
        Paragraph(filled(slots, own)),
        Paragraph(filled(slots, governance.stock_yearly)),
    ]


def write_selected(slots: Slots) -> list[Paragraph]:
    if slots.year >= 2021:
        return [Paragraph(list(governance.reserved))]
    templates = governance.selected if slots.now.net_income > 0 else governance.selected_loss
    return [Paragraph(filled(slots, templates))]


def write_market_risk(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    return [
        Paragraph(list(market_risk.introduction)),
        Paragraph([*market_risk.interest, *filled(slots, market_risk.interest_yearly)], "Interest Rate Risk"),
        Paragraph([*market_risk.currency, *filled(slots, market_risk.currency_yearly)], "Currency Risk"),
        Paragraph([*filled(slots, (*profile.market_risk, *profile.market_risk_yearly)), *market_risk.credit]),
    ]


def write_notes(slots: Slots) -> list[Paragraph]:
    profile = slots.profile
    policies = sample(notes.policies, 4, profile.key, "policies")
    paragraphs = [
        Paragraph(list(notes.auditor), "Report of Independent Registered Public Accounting Firm"),
        Paragraph([*policies, *profile.policies], "Note 1. Significant Accounting Policies"),
        Paragraph(filled(slots, notes.revenue), f"Note 2. {profile.revenue}"),
        Paragraph(filled(slots, (*notes.property, *notes.goodwill)), "Note 3. Property and Intangible Assets"),
        Paragraph(filled(slots, notes.leases)),
        Paragraph(filled(slots, notes.debt), "Note 4. Debt"),
        Paragraph(filled(slots, notes.tax)),
        Paragraph(filled(slots, (*notes.benefits, *notes.equity))),
        Paragraph(filled(slots, notes.segments)),
        Paragraph(filled(slots, notes.commitments), "Note 6. Commitments and Contingencies"),
        Paragraph(filled(slots, (*notes.quarters, *notes.subsequent))),
    ]
    paragraphs[-2].sentences += sample(notes.cross_references, 1, profile.key, slots.year, "reference")
    if slots.now.net_income > 0:
        paragraphs[-1].sentences += filled(slots, notes.table_lines)
    return paragraphs


def write_accountants(slots: Slots) -> list[Paragraph]:
    return [Paragraph(list(governance.accountants))]


def write_controls(slots: Slots) -> list[Paragraph]:
    common = governance.controls
    return [
        Paragraph(list(common[:2])),
        Paragraph([*common[2:], *some_this_year(slots, governance.controls_yearly, 2, "controls")]),
    ]


def write_other(slots: Slots) -> list[Paragraph]:
    return [Paragraph(list(governance.other_information))]


def write_proxy(item: str):
    def write(slots: Slots) -> list[Paragraph]:
        return [Paragraph(filled(slots, governance.proxy[item]))]

    return write


def write_exhibits(slots: Slots) -> list[Paragraph]:
    listed = [*some(slots, governance.exhibits[2:], 3, "exhibits"), *filled(slots, governance.exhibits_yearly)]
    return [
        Paragraph(list(governance.exhibits[:2])),
        Paragraph(sorted(listed, key=lambda line: [int(part) for part in line.split()[0].split(".")]), listed=True),
    ]


WRITERS = {
    "ITEM_1": write_business,
    "ITEM_1A": write_risks,
    "ITEM_1B": write_staff_comments,
    "ITEM_2": write_properties,
    "ITEM_3": write_legal,
    "ITEM_4": write_mine_safety,
    "ITEM_5": write_stock,
    "ITEM_6": write_selected,
    "ITEM_7": discussion,
    "ITEM_7A": write_market_risk,
    "ITEM_8": write_notes,
    "ITEM_9": write_accountants,
    "ITEM_9A": write_controls,
    "ITEM_9B": write_other,
    **{item: write_proxy(item) for item in governance.proxy},
    "ITEM_15": write_exhibits,
}


def plant(section: Section, slots: Slots) -> None:
    """Put the planted sentences of this item among its paragraphs, each at a place set by its text."""
    where = (slots.profile.key, slots.year, section.item)
    texts = dict.fromkeys(case.text for case in CASES if (case.company, case.year, case.item) == where)
    for text in texts:
        sentence = slots.fill(text)
        prose = [paragraph for paragraph in section.paragraphs if not paragraph.listed]
        paragraph = pick(prose, *where, text)
        # Never first: the first sentence of an item may be merged with the item's heading.
        paragraph.sentences.insert(1 + number(*where, text, "place") % len(paragraph.sentences), sentence)


def typeset(section: Section, convert) -> None:
    for paragraph in section.paragraphs:
        paragraph.heading = convert(paragraph.heading) if paragraph.heading else None
        paragraph.sentences = [convert(sentence) for sentence in paragraph.sentences]
