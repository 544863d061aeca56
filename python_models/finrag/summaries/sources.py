"""The sources of summary pairs, sentence by sentence."""

from __future__ import annotations

from finrag.inputs.summaries import single_spaced
from finrag.tables import as_relation

SENTENCES = {
    "source_id": "varchar",
    "sentence_no": "integer",
    "sentence_id": "varchar",
    "sentence_text": "varchar",
}


def split_sources(session, pairs):
    """Relation with the columns SENTENCES of every source of the pairs. pairs: relation of int_summary_pairs."""
    from finrag.corpus.splitting import split_sentences

    sources = pairs.filter("reason is null").project("source_id, source_text").distinct().order("source_id").fetchall()
    rows = []
    done = set()
    for found, text in sources:
        if found in done:
            continue  # the same text with other spaces
        done.add(found)
        for number, sentence in enumerate(split_sentences(text)):
            rows.append((found, number, f"{found}_{number}", single_spaced(sentence)))
    return as_relation(session, [dict(zip(SENTENCES, row, strict=True)) for row in rows], SENTENCES)
