"""What a question is about: companies, years, items and scope, each with the words that say so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.search.multi_path.scope import classify
from finrag.text.companies import FUZZY_THRESHOLD, Companies, Company
from finrag.text.sections import SectionPattern, compile_patterns, find_sections, likely_sections
from finrag.text.years import find_years

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa


@dataclass(frozen=True)
class Entities:
    """Of one question. It names section_ids; where it names none, likely_section_ids follow from its terms."""

    ciks: tuple[int, ...]
    years: tuple[int, ...]
    section_ids: tuple[str, ...]
    likely_section_ids: tuple[str, ...]
    scope: str
    unresolved: tuple[str, ...]
    how: dict


@dataclass(frozen=True)
class Extractor:
    """The warehouse's own names and patterns, ready to be looked for."""

    companies: Companies
    patterns: list[SectionPattern]
    sections: list[str]

    def extract(self, text: str, kpi_labels: Sequence[str] = (), risk_topics: Sequence[str] = ()) -> Entities:
        """kpi_labels, risk_topics: the terms of the pattern registries that the text holds."""
        mentions, unclear = self.companies.find(text)
        ciks = tuple(dict.fromkeys(mention.cik for mention in mentions))
        years, year_parts = find_years(text)
        named, section_parts = find_sections(text, self.patterns, self.sections)
        scope, why = classify(text, len(ciks), len(years))
        covered = " ".join(section_parts).lower()
        return Entities(
            ciks=ciks,
            years=tuple(years),
            section_ids=tuple(named),
            likely_section_ids=() if named else tuple(likely_sections(text, kpi_labels, risk_topics)),
            scope=scope,
            unresolved=tuple(part for part in dict.fromkeys(unclear) if part.lower() not in covered),
            how={
                "companies": [
                    {"cik": mention.cik, "text": mention.text, "how": mention.how, "score": mention.score}
                    for mention in mentions
                ],
                "years": year_parts,
                "items": section_parts,
                "scope": why,
            },
        )


def extract_all(
    session, *, questions, companies, filings, names, sections, section_mentions, threshold, aliases=""
) -> pa.Table:
    """The rows of int_question_entities.

    session: DuckDB connection. questions: relation of int_question_terms. companies, filings, names, sections,
    section_mentions: relations of dim_companies, dim_filings, int_company_names and the seeds of those names.
    """
    import pyarrow as pa

    extractor = Extractor(
        Companies(read_companies(session, companies, filings, names), threshold, aliases),
        compile_patterns(section_mentions.project("section_id, pattern").order("all").fetchall()),
        [row[0] for row in sections.project("section_id, part").order("part").project("section_id").fetchall()],
    )
    columns = "suite, query_id, query_text, kpi_labels, risk_topics"
    rows = []
    for suite, query_id, text, kpi_labels, risk_topics in questions.project(columns).order("all").fetchall():
        found = extractor.extract(text, kpi_labels, risk_topics)
        rows.append(
            {
                "suite": suite,
                "query_id": query_id,
                "ciks": found.ciks,
                "years": found.years,
                "section_ids": found.section_ids,
                "likely_section_ids": found.likely_section_ids,
                "kpi_labels": kpi_labels,
                "risk_topics": risk_topics,
                "scope": found.scope,
                "unresolved": found.unresolved,
                "how": json.dumps(found.how, ensure_ascii=False),
            }
        )
    return pa.Table.from_pylist(rows, entity_schema())


def read_companies(session, companies, filings, names) -> list[Company]:
    """Every company with the names that its filings and its own sentences give it."""
    rows = companies.project("cik, company_name, ticker").order("cik").fetchall()
    written: dict[int, list[str]] = {}
    for relation, column in ((filings, "company_name"), (names, "company_name"), (names, "question_name")):
        for cik, name in relation.project(f"cik, {column}").distinct().order("all").fetchall():
            if name:
                written.setdefault(cik, []).append(name)
    return [
        Company(cik, name, tuple(dict.fromkeys([name, *written.get(cik, [])])), ticker) for cik, name, ticker in rows
    ]


def entity_schema() -> pa.Schema:
    import pyarrow as pa

    texts = pa.list_(pa.string())
    return pa.schema(
        [
            ("suite", pa.string()),
            ("query_id", pa.string()),
            ("ciks", pa.list_(pa.int64())),
            ("years", pa.list_(pa.int32())),
            ("section_ids", texts),
            ("likely_section_ids", texts),
            ("kpi_labels", texts),
            ("risk_topics", texts),
            ("scope", pa.string()),
            ("unresolved", texts),
            ("how", pa.string()),
        ]
    )


__all__ = ["FUZZY_THRESHOLD", "Entities", "Extractor", "entity_schema", "extract_all", "read_companies"]
