"""Tags of inline XBRL: which concept a figure is of, and the contexts and units that the tags name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from finrag.demo.filing import Filing
from finrag.demo.money import UNIT_USD, decimal
from finrag.demo.slots import period_end

SEGMENT_AXIS = "us-gaap:StatementBusinessSegmentsAxis"
UNITS = {
    "usd": "<xbrli:measure>iso4217:USD</xbrli:measure>",
    "shares": "<xbrli:measure>xbrli:shares</xbrli:measure>",
    "usdPerShare": "<xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>"
    "<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide>",
}
MONEY = re.compile(r"\$\(?(?P<digits>\d[\d,]*(?:\.\d+)?)\)?(?: (?P<unit>million|billion))?(?![\d.]*%)")
SCALES = {None: 0, "million": 6, "billion": 9}


@dataclass(frozen=True)
class Concept:
    """A concept of us-gaap: the field of Statement that it is, the words by which prose names it, how it is counted."""

    field: str
    name: str
    words: str
    is_instant: bool = False
    unit: str = "usd"


CONCEPTS = (
    Concept("revenue", "Revenues", r"total revenues"),
    Concept("cost", "CostOfRevenue", r"transportation expenses"),
    Concept("gross_profit", "GrossProfit", r"gross profit"),
    Concept("expenses", "OperatingExpenses", r"administrative expenses"),
    Concept("operating_income", "OperatingIncomeLoss", r"operating (?:income|loss)|loss from operations"),
    Concept("interest_expense", "InterestExpense", r"interest expense"),
    Concept("interest_income", "InvestmentIncomeInterest", r"interest income"),
    Concept(
        "pretax",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        r"before income taxes",
    ),
    Concept("tax", "IncomeTaxExpenseBenefit", r"provision for income taxes"),
    Concept("net_income", "NetIncomeLoss", r"net (?:income|loss)"),
    Concept("eps", "EarningsPerShareDiluted", r"diluted|per share", unit="usdPerShare"),
    Concept("shares", "WeightedAverageNumberOfDilutedSharesOutstanding", r"diluted shares", unit="shares"),
    Concept("depreciation", "DepreciationDepletionAndAmortization", r"depreciation"),
    Concept("stock_compensation", "ShareBasedCompensation", r"stock-based compensation"),
    Concept("cfo", "NetCashProvidedByUsedInOperatingActivities", r"operating activities"),
    Concept("capex", "PaymentsToAcquirePropertyPlantAndEquipment", r"capital expenditures"),
    Concept("issued", "ProceedsFromIssuanceOfLongTermDebt", r"proceeds from new loans"),
    Concept("repaid", "RepaymentsOfLongTermDebt", r"repayments"),
    Concept("dividends", "PaymentsOfDividends", r"dividends"),
    Concept("repurchases", "PaymentsForRepurchaseOfCommonStock", r"repurchased"),
    Concept("debt", "LongTermDebt", r"long-term debt", is_instant=True),
    Concept("cash", "CashAndCashEquivalentsAtCarryingValue", r"cash and cash equivalents", is_instant=True),
)
CONCEPT_OF = {concept.field: concept for concept in CONCEPTS}


@dataclass(frozen=True)
class Fact:
    """What a tag says: a concept of a fiscal year, of the whole company or of one segment. units: see Statement."""

    concept: Concept
    year: int
    units: int
    segment: int | None = None

    def value(self) -> int:
        """In cents for dollars per share, else in whole dollars or shares."""
        return self.units if self.concept.unit == "usdPerShare" else self.units * UNIT_USD


class Tagger:
    """Tags the figures of one filing and remembers which contexts its tags name."""

    def __init__(self, filing: Filing) -> None:
        self.filing, self.profile = filing, filing.profile
        self.contexts: dict[str, str] = {}
        statements = filing.slots.statements
        years = [year for year in statements if filing.year - 2 <= year <= filing.year]
        self.facts = [
            Fact(concept, year, units)
            for year in years
            for concept in CONCEPTS
            if (units := getattr(statements[year], concept.field)) is not None
        ]
        self.facts += [
            Fact(CONCEPT_OF["revenue"], year, units, segment)
            for year in years
            for segment, units in enumerate(statements[year].segments)
        ]

    def sentence(self, text: str) -> str:
        """A sentence as HTML. An amount is tagged where one fact that the sentence names has it, and no other."""
        parts, end = [], 0
        for match in MONEY.finditer(text):
            scale = SCALES[match["unit"]]
            named = [fact for fact in self.facts if self.is_named(fact, text) and rounds_to(fact, match, scale)]
            if len(named) == 1:
                parts += [
                    escape(text[end : match.start("digits")], quote=False),
                    self.figure(named[0], match["digits"], scale),
                ]
                end = match.end("digits")
        return "".join([*parts, escape(text[end:], quote=False)])

    def is_named(self, fact: Fact, text: str) -> bool:
        if fact.segment is not None:
            return self.profile.segments[fact.segment].name in text
        return re.search(fact.concept.words, text, re.IGNORECASE) is not None

    def figure(self, fact: Fact, digits: str, scale: int) -> str:
        """The digits of a fact in its tag; a loss has a sign, because the digits have none."""
        places = len(digits.partition(".")[2])
        sign = ' sign="-"' if fact.units < 0 else ""
        shape = "fixed-zero" if digits == "—" else "num-dot-decimal"
        return (
            f'<ix:nonFraction contextRef="{self.context(fact)}" name="us-gaap:{fact.concept.name}"'
            f' unitRef="{fact.concept.unit}" scale="{scale}" decimals="{places - scale}" format="ixt:{shape}"{sign}>'
            f"{digits}</ix:nonFraction>"
        )

    def text(self, name: str, text: str, shape: str | None = None) -> str:
        """A fact of the cover, which is about the filing and the year."""
        context = self.add_context(f"y{self.filing.year}", self.duration(self.filing.year))
        written = f' format="ixt:{shape}"' if shape else ""
        return f'<ix:nonNumeric contextRef="{context}" name="dei:{name}"{written}>{text}</ix:nonNumeric>'

    def context(self, fact: Fact) -> str:
        prefix, period = ("i", self.instant) if fact.concept.is_instant else ("y", self.duration)
        if fact.segment is None:
            return self.add_context(f"{prefix}{fact.year}", period(fact.year))
        member = "".join(word.capitalize() for word in self.profile.segments[fact.segment].name.split())
        member = f"{self.profile.ticker.lower()}:{member}Member"
        segment = (
            f'<xbrli:segment><xbrldi:explicitMember dimension="{SEGMENT_AXIS}">{member}</xbrldi:explicitMember>'
            "</xbrli:segment>"
        )
        return self.add_context(f"{prefix}{fact.year}s{fact.segment + 1}", period(fact.year), segment)

    def add_context(self, name: str, period: str, segment: str = "") -> str:
        entity = (
            '<xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">'
            f"{self.profile.padded_cik}</xbrli:identifier>{segment}</xbrli:entity>"
        )
        self.contexts[name] = (
            f'<xbrli:context id="{name}">{entity}<xbrli:period>{period}</xbrli:period></xbrli:context>'
        )
        return name

    def duration(self, year: int) -> str:
        first, last = period_end(self.profile, year - 1), period_end(self.profile, year)
        day_after = first.fromordinal(first.toordinal() + 1)
        return f"<xbrli:startDate>{day_after}</xbrli:startDate><xbrli:endDate>{last}</xbrli:endDate>"

    def instant(self, year: int) -> str:
        return f"<xbrli:instant>{period_end(self.profile, year)}</xbrli:instant>"

    def header(self) -> str:
        """ix:header: what is stated and not shown, the contexts that were named, and the units."""
        hidden = self.text("EntityCentralIndexKey", self.profile.padded_cik)
        units = "".join(f'<xbrli:unit id="{name}">{measure}</xbrli:unit>' for name, measure in UNITS.items())
        contexts = "".join(self.contexts[name] for name in sorted(self.contexts))
        return f"<ix:header><ix:hidden>{hidden}</ix:hidden><ix:resources>{contexts}{units}</ix:resources></ix:header>"


def rounds_to(fact: Fact, match: re.Match[str], scale: int) -> bool:
    """Whether an amount, as it is written, is that of a fact."""
    places = len(match["digits"].partition(".")[2])
    if fact.concept.unit == "usdPerShare":
        return match["unit"] is None and match["digits"] == decimal(abs(fact.units), 2)
    if fact.concept.unit != "usd":
        return False
    written = int(match["digits"].replace(",", "").replace(".", "")) * 10 ** (scale - places)
    return abs(abs(fact.value()) - written) * 2 <= 10 ** (scale - places) and scale > 0
