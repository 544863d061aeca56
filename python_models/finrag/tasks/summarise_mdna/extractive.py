"""The baseline of summarise_mdna: sentences of the source, chosen by theme and put in its order. Nothing is generated.
The general summary is of the themes' sentences, the best of each theme first (finrag.tasks.summarise_mdna.general).

A sentence's score for a theme is what the patterns of seeds/summary_theme_patterns.csv add up to, plus the heading it
stands under, plus its centrality: the mean cosine of its words with the other candidates of the theme, so that of
several sentences on a matter the typical one comes first. Early sentences win ties. A sentence serves one theme, that
of its best score; a theme left empty so takes what the others leave of the sentences that speak of it, and shares
theirs where they leave none: a theme is empty only where no sentence speaks of it. Headings that the splitter left at
the start of a sentence are cut off; every other character stays.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag.errors import FinragError
from finrag.project import seeds_folder
from finrag.tasks.summarise_mdna.general import within

PATTERNS = seeds_folder() / "summary_theme_patterns.csv"
MOST_SENTENCES = 5
# Below this score a sentence says too little about a theme.
LEAST_SCORE = 1.0
CENTRALITY_WEIGHT = 1.0
EARLY_WEIGHT = 0.1
# Sentences of fewer words are headings and cells, longer ones lists and tables.
WORDS = (7, 70)
# Rows of tables: more of their words are numbers.
MOST_NUMBERS = 0.35
# Words shared with a chosen sentence, from which another says the same again.
REPETITION = 0.5

WORD = re.compile(r"[A-Za-z]{3,}")
TOKEN = re.compile(r"\S+")
BULLET = re.compile(r"^\s*[•●▪·*–-]\s*")


@dataclass(frozen=True)
class Pattern:
    theme: str
    role: str
    regex: re.Pattern
    weight: float


@cache
def read_patterns(path: Path, stamp: float) -> tuple[Pattern, ...]:
    """stamp: when the file was changed, so that a change is read."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Pattern(row["theme"], row["role"], re.compile(row["pattern"], re.IGNORECASE), float(row["weight"]))
            for row in csv.DictReader(file)
        )


def patterns() -> tuple[Pattern, ...]:
    if not PATTERNS.exists():
        raise FinragError(f"There is no {PATTERNS}. Run from the repository's folder, as the Makefile does.")
    return read_patterns(PATTERNS.resolve(), PATTERNS.stat().st_mtime)


def summarise(inputs: dict, themes: Sequence[str], general: str) -> dict[str, dict]:
    """A summary and the numbers of its sentences for every theme and, under the name general, of them all."""
    known = patterns()
    candidates = score_sentences(inputs["sentences"], known, themes)
    best = {n: max(scores, key=lambda theme: (scores[theme], theme)) for n, (_, scores) in candidates.items()}
    own = {theme: {n for n in candidates if best[n] == theme} for theme in themes}
    chosen = {theme: choose(scored_for(theme, candidates, own[theme])) for theme in themes}
    for theme in themes:
        if not chosen[theme]:  # every sentence on it says more about another theme: those that this one left over
            taken = {n for numbers in chosen.values() for n in numbers}
            left = scored_for(theme, candidates, candidates.keys() - taken)
            chosen[theme] = choose(left or scored_for(theme, candidates, candidates.keys()))
    ranked = {theme: sorted(numbers, key=lambda n: (-candidates[n][1][theme], n)) for theme, numbers in chosen.items()}
    texts = {n: text for n, (text, _) in candidates.items()}
    chosen[general] = sorted(within(ranked.values(), texts, *inputs["general_words"]))
    return {
        theme: {"summary": " ".join(texts[n] for n in numbers), "sentence_numbers": numbers}
        for theme, numbers in chosen.items()
    }


def scored_for(theme: str, candidates: dict[int, tuple[str, dict]], numbers) -> dict[int, tuple[str, float]]:
    """Texts and scores of the sentences with these numbers that speak of a theme, in the order of the text."""
    return {n: (text, scores[theme]) for n, (text, scores) in candidates.items() if n in numbers and theme in scores}


def score_sentences(sentences: list[dict], known: tuple[Pattern, ...], themes) -> dict[int, tuple[str, dict]]:
    """By sentence number: the text without its heading, and its scores by theme, of those that qualify."""
    found: dict[int, tuple[str, dict]] = {}
    section = None
    for sentence in sentences:
        text = BULLET.sub("", sentence["text"])
        for pattern in known:
            if pattern.role == "heading" and (match := pattern.regex.search(text)):
                rest = text[match.end() :]
                stands_alone = len(text.split()) <= 8
                leads_in = re.match(r"(?:[\s:.—–-]|[A-Z][\w&’'-]*\s|and\s|of\s|the\s)*?(?=[A-Z][a-z]*\s[a-z])", rest)
                if stands_alone or (leads_in and rest[:1] in " :.—–-"):
                    section = pattern
                    text = rest[leads_in.end() :] if leads_in and not stands_alone else text
                break
        if not is_prose(text) or any(p.role == "exclude" and p.regex.search(text) for p in known):
            continue
        scores = Counter()
        for pattern in known:
            if pattern.role == "include" and pattern.regex.search(text):
                scores[pattern.theme] += pattern.weight
        if section is not None and scores[section.theme] > 0:
            scores[section.theme] += section.weight / 2
        scores = {theme: score for theme, score in scores.items() if score >= LEAST_SCORE}
        if scores:
            found[sentence["n"]] = (text, scores)
    return found


def is_prose(text: str) -> bool:
    tokens = TOKEN.findall(text)
    numbers = sum(any(character.isdigit() for character in token) for token in tokens)
    return (
        WORDS[0] <= len(tokens) <= WORDS[1]
        and numbers <= MOST_NUMBERS * len(tokens)
        and text.rstrip()[-1:] in '.!?;)”"'
    )


def choose(candidates: dict[int, tuple[str, float]]) -> list[int]:
    """The numbers of the best sentences that do not repeat each other, in the order of the text."""
    words = {n: Counter(word.lower() for word in WORD.findall(text)) for n, (text, _) in candidates.items()}
    central = centrality(words)
    places = {n: place / len(candidates) for place, n in enumerate(sorted(candidates))}
    total = {
        n: score + CENTRALITY_WEIGHT * central[n] + EARLY_WEIGHT * (1 - places[n])
        for n, (_, score) in candidates.items()
    }
    chosen: list[int] = []
    for n in sorted(candidates, key=lambda n: (-total[n], n)):
        if len(chosen) == MOST_SENTENCES:
            break
        if all(shared(words[n], words[other]) < REPETITION for other in chosen):
            chosen.append(n)
    return sorted(chosen)


def shared(one: Counter, other: Counter) -> float:
    """Jaccard similarity of the words."""
    union = len(one.keys() | other.keys())
    return len(one.keys() & other.keys()) / union if union else 1.0


def centrality(words: dict[int, Counter]) -> dict[int, float]:
    """Mean cosine of a sentence's tf-idf vector with all: its product with the mean of the unit vectors."""
    holders = Counter(word for counts in words.values() for word in counts)
    units: dict[int, dict[str, float]] = {}
    mean: Counter = Counter()
    for n, counts in words.items():
        vector = {word: count * math.log((1 + len(words)) / holders[word]) for word, count in counts.items()}
        length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
        units[n] = {word: value / length for word, value in vector.items()}
        for word, value in units[n].items():
            mean[word] += value / len(words)
    return {n: sum(value * mean[word] for word, value in unit.items()) for n, unit in units.items()}
