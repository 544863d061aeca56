"""The sentences of the corpus that the evidence of a suite stands for: by id, by text, or by alignment."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from finrag.inputs.files import shorten
from finrag.questions.alignment import THRESHOLD, Match, Tokens, align
from finrag.questions.fill import Sentence
from finrag.tables import name_relations

# Sentences by a piece of evidence: by id, else by text, else those that hold it or stand in it. $pieces: texts.
FOUND = """
    with pieces as (
        select piece, lower(trim(regexp_replace(piece, '\\s+', ' ', 'g'))) as text,
        from (select unnest($pieces) as piece)
    ),

    named as (
        select
            pieces.piece,
            case
                when sentences.sentence_id = pieces.piece then 1
                when sentences.text_hash = md5(pieces.text) then 2
                when contains(lower(sentences.sentence_text), pieces.text) then 3
                else 4
            end as way,
            sentences.*,
        from pieces
        inner join sentences
            on sentences.sentence_id = pieces.piece
            or sentences.text_hash = md5(pieces.text)
            or (
                len(pieces.text) >= 20
                and (
                    contains(lower(sentences.sentence_text), pieces.text)
                    or (sentences.word_count >= 6 and contains(pieces.text, lower(sentences.sentence_text)))
                )
            )
    )

    select piece, way, sentence_id, cik, company_name, report_year, section_id
    from named
    order by piece, way, sentence_id
"""
EXCERPT = 4
# What answers nothing is no evidence; a row that is written out repeats the row that stands in the filing.
OF_FILING = """
    select sentence_text, sentence_id, cik, company_name, report_year, section_id
    from sentences
    where cik = $cik and report_year = $year and sentence_kind not in ('heading', 'index_line', 'written_row')
    order by section_id, sentence_pos, sentence_id
"""


@dataclass(frozen=True)
class Filing:
    """The sentences of a company and year, in order."""

    sentences: list[Sentence]
    texts: list[str]

    @cached_property
    def tokens(self) -> list[Tokens]:
        return [Tokens(text) for text in self.texts]


class Evidence:
    """Finds the sentences of pieces of evidence; keeps the best score of those that stand nowhere."""

    def __init__(self, session, sentences, pieces: Sequence[str]) -> None:
        """sentences: relation of fct_sentences; pieces: ids and texts that are going to be asked for."""
        name_relations(session, sentences=sentences)
        self.session = session
        self.known: dict[str, list[tuple[int, Sentence]]] = {}
        for piece, way, *sentence in session.execute(FOUND, {"pieces": list(pieces)}).fetchall():
            self.known.setdefault(piece, []).append((way, Sentence(*sentence)))
        rows = session.execute("select distinct cik, report_year from sentences order by all").fetchall()
        self.years: dict[int, list[int]] = {}
        for cik, year in rows:
            self.years.setdefault(cik, []).append(year)
        self.filings: dict[tuple[int, int], Filing] = {}

    def finder(self, unfound: dict[str, float]) -> Callable[[str, Sequence, Sequence], list[Sentence]]:
        """What fill.filled asks; unfound takes the pieces that stand nowhere, with the best score of any sentence."""

        def find(piece: str, companies: Sequence, years: Sequence) -> list[Sentence]:
            way, sentences = chosen(self.known, piece, companies, years)
            if companies and way in (None, EXCERPT) and " " in piece.strip():
                aligned, best = self.aligned(piece, companies, years)
                sentences = aligned or sentences
                if not sentences:
                    unfound[piece] = best
            elif not sentences:
                unfound[piece] = 0.0
            return sentences

        return find

    def aligned(self, piece: str, companies: Sequence, years: Sequence) -> tuple[list[Sentence], float]:
        """The sentences of the filing that explains most of a piece, and the best score of any sentence.

        Raises ValueError where two filings explain it alike and neither companies nor years say which is meant.
        """
        tokens = Tokens(piece)
        of_filings: list[tuple[float, tuple[int, int], list[Match]]] = []
        best = 0.0
        for cik in companies:
            for year in [year for year in self.years.get(cik, []) if not years or year in years]:
                matches, score = align(tokens, self.filing(cik, year).tokens)
                best = max(best, score)
                if matches:
                    of_filings.append((sum(match.letters for match in matches), (cik, year), matches))
        of_filings.sort(key=lambda each: -each[0])
        if not of_filings:
            return [], best
        if len(of_filings) > 1 and of_filings[0][0] == of_filings[1][0]:
            raise several(piece, len(of_filings), *(f"{cik} of {year}" for _, (cik, year), _ in of_filings[:2]))
        _, filing, matches = of_filings[0]
        return [self.filing(*filing).sentences[match.place] for match in matches], best

    def filing(self, cik: int, year: int) -> Filing:
        if (cik, year) not in self.filings:
            rows = self.session.execute(OF_FILING, {"cik": cik, "year": year}).fetchall()
            self.filings[cik, year] = Filing([Sentence(*row[1:]) for row in rows], [row[0] for row in rows])
        return self.filings[cik, year]


def chosen(known: dict, piece: str, companies: Sequence, years: Sequence) -> tuple[int | None, list[Sentence]]:
    """The sentences of a piece that were found the best way, of one filing, and that way, 1 to 4, None for none.

    Raises ValueError where several filings have it and neither companies nor years say which is meant.
    """
    fitting = [
        (way, sentence)
        for way, sentence in known.get(piece, [])
        if (not companies or sentence.cik in companies) and (not years or sentence.report_year in years)
    ]
    if not fitting:
        return None, []
    best_way = fitting[0][0]
    best = [sentence for way, sentence in fitting if way == best_way]
    filings = {(sentence.cik, sentence.report_year) for sentence in best}
    if len(filings) > 1:
        raise several(piece, len(filings), best[0].sentence_id, best[-1].sentence_id)
    # an excerpt of several sentences is all of them, a sentence that is repeated is its first
    return best_way, best if best_way == EXCERPT else best[:1]


def several(piece: str, count: int, one: str, other: str) -> ValueError:
    return ValueError(
        f"evidence: {shorten(piece)} stands in {count} filings, such as {one} and {other}. State cik_int and years, or "
        "ids of sentences"
    )


def told(unfound: dict[str, float]) -> str | None:
    """Pieces that stand nowhere as JSON: [{"piece", "best_score", "threshold"}]."""
    rows = [{"piece": piece, "best_score": round(score, 1), "threshold": THRESHOLD} for piece, score in unfound.items()]
    return json.dumps(rows, ensure_ascii=False) if rows else None
