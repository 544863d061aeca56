"""Where published evidence stands in a filing: other spacing is the same text, other figures are another."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from databases import in_memory
from finrag.questions.alignment import Tokens, align
from finrag.questions.evidence import Evidence
from warehouses import ROOT

FILING = [
    "Net sales increased 11% to $1,577 million in fiscal 2018, driven by pricing.",
    "Net sales increased 12% to $1,633 million in fiscal 2017, driven by volume.",
    "See Note 5.",
    "Purchases of property, plant and equipment $ (1,577) (1,373) (1,420)",
    "We hold the BDFA’s ruling to be mistaken and have appealed against it in court.",
    "We hold the KVA’s ruling to be mistaken and have appealed against it in court.",
    "Total 12 11",
]


def aligned(piece: str, texts: list[str] = FILING) -> tuple[list[int], float]:
    matches, best = align(Tokens(piece), [Tokens(text) for text in texts])
    return [match.place for match in matches], best


@pytest.mark.parametrize(
    ("piece", "places"),
    [
        # as it stands
        (FILING[0], [0]),
        # a line end, a broken word, other quotes and no sign of currency
        ("net sales in-\ncreased 11% to 1577 million\n\nin fiscal 2018, driven by pricing", [0]),
        # a word more, a letter less
        ("Net sales increased by 11% to $1,577 million in fiscal 2018, drivn by pricing.", [0]),
        # another figure is another sentence
        ("Net sales increased 11% to $1,578 million in fiscal 2018, driven by pricing.", []),
        # a page: what stands in it, in the order of the filing, each part once
        (f"3M 10-K page 40. {FILING[3]} and elsewhere: {FILING[1]} {FILING[0]}", [0, 1, 3]),
        # a row of a table, its signs of currency left out
        ("Purchases of property, plant and equipment 1577 1373 1420", [3]),
        # decimals that are none, as programs print them
        ("Purchases of property, plant and equipment -1577.0 -1373.00 -1420.0", [3]),
        ("Purchases of property, plant and equipment -1577.1 -1373.0 -1420.0", []),
        ("Purchases of property, plant and equipment -15770 -1373.0 -1420.0", []),
        # part of a sentence
        ("driven by pricing, net sales increased", []),
        ("sales increased 11% to $1,577 million in fiscal 2018", [0]),
        # begun in one sentence and ended in another: 48 of 71 letters of the first, 41 of 70 of the second
        ("to $1,577 million in fiscal 2018, driven by pricing. Net sales increased 12% to $1,633 million in", [0, 1]),
        # the same with a letter less and a space less
        ("to $1,577 million in fiscal 2018, drivn by pricing. Net salesincreased 12% to $1,633 million in", [0, 1]),
        # another figure in the part, and a figure that the sentence has there and the piece has not
        ("to $1,578 million in fiscal 2018, driven by pricing. Net sales increased 12% to $1,633 million in", [1]),
        ("to $1,577 million in fiscal, driven by pricing. Net sales increased 12% to $1,633 million in", [1]),
        # 17 of 71 letters are less than half of it
        ("driven by pricing. Net sales increased 12% to $1,633 million in", [1]),
        # both parts are in the piece, where neither begins or ends it
        (f"Of 3M: to $1,577 million in fiscal 2018, driven by pricing. {FILING[1]}", [1]),
        # of two that are alike the one that is nearer
        (FILING[4], [4]),
        # nothing that could stand anywhere
        ("See Note 5.", []),
        ("", []),
    ],
)
def test_the_same_text_is_found_and_another_is_not(piece, places):
    assert aligned(piece)[0] == places


def test_of_copies_the_one_beside_the_others_is_taken():
    texts = [FILING[0], "Nothing of it at all here.", FILING[4], FILING[0], "Costs fell by $12 million in fiscal 2018."]
    assert aligned(f"{texts[2]} {texts[3]} {texts[4]}", texts)[0] == [2, 3, 4]


def test_the_best_score_of_what_is_not_found_is_told():
    found, best = aligned("We believe that the decision has merit, and will not defend ourselves against it.")
    assert found == [] and 40 < best < 90
    # every figure is another: nothing can be like it
    assert aligned("Sales of 4,711 in 1999 and 8,150 in 1998 were low.") == ([], 0.0)


@pytest.fixture
def sentences():
    """Two filings of one company and one of another, which share a sentence."""
    rows = [
        ("a17", 1, "A Corp", 2017, 0, FILING[1], "prose"),
        ("a18", 1, "A Corp", 2018, 0, FILING[0], "prose"),
        ("a18b", 1, "A Corp", 2018, 1, FILING[4], "prose"),
        ("a18h", 1, "A Corp", 2018, 2, "Management’s Discussion and Analysis of Results", "heading"),
        ("b18", 2, "B Corp", 2018, 0, FILING[4], "prose"),
    ]
    with in_memory() as connection:
        connection.execute(
            "create table corpus (sentence_id varchar, cik integer, company_name varchar, report_year integer, "
            "sentence_pos integer, sentence_text varchar, sentence_kind varchar)"
        )
        connection.executemany("insert into corpus values (?, ?, ?, ?, ?, ?, ?)", rows)
        yield (
            connection,
            connection.sql(
                "select *, 'ITEM_7' as section_id, 12 as word_count, cik || '-' || report_year as filing_id, "
                "null::integer as page_no, "
                "md5(lower(trim(regexp_replace(sentence_text, '\\s+', ' ', 'g')))) as text_hash from corpus"
            ),
        )


def test_evidence_is_looked_for_in_the_filings_that_the_question_names(sentences):
    page = "\n".join(["Results", FILING[0].replace("increased", "in-\ncreased"), FILING[4]])
    strange = "Nothing like this stands anywhere in any filing."
    evidence = Evidence(*sentences, [(page, 1), (FILING[4], None), (strange, None)])
    unfound: dict[str, float] = {}
    find = evidence.finder(unfound)

    def ids(*asked) -> list[str]:
        return [sentence.sentence_id for sentence in find(*asked)]

    assert ids(page, [1], [2018]) == ["a18", "a18b"]
    # the year is told from where it stands
    assert ids(page, [1], []) == ["a18", "a18b"]
    assert ids(FILING[4], [2], [2018]) == ["b18"]
    assert ids("Management’s Discussion and Analysis of Results", [1], [2018]) == []
    with pytest.raises(ValueError, match="stands in 2 filings, such as a18b and b18"):
        find(FILING[4], [], [])
    assert ids(strange, [1], []) == [] and 0 < unfound[strange] < 90
    assert ids(strange, [], []) == [] and unfound[strange] == 0.0


def test_two_filings_that_explain_a_piece_alike_are_a_question_back(sentences):
    connection, relation = sentences
    connection.execute("insert into corpus select 'a17c', 1, 'A Corp', 2017, 1, ?, 'prose'", [FILING[4]])
    # as it is stated by a PDF, so that no sentence has its very words
    piece = FILING[4].replace("mistaken", "mis-\ntaken")
    find = Evidence(connection, relation, [(piece, 1)]).finder({})
    with pytest.raises(ValueError, match="stands in 2 filings, such as 1-201"):
        find(piece, [1], [])
    assert [sentence.sentence_id for sentence in find(piece, [1], [2017])] == ["a17c"]


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    spec = importlib.util.spec_from_file_location("alignment_benchmark", ROOT / "benchmarks" / "alignment.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_what_was_read_by_hand_is_counted_by_passage_and_by_sentence(benchmark, capsys):
    """Three passages were read: one is found whole, one with a wrong sentence, one but for a sentence; one is new."""
    made = [benchmark.Passage("print", "as it is", 7, "f", text) for text in ("a", "b", "c", "d")]
    found = [{"s1"}, {"s2", "s3"}, {"s4"}, {"s6"}]
    read = {
        made[0].key: {"s1": True},
        made[1].key: {"s2": True, "s3": False},
        made[2].key: {"s4": True, "s5": True},
        "gone": {},
    }
    benchmark.show(made, found, read)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "all, both 2 of 3 (0.208-0.939) 2 of 3 (0.208-0.939)" in lines
    assert "rows, both 0 of 0 0 of 0" in lines
    # of four sentences found three are quoted, of four quoted three are found
    assert "of sentences 3 of 4 3 of 4" in lines
    assert "1 passages that were read are others by now" in lines
    assert any(line.startswith("1 passages are new, or are found in a sentence") for line in lines)


def test_the_sample_has_a_verdict_on_every_sentence_of_a_hundred_passages_and_more(benchmark):
    read = benchmark.passages_read()
    assert len(read) >= 100 and sum(any(verdicts.values()) for verdicts in read.values()) >= 100
    assert all(len(name) == 12 for passage, verdicts in read.items() for name in (passage, *verdicts))
