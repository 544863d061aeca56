"""planted_cases.csv: the register of planted sentences, and of the shapes that a loader must survive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag.demo.cases import CASES, CORPUS, Case
from finrag.demo.document import curly, straight
from finrag.demo.filing import EMPTY, MISSING, STUBS, Filing
from finrag.demo.layouts.identifiers import filing_id
from finrag.demo.layouts.sentences import SAMPLED

COLUMNS = ("case_id", "model", "expectation", "label", "docID", "section_item", "sentence_text", "note")


def rows(filings: dict[tuple[str, int], Filing]) -> Iterator[Sequence[str]]:
    """One row per case. sentence_text is verbatim, or empty where the point is that there is no sentence."""
    for number, values in enumerate((*sentences(filings), *shapes(filings)), start=1):
        yield (f"case_{number:03d}", *values)


def sentences(filings: dict[tuple[str, int], Filing]) -> Iterator[Sequence[str]]:
    for case in CASES:
        filing = filings[case.company, case.year]
        convert = straight if filing.profile.straight_quotes else curly
        text = convert(filing.slots.fill(case.text))
        yield row(case.model, case.present, case.label, filing, case.item, text, note(case, filing))


def note(case: Case, filing: Filing) -> str:
    """The case's note, and each figure as `metric year kind = wording`, separated by bars."""
    claims = [
        f"{claim.metric} {case.year - claim.years_before} {claim.kind} = {filing.slots.fill(claim.shown)}"
        for claim in case.claims
    ]
    return " | ".join([*([case.note] if case.note else []), *claims])


def row(model: str, present: bool, label: str, filing: Filing, item: str, text: str, remark: str) -> Sequence[str]:
    expectation = "present" if present else "absent"
    return (model, expectation, label, filing_id(filing.profile, filing.year), item, text, remark)


def shapes(filings: dict[tuple[str, int], Filing]) -> Iterator[Sequence[str]]:
    """Facts about the corpus itself: no sentence is planted for them."""
    for key, items in MISSING.items():
        for item in items:
            yield row(CORPUS, False, "missing_item", filings[key], item, "", "the filing lacks this item")
    for key, items in EMPTY.items():
        for item in items:
            yield row(CORPUS, False, "empty_item", filings[key], item, "", "the item is an empty text")
    for key, item in STUBS.items():
        text = first(filings[key], item)
        yield row(CORPUS, True, "stub_item", filings[key], item, text, "the whole item is this reference")
    company, year, item = SAMPLED
    yield row(CORPUS, True, "position_gaps", filings[company, year], item, "", "rows left out, positions kept")
    for company, year, item in (
        ("skyfennel", 2021, "ITEM_1B"),
        ("nimbrel", 2022, "ITEM_4"),
        ("wrenlight", 2021, "ITEM_9"),
    ):
        filing = filings[company, year]
        yield row(CORPUS, True, "tiny_section", filing, item, first(filing, item), "one sentence after the heading")
    for company in ("velmora", "skyfennel"):
        filing = filings[company, 2020]
        yield row(CORPUS, True, "lower_case_item", filing, "ITEM_7", "", "section_item is spelled item_7")
    filing = filings["copperpot", 2021]
    yield row(CORPUS, True, "hard_wrapped", filing, "ITEM_7", "", "lines break inside sentences")
    yield row(CORPUS, True, "bullets_apart", filings["orthevia", 2022], "ITEM_7", "", "bullets on lines of their own")


def first(filing: Filing, item: str) -> str:
    """First sentence of an item, without its heading."""
    return next(section.rows()[0] for section in filing.sections if section.item == item)
