"""Gold evidence with other figures in it: whoever reads it answers otherwise than who remembers the filing.

All figures of the answer's kind are multiplied by one factor, so that sums, growth and shares still hold, and rounded
to the digits that they are written with; what states one figure twice, in another scale or rounded, still states one.
The idea is the substitution of Longpre et al. (2021), "Entity-based knowledge conflicts in question answering".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import isclose, log10

from finrag.scoring.numbers import MAX_ROUNDING_SHARE, MEASURED, Gold, fits
from finrag.statistics.bootstrap import seed_of
from finrag.tables import as_relation, name_relations
from finrag.text.amounts import CURRENCIES, NUMBER, PERCENT, POINTS, Amount, parse_amounts
from finrag.text.digits import Digits, digits_of, replaced

METHOD = "altered_evidence"
# A figure becomes so many times as large or as small: far enough that no rounding of one states the other, near enough
# to be a figure of the same company.
LEAST_FACTOR, MOST_FACTOR = 1.25, 1.9
# Factors that are tried before a question is given up.
TRIES = 60
# What a company can have at most of itself
WHOLE = 100
OUTPUT = {
    "suite": "varchar",
    "query_id": "varchar",
    "reason": "varchar",
    "altered_numeric": "double",
    "contexts": "struct(sentence_id varchar, company_name varchar, report_year integer, section_id varchar, "
    "text varchar)[]",
}
# The evidence of the numeric questions within the limits of a context, the best of it first; then as contexts order it.
EVIDENCE = """
    with evidence as (
        select
            evidence.query_id,
            evidence.grade,
            evidence.evidence_rank,
            sentences.sentence_id,
            companies.company_name,
            sentences.cik,
            sentences.report_year,
            sentences.section_id,
            sentences.sentence_pos,
            sentences.sentence_text as text,
        from altered_evidence as evidence
        inner join altered_sentences as sentences using (sentence_id)
        inner join altered_companies as companies using (cik)
        where evidence.grade > 0
        qualify row_number() over (
            partition by evidence.query_id, sentences.text_hash, sentences.cik, sentences.report_year
            order by evidence.grade desc, evidence.evidence_rank nulls last, sentence_id
        ) = 1
    ),

    shown as (
        select *
        from evidence
        window best as (
            partition by query_id order by grade desc, evidence_rank nulls last, sentence_id
            rows between unbounded preceding and current row
        )
        qualify
            row_number() over best <= $sentences
            and sum(ceil(len(text) / 4)) over best <= $tokens
    )

    select
        questions.suite,
        questions.query_id,
        coalesce(questions.paraphrase_group_id, questions.query_id) as question_group,
        questions.question_text,
        questions.answer_numeric,
        questions.answer_unit,
        questions.tolerance,
        list({
            'sentence_id': sentence_id,
            'company_name': shown.company_name,
            'report_year': report_year,
            'section_id': section_id,
            'text': text
        } order by cik, report_year, section_id, sentence_pos, sentence_id)
            filter (where sentence_id is not null) as contexts,
    from altered_questions as questions
    left join shown using (query_id)
    where questions.answer_type = 'numeric' and questions.answer_numeric is not null
    group by all
    order by questions.query_id
"""


class UnalteredError(Exception):
    """Why the evidence of a question cannot be altered; the reason of its row."""


@dataclass(frozen=True)
class Figure:
    """A number of the evidence. place: of its text. size: without its sign, in base units of unit.

    rounding: half of its last digit, in the same. states_gold: it is the answer, read in the answer's unit.
    """

    place: int
    digits: Digits
    unit: str
    size: Decimal
    rounding: float
    states_gold: bool

    @property
    def one(self) -> Decimal:
        """What one of the number as it is written is worth."""
        return self.size / self.digits.number


@dataclass(frozen=True)
class Altered:
    """The texts with other figures, and what the answer is by them, in the gold answer's unit."""

    texts: list[str]
    answer: float


def alter_evidence(session, settings: Mapping, strategies, tables: Mapping):
    """Relation with the columns OUTPUT: a row per numeric question, its evidence altered or the reason why it is not.

    session: DuckDB connection. settings: the vars retrieval_strategies, gold_seed, context_token_budget and
    context_max_sentences. strategies: relation of the seed retrieval_strategies; none of METHOD named, no row.
    tables: relations of gold.p3_questions, gold.p3_evidence, corpus.fct_sentences and corpus.dim_companies by the names
    questions, evidence, sentences and companies.
    """
    named = str(settings["retrieval_strategies"]).split()
    methods = dict(strategies.project("strategy, method").fetchall())
    if METHOD not in (methods.get(strategy) for strategy in named):
        return as_relation(session, [], OUTPUT)
    name_relations(session, **{f"altered_{name}": relation for name, relation in tables.items()})
    limits = {"sentences": settings["context_max_sentences"], "tokens": settings["context_token_budget"]}
    found = session.execute(EVIDENCE, limits)
    names = [column for column, *_ in found.description]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return as_relation(session, [row_of(row, str(settings["gold_seed"])) for row in rows], OUTPUT)


def row_of(row: dict, seed: str) -> dict:
    """OUTPUT of one question. All wordings of a question get the same figures."""
    contexts = row["contexts"] or []
    named = {"suite": row["suite"], "query_id": row["query_id"]}
    try:
        if not contexts:
            raise UnalteredError("no_evidence")
        gold = Gold.read(row["answer_numeric"], row["answer_unit"], row["tolerance"], row["question_text"])
        altered = alter([each["text"] for each in contexts], gold, f"{seed}|{row['question_group']}")
    except UnalteredError as reason:
        return named | {"reason": str(reason)}
    texts = [each | {"text": text} for each, text in zip(contexts, altered.texts, strict=True)]
    sign = -1 if row["answer_numeric"] < 0 else 1
    return named | {"altered_numeric": sign * altered.answer, "contexts": texts}


def alter(texts: Sequence[str], gold: Gold, seed: str) -> Altered:
    """The texts with other figures where they state the gold answer or figures of its kind; the rest stays as it is.

    seed decides by how much. Raises UnalteredError: time_or_ratio is no figure that is altered; not_stated, the answer
    is derived; in_words, a text has it otherwise than in digits; no_other_figure of as many digits can be told from it.
    """
    unit = gold.wanted.name
    if not (unit in MEASURED or unit.endswith("per share") or unit in ("shares", NUMBER)):
        raise UnalteredError("time_or_ratio")
    if not any(gold.ends):
        raise UnalteredError("no_other_figure")  # nothing times a factor is nothing
    read = [read_text(text) for text in texts]
    figures = [figure for place, found in enumerate(read) for figure in figures_in(place, found, gold)]
    stating = [figure for figure in figures if figure.states_gold]
    if not stating:
        raise UnalteredError("not_stated")
    if not all(figure.digits.text for figure in stating):
        raise UnalteredError("in_words")
    figures = [figure for figure in figures if figure.digits.text]
    exact = min(stating, key=lambda figure: figure.rounding)
    for factor in factors(seed):
        others = multiplied(figures, factor)
        is_told = all(is_told_apart(figure, others[figure], gold) for figure in figures)
        if not is_told or not all(agrees(figure, others[figure], others[exact], gold) for figure in stating):
            continue
        written = [
            replaced(text, [(f.digits, f.digits.written(others[f] / f.one)) for f in figures if f.place == place])
            for place, text in enumerate(texts)
        ]
        after = [parse_amounts(text) for text in written]
        if is_read_so(read, after, others) and not any(states(gold, amounts) for amounts in after):
            return Altered(written, float(others[exact] / Decimal(repr(gold.wanted.scale))))
    raise UnalteredError("no_other_figure")


def read_text(text: str) -> list[tuple[Amount, tuple[Digits, ...]]]:
    """The amounts of a text, each with its digits."""
    amounts = parse_amounts(text)
    return list(zip(amounts, digits_of(text, amounts), strict=True))


def figures_in(place: int, read: Sequence[tuple[Amount, tuple[Digits, ...]]], gold: Gold) -> Iterator[Figure]:
    """The numbers of a text that state the gold answer, and those of its kind; a number in words has empty digits."""
    for amount, digits in read:
        readings = gold.readings(amount)
        stated = next((reading for reading in readings if is_gold(reading, gold)), None)
        if stated is None and not is_of_kind(amount, gold, bool(readings)):
            continue
        meant = stated or (readings[0] if readings else amount)
        unit = gold.wanted.name if readings else amount.unit
        ends = (meant.value,) if meant.high is None else (meant.value, meant.high)
        for end, written in zip(ends, digits or (Digits("", 0, 0),) * len(ends), strict=True):
            size = written.number * scale_of(end, written.number) if written.text and end else Decimal(0)
            if size or not written.text:
                yield Figure(place, written, unit, size, meant.rounding, stated is not None)


def is_gold(reading: Amount, gold: Gold) -> bool:
    """Whether a figure is the gold answer, whatever the sign that the words around it give it."""
    size = replace(reading, value=abs(reading.value), high=None if reading.high is None else abs(reading.high))
    ends = sorted(map(abs, gold.ends))
    return fits(size, (ends[0], ends[1]), gold.stated)


def is_of_kind(amount: Amount, gold: Gold, is_of_unit: bool) -> bool:
    """Whether a figure moves with the answer's: dollars a share with dollars, percentage points with percent.

    A number without unit and scale may count anything, and what is counted has nothing to do with other counts.
    """
    kinds = [{PERCENT, POINTS}, *({name, f"{name} per share"} for name in CURRENCIES.values())]
    is_beside = any({gold.wanted.name, amount.unit} <= kind for kind in kinds)
    return not amount.is_bare and gold.wanted.name != NUMBER and (is_of_unit or is_beside)


def scale_of(value: float, number: Decimal) -> Decimal:
    """What one of a number as it is written is worth: a power of ten, or of "lakh" and "crore"."""
    return Decimal(1).scaleb(round(log10(abs(value) / float(number))))


def factors(seed: str) -> Iterator[Decimal]:
    """Factors between 1.25 and 1.9 and between 1 / 1.9 and 1 / 1.25, the same for the same seed."""
    for number in range(TRIES):
        drawn = seed_of(METHOD, seed, str(number)) / 2**64
        factor = LEAST_FACTOR + (MOST_FACTOR - LEAST_FACTOR) * (2 * drawn % 1)
        yield Decimal(repr(factor if drawn < 0.5 else 1 / factor))


def multiplied(figures: Sequence[Figure], factor: Decimal) -> dict[Figure, Decimal]:
    """What each figure becomes. One that repeats a more precise one becomes that one's other figure, rounded."""
    others: dict[Figure, Decimal] = {}
    firsts: list[Figure] = []
    for figure in sorted(figures, key=lambda each: (each.rounding, each.place, each.digits.start)):
        same = [first for first in firsts if is_repeated(first, figure)]
        first = min(same, key=lambda each: abs(each.size - figure.size)) if same else None
        if first is None:
            firsts.append(figure)
        wanted = figure.size * factor if first is None else others[first]
        others[figure] = figure.digits.rounded(wanted / figure.one) * figure.one
    return others


def is_repeated(first: Figure, figure: Figure) -> bool:
    is_near = abs(first.size - figure.size) <= Decimal(repr(max(first.rounding, figure.rounding)))
    return first.unit == figure.unit and ((first.states_gold and figure.states_gold) or is_near)


def is_told_apart(figure: Figure, other: Decimal, gold: Gold) -> bool:
    """Whether a figure is another one beyond its precision; what states the answer, also beyond an answer's."""
    size, changed = float(figure.size), float(other)
    least = figure.rounding
    if figure.states_gold:
        least = max(least, MAX_ROUNDING_SHARE * (size + changed) + 2 * gold.stated)
    is_possible = figure.unit != PERCENT or size > WHOLE or changed <= WHOLE
    return changed > 0 and is_possible and abs(changed - size) > least


def agrees(figure: Figure, other: Decimal, answer: Decimal, gold: Gold) -> bool:
    """Whether a rounded statement of the answer still states it: "$0.9 billion" states 911.5 million, and not 945."""
    said = Amount(figure.digits.text, 0, float(other), figure.unit, figure.rounding)
    return fits(said, (float(answer), float(answer)), gold.stated)


def is_read_so(read: Sequence, after: Sequence[Sequence[Amount]], others: dict[Figure, Decimal]) -> bool:
    """Whether amounts are read as before, but for the figures that are others.

    read: of each text its amounts with their digits; after: the amounts of the text that was made of it.
    """
    for place, (before, amounts) in enumerate(zip(read, after, strict=True)):
        changed = {f.digits: float(others[f] / f.size) for f in others if f.place == place}
        if len(before) != len(amounts):
            return False
        for (old, digits), new in zip(before, amounts, strict=True):
            if (old.unit, old.high is None, old.direction) != (new.unit, new.high is None, new.direction):
                return False
            ends = [(old.value, new.value)] if old.high is None else [(old.value, new.value), (old.high, new.high)]
            shares = [changed.get(each, 1.0) for each in digits] or [1.0] * len(ends)
            if not all(isclose(a * share, b, rel_tol=1e-9) for (a, b), share in zip(ends, shares, strict=True)):
                return False
    return True


def states(gold: Gold, amounts: Sequence[Amount]) -> bool:
    """Whether any of the amounts is the gold answer."""
    return any(is_gold(reading, gold) for amount in amounts for reading in gold.readings(amount))
