"""The registries of risk, causal, definition and cross-reference patterns, against sentences whose outcome is known.

What the registries mean: a sentence carries a label when an include pattern of the label matches the text after
every match of the label's exclude patterns has been replaced by ' # '. The cues of a label are the non-overlapping
matches of its include patterns joined into one alternation, in order of pattern_id.

- Risk topics: general_risk counts only where no other topic is found; the primary topic has the most cues, and the
  lowest priority number among equals.
- Definitions: of several kinds of definition in one sentence the lowest priority number counts; drivers to verify
  all count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import duckdb
import pytest
from jinja2 import Environment

from csv_files import rows_of
from databases import in_memory

ROOT = Path(__file__).parents[2]
RISK_TOPICS = {
    "regulatory",
    "liquidity_credit",
    "market_competitive",
    "operational_supply_chain",
    "cybersecurity_tech",
    "legal_ip_litigation",
    "general_risk",
}
FALLBACK_TOPIC = "general_risk"

Row = dict[str, str]
Found = dict[str, int]
"""Number of cues by label, of one sentence; labels without a cue are absent."""


def alternation(patterns: list[Row], *roles: str) -> str:
    """All patterns of these roles as one; empty if there are none."""
    joined = "|".join(row["pattern"] for row in ordered(patterns) if row["role"] in roles)
    return f"(?i)(?:{joined})" if joined else ""


def per_text(expression: str, texts: list[str], pattern: str) -> list:
    """What a SQL expression makes of each text with a pattern."""
    query = f"""
        select {expression}
        from (select unnest($texts) as text, generate_subscripts($texts, 1) as position)
        order by position
    """
    return [value for (value,) in connection().execute(query, {"texts": texts, "pattern": pattern}).fetchall()]


def blanked(patterns: list[Row], sentences: list[str]) -> list[str]:
    """Sentences without what the excludes of one label match. `patterns` are the rows of that label alone."""
    excludes = alternation(patterns, "exclude", "blank")
    return per_text("regexp_replace(text, $pattern, ' # ', 'g')", sentences, excludes) if excludes else sentences


def matches(patterns: list[Row], texts: list[str]) -> list[int]:
    """Number of matches of the includes of one label in each text; none where its `before` is not before the first."""
    includes, before = alternation(patterns, "include"), alternation(patterns, "before")
    if not includes:
        return [0] * len(texts)
    counts = per_text("len(regexp_extract_all(text, $pattern))", texts, includes)
    if not before:
        return counts
    heads = per_text("substr(text, 1, strpos(text, regexp_extract(text, $pattern)) - 1)", texts, includes)
    return [
        count * is_behind
        for count, is_behind in zip(counts, per_text("regexp_matches(text, $pattern)", heads, before), strict=True)
    ]


def cue_counts(patterns: list[Row], sentences: list[str]) -> list[int]:
    """Number of cues of one label in each sentence."""
    return matches(patterns, blanked(patterns, sentences))


def spelled_out(pattern: str, words: dict[str, str]) -> str:
    for word, meaning in words.items():
        pattern = pattern.replace(f"{{{word}}}", meaning)
    return pattern


def ordered(patterns: list[Row]) -> list[Row]:
    return sorted(patterns, key=lambda row: (int(row["priority"]), row["pattern_id"]))


@cache
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@dataclass(frozen=True)
class Registry:
    """One seed of patterns and the sentences that show what it does."""

    seed: str
    cases_file: str
    label_columns: tuple[str, ...]

    def patterns(self) -> list[Row]:
        """Rows that are patterns, with the words that stand in braces written out."""
        rows = rows_of(f"seeds/{self.seed}.csv")
        words = {row["pattern_id"].partition("_word_")[2]: row["pattern"] for row in rows if row["role"] == "word"}
        return [row | {"pattern": spelled_out(row["pattern"], words)} for row in rows if row["role"] != "word"]

    def cases(self) -> list[Row]:
        return rows_of(f"tests/fixtures/{self.cases_file}.csv")

    def label(self, pattern: Row) -> str:
        return ":".join(pattern[column] for column in self.label_columns) or "cross_reference"

    def by_label(self) -> dict[str, list[Row]]:
        groups = defaultdict(list)
        for pattern in self.patterns():
            groups[self.label(pattern)].append(pattern)
        return dict(groups)

    def outcome(self, found: Found) -> tuple[str, ...]:
        """What the fixture states of a sentence, from its cues by label."""
        labels = set(found)
        priority = priorities(self)
        if self.seed == "risk_patterns":
            specific = labels - {FALLBACK_TOPIC}
            labels = specific or labels
            primary = min(labels, key=lambda label: (-found[label], priority[label]), default="")
            return "|".join(sorted(labels)), primary
        if self.seed == "definition_patterns":
            definitions = [label for label in labels if label.startswith("definition:")]
            labels -= set(sorted(definitions, key=priority.__getitem__)[1:])
        return ("|".join(sorted(labels)),)

    def expected(self, case: Row) -> tuple[str, ...]:
        if self.seed == "risk_patterns":
            return case["expected_labels"], case["expected_primary"]
        if self.seed == "causal_patterns":
            return (case["expected_connectors"],)
        if self.seed == "definition_patterns":
            return (case["expected_labels"],)
        return ("cross_reference" if case["kind"] == "positive" else "",)


@cache
def priorities(registry: Registry) -> dict[str, int]:
    return {label: min(int(row["priority"]) for row in rows) for label, rows in registry.by_label().items()}


RISK = Registry("risk_patterns", "risk_pattern_cases", ("risk_topic",))
CAUSAL = Registry("causal_patterns", "causal_pattern_cases", ("connector",))
DEFINITION = Registry("definition_patterns", "definition_pattern_cases", ("candidate_type", "topic_label"))
CROSS_REFERENCE = Registry("cross_reference_patterns", "cross_reference_cases", ())
REGISTRIES = (RISK, CAUSAL, DEFINITION, CROSS_REFERENCE)
per_registry = pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.seed)


@cache
def counts_by_label(registry: Registry) -> dict[str, list[int]]:
    """Cues of every case of the registry, by label; lists are in the order of the fixture."""
    sentences = [case["sentence"] for case in registry.cases()]
    return {label: cue_counts(patterns, sentences) for label, patterns in registry.by_label().items()}


def outcomes(registry: Registry, counts: dict[str, list[int]]) -> list[tuple[str, ...]]:
    return [
        registry.outcome({label: found[position] for label, found in counts.items() if found[position]})
        for position in range(len(registry.cases()))
    ]


@cache
def actual(registry: Registry) -> dict[str, tuple[str, ...]]:
    found = outcomes(registry, counts_by_label(registry))
    return {case["case_id"]: outcome for case, outcome in zip(registry.cases(), found, strict=True)}


def every_case() -> Iterator:
    for registry in REGISTRIES:
        for case in registry.cases():
            yield pytest.param(registry, case, id=case["case_id"])


@pytest.mark.parametrize(("registry", "case"), list(every_case()))
def test_sentence_has_the_stated_outcome(registry: Registry, case: Row) -> None:
    assert actual(registry)[case["case_id"]] == registry.expected(case), case["sentence"]


def needless_patterns(registry: Registry, role: str, kind: str) -> list[str]:
    """Patterns of a role whose removal leaves the outcome of all cases of a kind as it is.

    An alternation finds the same without an alternative that matches nowhere in a text, so a pattern is left out of its
    label for those texts alone in which it matches.
    """
    cases = [(position, case) for position, case in enumerate(registry.cases()) if case["kind"] == kind]
    sentences = [case["sentence"] for _, case in cases]
    counts = counts_by_label(registry)
    needless = []
    for label, patterns in registry.by_label().items():
        texts = blanked(patterns, sentences) if role == "include" else sentences
        count = matches if role == "include" else cue_counts
        for pattern in patterns:
            if pattern["role"] != role:
                continue
            # where it does not match it keeps a phrase out that stands behind something else
            is_in = (
                [True] * len(texts)
                if role == "before"
                else per_text("regexp_matches(text, $pattern)", texts, alternation([pattern], role))
            )
            touched = [place for place, is_touched in enumerate(is_in) if is_touched]
            rest = [other for other in patterns if other is not pattern]
            is_needed = False
            for place, without in zip(touched, count(rest, [texts[place] for place in touched]), strict=True):
                position, case = cases[place]
                found = {name: held[position] for name, held in counts.items()} | {label: without}
                outcome = registry.outcome({name: number for name, number in found.items() if number})
                is_needed |= outcome != actual(registry)[case["case_id"]]
            if not is_needed:
                needless.append(pattern["pattern_id"])
    return needless


@per_registry
def test_every_include_pattern_is_needed_by_a_positive_case(registry: Registry) -> None:
    assert needless_patterns(registry, "include", "positive") == []


@per_registry
def test_every_exclude_pattern_is_needed_by_a_near_miss(registry: Registry) -> None:
    assert needless_patterns(registry, "exclude", "near_miss") == []
    assert needless_patterns(registry, "blank", "near_miss") == []
    assert needless_patterns(registry, "before", "near_miss") == []


@per_registry
def test_every_pattern_compiles_and_matches_no_empty_text(registry: Registry) -> None:
    # A pattern that matches the empty text would tag, or blank, every sentence.
    for pattern in registry.patterns():
        query = "select regexp_matches('', $pattern)"
        matches_empty = connection().execute(query, {"pattern": f"(?i)(?:{pattern['pattern']})"}).fetchall()[0][0]
        assert not matches_empty, pattern["pattern_id"]


@per_registry
def test_rows_are_complete(registry: Registry) -> None:
    for pattern in registry.patterns():
        assert all(value for value in pattern.values()), pattern
        assert pattern["role"] in ("include", "exclude", "verb", "blank", "theme", "before"), pattern
        assert pattern["pattern"] == pattern["pattern"].strip(), f"loading a seed may trim {pattern['pattern_id']}"
        assert int(pattern["version"]) >= 1, pattern


def test_ids_are_unique_across_the_registries() -> None:
    patterns = chain.from_iterable(registry.patterns() for registry in REGISTRIES)
    cases = chain.from_iterable(registry.cases() for registry in REGISTRIES)
    counted = Counter(row["pattern_id"] for row in patterns) + Counter(row["case_id"] for row in cases)
    assert [name for name, number in counted.items() if number > 1] == []


@per_registry
def test_sentences_of_the_cases_are_distinct(registry: Registry) -> None:
    counted = Counter(case["sentence"] for case in registry.cases())
    assert [sentence for sentence, number in counted.items() if number > 1] == []


def test_a_risk_topic_has_one_priority_and_no_topic_shares_it() -> None:
    by_topic = defaultdict(set)
    for pattern in RISK.patterns():
        by_topic[pattern["risk_topic"]].add(pattern["priority"])
    assert set(by_topic) == RISK_TOPICS
    assert all(len(values) == 1 for values in by_topic.values()), by_topic
    assert len(set.union(*by_topic.values())) == len(RISK_TOPICS)
    assert max(RISK_TOPICS, key=priorities(RISK).__getitem__) == FALLBACK_TOPIC


def test_positive_cases_carry_the_label_they_test_and_near_misses_do_not() -> None:
    for case in RISK.cases():
        carried = case["tests_label"] in case["expected_labels"].split("|")
        assert carried == (case["kind"] == "positive"), case
    for case in DEFINITION.cases():
        carried = any(label.startswith(case["candidate_type"]) for label in case["expected_labels"].split("|"))
        assert carried == (case["kind"] == "positive"), case
    for case in CAUSAL.cases():
        assert bool(case["expected_connectors"]) == (case["kind"] == "positive"), case


def test_there_are_enough_cases() -> None:
    risk = Counter((case["tests_label"], case["kind"]) for case in RISK.cases())
    for topic in RISK_TOPICS:
        assert risk[topic, "positive"] >= 12, topic
        assert risk[topic, "near_miss"] >= 8, topic

    connectors = Counter(connector for case in CAUSAL.cases() for connector in case["expected_connectors"].split("|"))
    for connector in CAUSAL.by_label():
        assert connectors[connector] >= 2, connector
    assert sum(case["kind"] == "near_miss" for case in CAUSAL.cases()) >= 12

    definition = Counter((case["candidate_type"], case["kind"]) for case in DEFINITION.cases())
    for candidate_type in ("definition", "verification"):
        assert definition[candidate_type, "positive"] >= 20, candidate_type
        assert definition[candidate_type, "near_miss"] >= 12, candidate_type

    pointers = Counter(case["kind"] for case in CROSS_REFERENCE.cases())
    assert min(pointers["positive"], pointers["near_miss"]) >= 12


def test_rules_are_looked_for_in_as_few_alternations_as_are_short_enough():
    """Of 3, 3 and 5 characters: the first two and the bar between them are 7, all three 13. A rule may have none."""
    source = (ROOT / "macros" / "patterns" / "label_rules.sql").read_text(encoding="utf-8")
    environment = Environment(extensions=["jinja2.ext.do"])
    environment.globals["modules"] = {"re": re}
    macros = environment.from_string(source).module
    rules = [{"include": f"'{pattern}'"} for pattern in ("cat", "dog", "horse")] + [{"include": None}]
    texts = ["a cat", "two dogs", "a horse", "a cow"]
    for longest, alternations in ((13, 1), (12, 2), (7, 2), (6, 3), (1, 3)):
        condition = macros.matches_any_rule("text", rules, longest)
        assert condition.count("regexp_matches") == alternations
        with in_memory() as connection:
            found = connection.execute(f"select {condition} from (select unnest(?) as text)", [texts])
            assert found.fetchall() == [(True,), (True,), (True,), (False,)]
    assert macros.matches_any_rule("text", []).split() == ["(", "false", ")"]
    counting = ["'cat'", "'a{2,100}'", "'dog'", "'b{3}'"]
    for apart, alternations in ((True, 2), (False, 1)):
        assert macros.any_alternation_matches("text", counting, apart=apart).count("regexp_matches") == alternations
