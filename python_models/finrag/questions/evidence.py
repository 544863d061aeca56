"""The sentences of the corpus that the evidence of a suite stands for: by id, by text, or by alignment."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from finrag.inputs.files import shorten
from finrag.inputs.suite_formats.form import Place
from finrag.questions.alignment import THRESHOLD, Tokens, align
from finrag.questions.fill import Sentence
from finrag.tables import name_relations
from finrag.text.words import LEAST_EXCERPT

# Sentences by a piece of evidence: by id, else by text, else those that hold it or stand in it. $pieces: texts; $ciks:
# for each the company that it is of, null where that is not known. Of a company only its own sentences are looked at:
# every piece with every sentence of a large corpus would be hours.
FOUND = f"""
    with pieces as (
        select piece, cik, lower(trim(regexp_replace(piece, '\\s+', ' ', 'g'))) as text,
        from (select unnest($pieces) as piece, unnest($ciks) as cik)
    ),

    pairs as (
        select pieces.piece, pieces.text, sentences.*,
        from pieces
        inner join sentences on sentences.cik = pieces.cik

        union all

        select pieces.piece, pieces.text, sentences.*,
        from pieces
        cross join sentences
        where pieces.cik is null
    ),

    named as (
        select
            *,
            case
                when sentence_id = piece then 1
                when text_hash = md5(text) then 2
                when contains(lower(sentence_text), text) then 3
                else 4
            end as way,
        from pairs
        where
            sentence_id = piece
            or text_hash = md5(text)
            or (
                len(text) >= {LEAST_EXCERPT}
                and (
                    contains(lower(sentence_text), text)
                    or (word_count >= 6 and contains(text, lower(sentence_text)))
                )
            )
    )

    select piece, way, sentence_id, cik, company_name, report_year, section_id, filing_id
    from named
    order by piece, way, sentence_id
"""
EXCERPT = 4
NO_DOCUMENT = "the corpus has no document of this name"
# What answers nothing is no evidence; a row that is written out repeats the row that stands in the filing.
OF_FILING = """
    select sentence_text, sentence_id, cik, company_name, report_year, section_id, filing_id, page_no
    from sentences
    where filing_id = $filing_id and sentence_kind not in ('heading', 'index_line', 'written_row')
    order by section_id, sentence_pos, sentence_id
"""

PAGES = """
    select distinct filing_id, page_no
    from sentences
    where page_no is not null and sentence_kind not in ('heading', 'index_line')
"""


@dataclass(frozen=True)
class Filing:
    """The sentences of a filing or a document, in order."""

    sentences: list[Sentence]
    texts: list[str]
    pages: list[int | None]

    @cached_property
    def tokens(self) -> list[Tokens]:
        return [Tokens(text) for text in self.texts]

    def near(self, pages: Collection[int]) -> list[int]:
        """Places of the sentences that begin on one of the pages, or on the one before it and may end there."""
        return [place for place, page in enumerate(self.pages) if page in pages or (page or 0) + 1 in pages]


class Evidence:
    """Finds the sentences of pieces of evidence; keeps the best score of those that stand nowhere."""

    def __init__(
        self,
        session,
        sentences,
        pieces: Collection[tuple[str, int | None]],
        forms: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """sentences: relation of fct_sentences.

        pieces: ids and texts that are going to be asked for, each with the company that it is of, None for any.
        forms: the forms of filings (10-K, 10-Q, …), by their ids.
        """
        name_relations(session, sentences=sentences)
        self.session = session
        self.known: dict[str, list[tuple[int, Sentence]]] = {}
        texts, ciks = ([piece[place] for piece in pieces] for place in (0, 1))
        found = session.execute(FOUND, {"pieces": texts, "ciks": ciks}).fetchall() if pieces else []
        for piece, way, *sentence in found:
            self.known.setdefault(piece, []).append((way, Sentence(*sentence)))
        for those in self.known.values():
            those.sort(key=lambda each: (each[0], precedence(forms.get(each[1].filing_id))))
        rows = session.execute("select distinct cik, report_year, filing_id from sentences order by all").fetchall()
        self.filings_of: dict[int, list[tuple[int, str]]] = {}
        self.whose: dict[str, tuple[int, int]] = {}
        for cik, year, filing_id in sorted(rows, key=lambda row: precedence(forms.get(row[2]))):
            self.filings_of.setdefault(cik, []).append((year, filing_id))
            self.whose[filing_id] = (cik, year)
        self.filings: dict[str, Filing] = {}

    def finder(
        self, unfound: dict[str, float | None], places: Sequence[Place] = (), filings: Collection[str] = ()
    ) -> Callable[[str, Sequence, Sequence], list[Sentence]]:
        """What fill.filled asks; unfound takes the pieces that stand nowhere, with the best score of any sentence.

        places: where the suite says that evidence stands, those of filings, which are in the corpus, by their ids.
        A piece that is quoted from places is looked for there alone, any other in all of filings; pages come first.
        """
        quoted: dict[str, list[Place]] = {}
        for place in places if filings else ():
            if place.evidence:
                quoted.setdefault(place.evidence, []).append(place)
        known = [place for place in places if place.document in filings]

        def find(piece: str, companies: Sequence, years: Sequence) -> list[Sentence]:
            if piece not in quoted:
                found = [("", *self.within(piece, known, companies, years))]
            else:
                # the same text in two documents is two pieces of evidence
                found = [
                    (f"{place.document}: ", *self.within(piece, [place], companies, years))
                    if place.document in filings
                    else (f"{place.document}: ", [], 0.0)
                    for place in quoted[piece]
                ]
            sentences = list(dict.fromkeys(sentence for _, those, _ in found for sentence in those))
            if not sentences:
                unfound[piece] = max(best for *_, best in found)
            else:
                unfound.update({f"{where}{piece}": best for where, those, best in found if not those})
            return sentences

        return find

    @cached_property
    def pages(self) -> set[tuple[str, int]]:
        """The pages, each with its filing, that sentences begin on."""
        return set(self.session.execute(PAGES).fetchall())

    def within(
        self, piece: str, places: Sequence[Place], companies: Sequence, years: Sequence
    ) -> tuple[list[Sentence], float]:
        """The sentences of a piece in the filings of places, in those of companies and years where there are none.

        With the best score of any sentence, 0 where none was compared.
        """
        filings = list(dict.fromkeys(place.document for place in places))
        pages: dict[str, set[int]] = {}
        for place in places:
            if place.page:
                pages.setdefault(place.document, set()).add(place.page)
        if pages and (found := self.on_pages(piece, pages)):
            return found, 0.0
        way, sentences = chosen(self.known, piece, companies, years, filings)
        if not companies or way not in (None, EXCERPT) or " " not in piece.strip():
            return sentences, 0.0
        aligned, best = self.aligned(piece, filings or self.asked(companies, years), are_named=bool(filings))
        return aligned or sentences, best

    def on_pages(self, piece: str, pages: Mapping[str, Collection[int]]) -> list[Sentence]:
        """The sentences of a piece on the pages of filings that are named, and those on the next that it runs on to."""
        found, _ = self.aligned(piece, [*pages], pages, are_named=True)
        if not found:
            return []
        onwards = {filing_id: {page + step for page in named for step in (0, 1)} for filing_id, named in pages.items()}
        further, _ = self.aligned(piece, [*pages], onwards, are_named=True)
        # a copy on the next page that fits as well takes the place of none
        return further if set(found) <= set(further) else found

    def asked(self, companies: Sequence, years: Sequence) -> list[str]:
        """The filings of companies and years, of all years where there are none."""
        return [
            filing_id
            for cik in companies
            for year, filing_id in self.filings_of.get(cik, [])
            if not years or year in years
        ]

    def aligned(
        self,
        piece: str,
        filings: Sequence[str],
        pages: Mapping[str, Collection[int]] | None = None,
        are_named: bool = False,
    ) -> tuple[list[Sentence], float]:
        """The sentences of the filing that explains most of a piece, and the best score of any sentence.

        pages: those of each filing that are looked at; all unless given. Where filings of two companies or years
        explain it alike it is those of each if the question names them (are_named). Raises ValueError otherwise.
        """
        tokens = Tokens(piece)
        of_filings: list[tuple[float, str, list[Sentence]]] = []
        best = 0.0
        for filing_id in filings:
            filing = self.filing(filing_id)
            places = range(len(filing.texts)) if pages is None else filing.near(pages[filing_id])
            matches, score = align(tokens, [filing.tokens[place] for place in places])
            best = max(best, score)
            if matches:
                sentences = [filing.sentences[places[match.place]] for match in matches]
                of_filings.append((sum(match.letters for match in matches), filing_id, sentences))
        of_filings.sort(key=lambda each: -each[0])
        if not of_filings:
            return [], best
        alike = [filing_id for explained, filing_id, _ in of_filings if explained == of_filings[0][0]]
        if are_named:
            return [sentence for *_, sentences in of_filings[: len(alike)] for sentence in sentences], best
        # an amendment repeats its filing
        if len({self.whose.get(filing_id) for filing_id in alike}) > 1:
            raise several(piece, len(alike), *alike[:2])
        return of_filings[0][2], best

    def filing(self, filing_id: str) -> Filing:
        if filing_id not in self.filings:
            rows = self.session.execute(OF_FILING, {"filing_id": filing_id}).fetchall()
            texts, pages = ([row[column] for row in rows] for column in (0, -1))
            self.filings[filing_id] = Filing([Sentence(*row[1:-1]) for row in rows], texts, pages)
        return self.filings[filing_id]


def precedence(form: str | None) -> int:
    """Which of a company's documents of a year is meant by the two: its 10-K, the amendment of that, then others."""
    if not (form or "").startswith("10-K"):
        return 2
    return int(str(form).endswith("/A"))


def chosen(
    known: dict, piece: str, companies: Sequence, years: Sequence, filings: Sequence[str] = ()
) -> tuple[int | None, list[Sentence]]:
    """The sentences of a piece that were found the best way, of one filing, and that way, 1 to 4, None for none.

    filings: those that the question names, each of which may have it. Raises ValueError where several filings have it
    and neither these nor companies nor years say which is meant.
    """
    fitting = [
        (way, sentence)
        for way, sentence in known.get(piece, [])
        if (not companies or sentence.cik in companies)
        and (not years or sentence.report_year in years)
        and (not filings or sentence.filing_id in filings)
    ]
    if not fitting:
        return None, []
    best_way = fitting[0][0]
    best = [sentence for way, sentence in fitting if way == best_way]
    of_years = {(sentence.cik, sentence.report_year) for sentence in best}
    if len(of_years) > 1 and not filings:
        raise several(piece, len(of_years), best[0].sentence_id, best[-1].sentence_id)
    # an excerpt of several sentences is all of them, a sentence that is repeated is its first, in each filing named
    if best_way == EXCERPT:
        return best_way, best if filings else [each for each in best if each.filing_id == best[0].filing_id]
    firsts = {sentence.filing_id: sentence for sentence in reversed(best)} if filings else {}
    return best_way, [*firsts.values()][::-1] or best[:1]


def several(piece: str, count: int, one: str, other: str) -> ValueError:
    return ValueError(
        f"evidence: {shorten(piece)} stands in {count} filings, such as {one} and {other}. State cik_int and years, or "
        "ids of sentences"
    )


def told(unfound: Mapping[str, float | None], documents: Collection[str] = ()) -> str | None:
    """Pieces that stand nowhere as JSON: [{"piece", "best_score", "detail"}]. documents: those that are documents.

    best_score is null of a page or a document that is named and is not there: it is no text that could be like another.
    """
    rows = [
        {
            "piece": piece,
            "best_score": None if score is None else round(score, 1),
            "detail": NO_DOCUMENT if piece in documents else why_unfound(piece, score),
        }
        for piece, score in unfound.items()
    ]
    return json.dumps(rows, ensure_ascii=False) if rows else None


def why_unfound(piece: str, score: float | None) -> str:
    """What is wrong with a piece of evidence. score: the best one of a sentence, 0 where none was compared."""
    if score is None:
        return "the corpus has no sentence of it"
    if score:
        return f"the best score of a sentence is {score:.1f}, {THRESHOLD:.0f} are needed"
    if " " not in piece.strip():
        return "no sentence of the corpus has this id"
    return "no filing of the company and the years that are asked about has anything like it"
