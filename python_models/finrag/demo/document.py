"""A filing as text: items of paragraphs of sentences, before any layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

TITLES = {
    "ITEM_1": "Business",
    "ITEM_1A": "Risk Factors",
    "ITEM_1B": "Unresolved Staff Comments",
    "ITEM_2": "Properties",
    "ITEM_3": "Legal Proceedings",
    "ITEM_4": "Mine Safety Disclosures",
    "ITEM_5": "Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity "
    "Securities",
    "ITEM_6": "Selected Financial Data",
    "ITEM_7": "Management's Discussion and Analysis of Financial Condition and Results of Operations",
    "ITEM_7A": "Quantitative and Qualitative Disclosures About Market Risk",
    "ITEM_8": "Financial Statements and Supplementary Data",
    "ITEM_9": "Changes in and Disagreements With Accountants on Accounting and Financial Disclosure",
    "ITEM_9A": "Controls and Procedures",
    "ITEM_9B": "Other Information",
    "ITEM_10": "Directors, Executive Officers and Corporate Governance",
    "ITEM_11": "Executive Compensation",
    "ITEM_12": "Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters",
    "ITEM_13": "Certain Relationships and Related Transactions, and Director Independence",
    "ITEM_14": "Principal Accountant Fees and Services",
    "ITEM_15": "Exhibits and Financial Statement Schedules",
}
"""Items in the order of the form."""


@dataclass
class Paragraph:
    """Sentences that belong together, under a heading of their own or none. Listed sentences stand one to a line."""

    sentences: list[str]
    heading: str | None = None
    listed: bool = False

    def rows(self, merge_heading: bool = False) -> Iterator[str]:
        if not self.heading:
            yield from self.sentences
        elif merge_heading:
            yield f"{self.heading} {self.sentences[0]}"
            yield from self.sentences[1:]
        else:
            yield self.heading
            yield from self.sentences


@dataclass
class Section:
    """One item of a filing. An empty item has a heading and no paragraphs; a missing item has no Section."""

    item: str
    paragraphs: list[Paragraph] = field(default_factory=list)

    @property
    def code(self) -> str:
        """'7A' of 'ITEM_7A'."""
        return self.item.removeprefix("ITEM_")

    def rows(self, merge_headings: bool = False) -> list[str]:
        """Sentences and subheadings in their order, without the item's own heading."""
        return [row for paragraph in self.paragraphs for row in paragraph.rows(merge_headings)]


def straight(text: str) -> str:
    """Typewriter quotes."""
    return text.replace("“", '"').replace("”", '"').replace("’", "'")


def curly(text: str) -> str:
    """Typographic quotes; prose writes apostrophes straight and quotation marks in pairs."""
    return text.replace("'", "’")
