"""The report: one page that opens anywhere, shows what the warehouse has, and takes filing text for text."""

from __future__ import annotations

import csv
import html
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import duckdb
import pytest
import vl_convert

from finrag.build.turn import turn
from finrag.errors import FinragError
from finrag.publish.files import Publication, written_state
from finrag.report.answers import calls_in_words
from finrag.report.builds import over_builds
from finrag.report.cases import CLAIMS_OF_A_KIND, TEXTS
from finrag.report.charts import LABEL, lines
from finrag.report.data import Column, Figure, Reader, Section
from finrag.report.page import COLOURS, chart_library, colours, json_in_html, render, script_in_html, sections
from finrag.report.scorecards import long_rows
from finrag.report.side_by_side import OUTCOMES, SHOWN
from finrag.report.verdicts import line_of, nothing
from finrag.report.write import notice, source, write
from warehouses import Warehouse

# Every way that a text could run something or ask for something, where it is taken for HTML, CSS or a template.
HOSTILE = (
    "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 1'><b>\"&amp;\u2028"
    "</style></title></textarea></template>--><svg onload='window.broken = 1'><script>window.broken = 1</script></svg>"
    "<svg><animate onbegin='window.broken = 1' attributeName=x dur=1s></svg><details open ontoggle='window.broken = 1'>"
    "<input autofocus onfocus='window.broken = 1'><body onload='window.broken = 1'>"
    "<a id=planted href='javascript:window.broken = 1'>a link</a><iframe srcdoc='<script>parent.broken = 1</script>'>"
    "</iframe><iframe src='javascript:parent.broken = 1'></iframe><object data='javascript:window.broken = 1'></object>"
    "<meta http-equiv=refresh content='0; url=http://planted.invalid/'><base href='http://planted.invalid/'>"
    "<form action='http://planted.invalid/'><button id=planted>send</button></form>"
    "<style>@import 'http://planted.invalid/a.css'; * { background: url(http://planted.invalid/b.png) }</style>"
    "<link rel=stylesheet href='http://planted.invalid/c.css'><p style='background: url(http://planted.invalid/d.png)'>"
    "' onmouseover='window.broken = 1' x=' \" onfocus=\"window.broken = 1\" {{ 7 * 7 }} {% raw %} ${window.broken = 1}"
    " [a](javascript:window.broken = 1)"
)
OF_FILINGS = {
    "corpus.fct_sentences": ("sentence_text", "company_name"),
    "metrics.hardest_cases": ("query_text", "nearest_text", "company_name", "reason_class"),
    "corpus.dim_companies": ("company_name",),
    "gold.p3_questions": ("question_text", "answer_text"),
    "questions.p3_question_rejects": ("question_text", "reason"),
    "answers.answers": ("answer_text",),
    "metrics.alerts": ("message",),
    "metrics.runs": ("embedding_model",),
    "gold.retrieval_queries": ("query_text", "company_name"),
    "sentiment.headlines": ("headline_text",),
    "summaries.claim_verdicts": ("claim_text", "reason"),
    "metrics.verdicts": ("candidate", "reference", "sentence"),
}
WITHOUT_RUN = ("length-coverage", "sentiment-confusion", "calibration-")
# What other parts of the warehouse hold once summaries, sentiment and judges are measured.
SCORECARD = """
    create or replace table {table} as
    select
        'run1' as run_id, 'baseline' as model_id, 'baseline' as provider, true as is_baseline, metric, stratum_by,
        stratum, value, value - 0.1 as ci_low, value + 0.1 as ci_high, 40::bigint as n_total, 38::bigint as n_measured,
        2::bigint as n_error, true as is_current,
    from (values {rows}) as rows (metric, stratum_by, stratum, value)
"""


class Page(HTMLParser):
    """Elements and texts of a page, as a browser would read it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.sections: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "section":
            self.sections.append(dict(attrs)["id"])

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def report(demo: Warehouse, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("report") / "finrag.html"
    write(demo.database, file)
    return file


@pytest.mark.parametrize("is_writable", [True, False])
def test_the_chart_library_is_bundled_once_for_a_project_that_can_be_written(tmp_path, monkeypatch, is_writable):
    monkeypatch.setenv("DBT_TARGET_PATH", str(tmp_path / "target"))
    monkeypatch.setattr(os, "access", lambda path, mode: is_writable)
    asked: list[str] = []
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: asked.append(snippet) or "'\r</script>'")
    assert {chart_library() for _ in range(2)} == {"'\r<\\/script>'"}
    assert len(asked) == (1 if is_writable else 2)


@pytest.fixture(scope="module")
def parts(demo: Warehouse) -> list[Section]:
    return sections(Reader(demo.database))


@pytest.fixture(scope="module")
def hostile(demo: Warehouse, tmp_path_factory) -> Path:
    """The report of a warehouse whose filings hold HTML and script, with tables of every area."""
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copy(demo.database, folder / "finrag.duckdb")
    with duckdb.connect(str(folder / "finrag.duckdb")) as connection:
        for table, columns in OF_FILINGS.items():
            for column in columns:
                connection.execute(f"update {table} set {column} = ? || coalesce({column}, '')", [HOSTILE])
        replaced = ("summary_scorecard", "sentiment_scorecard", "judge_calibration", "sentiment_confusion")
        kinds = dict(connection.execute("select table_name, table_type from information_schema.tables").fetchall())
        for name in replaced:
            connection.execute(f"drop {'view' if kinds[name] == 'VIEW' else 'table'} metrics.{name}")
        claims = [("faithfulness", "overall", "all", 0.8), ("faithfulness", "theme", HOSTILE, 0.5)]
        rows = ", ".join(f"({', '.join(map(literal, row))})" for row in claims)
        connection.execute(SCORECARD.format(table="metrics.summary_scorecard", rows=rows))
        rows = "('accuracy', 'overall', 'all', 0.6)"
        connection.execute(SCORECARD.format(table="metrics.sentiment_scorecard", rows=rows))
        connection.execute(SCORECARD.format(table="metrics.judge_calibration", rows=rows))
        connection.execute("""
            create or replace table metrics.sentiment_confusion as
            select 'baseline' as model_id, true as is_baseline, *
            from (values ('positive', 'positive', 5), ('positive', 'negative', 2), ('negative', 'negative', 4))
                as rows (gold_label, predicted_label, n_headlines)
        """)
    file = folder / "finrag.html"
    write(folder / "finrag.duckdb", file)
    return file


def literal(value: object) -> str:
    return str(value) if isinstance(value, float) else "'" + str(value).replace("'", "''") + "'"


def test_one_file_that_names_no_other(report):
    text = report.read_text(encoding="utf-8")
    assert report.stat().st_size < 5_000_000
    page = Page(text)
    assert not {"img", "iframe", "object", "embed"} & set(page.tags)
    linked = [value for name, value in page.attributes if name in ("src", "href", "srcset", "action")]
    assert [value for value in linked if not value.startswith(("#", "data:"))] == []
    assert "default-src 'none'" in text


def test_every_part_of_the_demo_warehouse_is_shown(report):
    shown = Page(report.read_text(encoding="utf-8")).sections
    assert shown == [
        *("overview", "verdicts", "side-by-side", "builds", "retrieval", "section-length", "strategies", "losses"),
        *("answers", "summaries", "sentiment", "labellers", "calibration", "cost", "alerts"),
        *("hardest", "wrong-answers", "claims", "rejected"),
    ]


def test_parts_of_other_areas_are_shown_where_their_tables_are(hostile):
    shown = Page(hostile.read_text(encoding="utf-8")).sections
    assert {"summaries", "sentiment", "calibration", "claims"} <= set(shown)


def test_figures_are_those_of_the_warehouse(demo, parts):
    """Not recomputed, not rounded on the way: the corpus value, the draw's, n and run as in metrics.metric_values."""
    [retrieval] = [section for section in parts if section.id == "retrieval"]
    rows = {
        (row["run_id"], row["metric_name"], row["gold_predicate"], row["population"]): (
            *(row["value"], row["drawn"], row["n_measured"]),
        )
        for figure in retrieval.figures
        if figure.id.startswith("scorecard")
        for row in figure.rows
    }
    of_warehouse = demo.rows("""
        select run_id, metric || '@' || k, variant, population, corpus_value, value, n_measured
        from metrics.metric_values_by_run
        where
            suite in ('p1', 'p2') and is_current and stratum_by = 'overall' and gold_window in ('5', 'adaptive')
            and (metric, k) in (('hit', 1), ('hit', 5), ('hit', 10), ('recall', 30), ('mrr', 30), ('ndcg', 10))
    """)
    assert rows == {row[:4]: row[4:] for row in of_warehouse}


def test_outcomes_of_two_runs_are_those_of_their_items(demo, parts, report):
    """Counts per pair against the items, each case in the outcome that it states, and a link from the first screen."""
    [section] = [section for section in parts if section.id == "side-by-side"]
    [figure] = section.figures
    names = ("lost", "won", "both_missed", "both_found")
    pairs = [row for row in figure.rows if row["of"].startswith(("p1", "p2", "p3 open"))]
    assert len(pairs) > 10
    for row in pairs:
        candidate, reference = row["run_id"].split(" / ")
        [expected] = demo.rows(
            """
            select
                count(*) filter (b.hit_at_5 and not a.hit_at_5), count(*) filter (a.hit_at_5 and not b.hit_at_5),
                count(*) filter (not a.hit_at_5 and not b.hit_at_5), count(*) filter (a.hit_at_5 and b.hit_at_5)
            from metrics.retrieval_items as a
            inner join metrics.retrieval_items as b using (query_id, gold_window, gold_predicate)
            where a.run_id = $a and b.run_id = $b and a.is_covered and gold_window in ('5', 'adaptive', 'none')
                and gold_predicate in ('positional', 'evidence')
            """,
            {"a": candidate, "b": reference},
        )
        assert tuple(row[name] for name in names) == expected, row["pair"]
    counts = {row["pair"]: row for row in figure.rows}
    shown = Counter((case.keys["pair"], case.keys["outcome"]) for case in section.cases)
    assert shown == {
        (pair, outcome): min(SHOWN, counts[pair][outcome.replace(" ", "_")])
        for pair in counts
        for outcome in OUTCOMES
        if counts[pair][outcome.replace(" ", "_")]
    }
    for case in section.cases:
        *_, of_candidate, of_reference = case.passages
        if case.keys["outcome"] == "both missed":
            assert (of_candidate.tone, of_reference.tone) == ("wrong", "wrong")
    linked = [value for name, value in Page(report.read_text("utf-8")).attributes if name == "href"]
    assert {value for value in linked if value.startswith("#side-by-side?")} <= {
        f"#side-by-side?{urlencode({'pair': pair})}" for pair in counts
    }
    assert sum(value.startswith("#side-by-side?") for value in linked) > 5


def test_claims_say_whose_they_are(demo, parts):
    """As many of summaries as of answers, of each those that do not hold first; the lead counts both."""
    [section] = [section for section in parts if section.id == "claims"]
    of_kind = {kind: [case for case in section.cases if case.keys["item_type"] == kind] for kind in TEXTS}
    worst = ["False", "Unclear", "True", "failed"]
    for kind, cases in of_kind.items():
        n = demo.value(f"select count(*) from summaries.claim_verdicts where item_type = '{kind}'")
        assert len(cases) == min(n, CLAIMS_OF_A_KIND) and f"{n} verdicts on claims of {TEXTS[kind]}" in section.lead
        verdicts = [case.keys["verdict"] for case in cases]
        assert verdicts == sorted(verdicts, key=worst.index)
        assert all(case.title.startswith(f"{case.keys['verdict']}, {kind}: ") for case in cases)
    assert Counter(case.keys["verdict"] for case in of_kind["answer"])["Unclear"] == demo.value(
        "select count(*) from summaries.claim_verdicts where item_type = 'answer' and verdict = 'Unclear'"
    )
    assert section.lead.startswith("What answers and summaries claim") and "item_type" in {
        choice.name for choice in section.filters
    }


def test_every_build_has_its_values(demo, parts):
    [section] = [section for section in parts if section.id == "builds"]
    [figure] = section.figures
    built = {row["run_id"]: row["value"] for row in figure.rows if row["build"] and row["endpoint"] == "p3, hit@5"}
    expected = demo.rows(
        "select run_id, value from metrics.build_values where suite = 'p3' and metric = 'hit' and strategy != 'random'"
    )
    assert built == dict(expected)
    assert {row["finished"] for row in figure.rows if row["build"] is None} == {"baseline demo"}


def test_two_builds_of_a_minute_are_two_points(tmp_path):
    """The second, 40 s after the first, has the higher value and stands to its right."""
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("create schema metrics")
        connection.execute("""
            create table metrics.builds as
            select unnest(['b1', 'b2']) as build_id, '0.9.0' as version, 'c' as git_commit, 0 as n_failed,
                timestamptz '2026-01-01 10:00:01+00' + to_seconds(unnest([0, 40])) as finished_at
        """)
        connection.execute("""
            create table metrics.build_values as
            select unnest(['b1', 'b2']) as build_id, 'r' as run_id, 'p3' as suite, 'none' as dataset, 'hit' as metric,
                5 as k, 'dense' as strategy, 'dense' as system, 'none' as model_id, 'm' as embedding_model,
                'open' as regime, 'none' as judge_model, unnest([0.5e0, 0.6e0]) as value, 0.4e0 as ci_low,
                0.7e0 as ci_high, 9 as n
        """)
    [figure] = over_builds(Reader(tmp_path / "w.duckdb")).figures
    points = [(row["finished"][-8:], row["value"]) for row in figure.rows]
    assert points[0][0][:5] == points[1][0][:5] and [value for _, value in points] == [0.5, 0.6]
    assert [at[-2:] for at, _ in points] == ["01", "41"]


def test_every_row_of_a_figure_says_its_run_and_n(parts):
    for section in parts:
        for figure in section.figures:
            names = {column.name for column in figure.columns}
            # coverage is of the gold, a confusion says its run in its choice, a judge is calibrated outside any run
            if figure.chart is not None and not figure.id.startswith(WITHOUT_RUN):
                assert "run_id" in names and names & {"n", "n_measured", "n_pairs"}, figure.id
                assert all(row["run_id"] for row in figure.rows), figure.id


def test_scorecards_are_read_whichever_way_round_they_are(tmp_path):
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("create schema metrics")
        connection.execute("""
            create table metrics.wide as
            select 'baseline' as system, true as is_baseline, 'overall' as stratum_by, 'all' as stratum,
                3 as n_total, 2 as n_measured, 1 as n_error, 0.5e0 as faithfulness, 0.4e0 as faithfulness_ci_low,
                0.6e0 as faithfulness_ci_high, null::double as f1, null::double as f1_ci_low, null::double as f1_ci_high
        """)
        connection.execute("""
            create table metrics.long as
            select 'rouge' as judge, 'metric' as judge_kind, 'fluency' as dimension, 'spearman' as statistic,
                0.3e0 as value, null::double as ci_low, null::double as ci_high,
                9 as n_total, 9 as n_measured, 0 as n_error
        """)
    reader = Reader(tmp_path / "w.duckdb")
    names = ("metric_name", "value", "ci_low", "ci_high", "stratum_by", "stratum", "run", "n_measured", "n_error")
    [wide] = long_rows(reader, "metrics.wide")
    assert [wide[name] for name in names] == ["faithfulness", 0.5, 0.4, 0.6, "overall", "all", "baseline", 2, 1]
    assert wide["is_baseline"] is True
    [long] = long_rows(reader, "metrics.long")
    assert [long[name] for name in names] == ["spearman", 0.3, None, None, "dimension", "fluency", "rouge", 9, 0]
    assert long["is_baseline"] is False


def test_rows_of_a_scorecard_stand_in_one_order(tmp_path):
    """However the warehouse hands them out, so that two reports of one build are one."""
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("create schema metrics")
        connection.execute("""
            create table metrics.scorecard as
            select *, 'overall' as stratum_by, 'all' as stratum, 1 as n_total, 1 as n_measured, 0 as n_error,
                0.5e0 as accuracy, 0.4e0 as accuracy_ci_low, 0.6e0 as accuracy_ci_high
            from (values ('b'), ('c'), ('a')) as systems (system)
        """)
    rows = long_rows(Reader(tmp_path / "w.duckdb"), "metrics.scorecard")
    assert [row["run"] for row in rows] == ["a", "b", "c"]


@pytest.mark.parametrize(("is_reliable", "standing"), [(True, "shown, primary"), (False, "shown, a lead")])
def test_each_system_can_be_set_against_each(tmp_path, is_reliable, standing):
    """Summariser b is 0.2 above a; read the other way round, value, difference and interval change sides. What differs
    in too few clusters to be sure is a lead."""
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("create schema metrics")
        connection.execute(f"""
            create table metrics.system_comparisons as
            select 'faithfulness' as task, 'mdna' as dataset, 'a' as system_a, 'b' as system_b, 'j' as judge_model,
                'uncalibrated' as judge_calibration, 'ra' as run_id_a, 'rb' as run_id_b,
                'faithful_to_source' as gold_predicate, 'overall' as stratum_by, 'all' as stratum,
                'faithfulness' as metric, 9 as n_pairs, 0.5e0 as value_a, 0.7e0 as value_b, 0.2e0 as difference,
                0.1e0 as ci_low, 0.4e0 as ci_high, true as is_significant, {is_reliable} as is_interval_reliable,
                0.01e0 as p_adjusted, 'holm' as adjustment, true as is_primary, 'better' as verdict
        """)
    [section] = sections(Reader(tmp_path / "w.duckdb"))
    [figure] = section.figures
    names = ("against", "pair", "value_a", "value_b", "difference", "ci_low", "ci_high", "run_id", "verdict")
    assert (section.id, figure.rows[0]["metric_name"]) == ("summarisers", "faithfulness, judged by j, uncalibrated")
    assert [tuple(row[name] for name in names) for row in figure.rows] == [
        ("mdna: a", "b − a", 0.5, 0.7, 0.2, 0.1, 0.4, "ra / rb", "better"),
        ("mdna: b", "a − b", 0.7, 0.5, -0.2, -0.4, -0.1, "rb / ra", "worse"),
    ]
    assert {row["standing"] for row in figure.rows} == {standing}


def test_only_what_is_sure_has_the_colour_of_better_or_worse():
    row = dict.fromkeys(("floor_value", "reference_floor_value", "setting")) | dict.fromkeys(("n", "n_clusters"), 9)
    row |= {"comparison_kind": "strategy", "metric_name": "hit@5", "candidate_value": 0.5, "reference_value": 0.4}
    for verdict, is_sure, is_lead in (("better", True, False), ("worse", False, True), ("too few", False, False)):
        line = line_of(row | {"sentence": "a and b", "verdict": verdict, "is_sure": is_sure}, "")
        assert line.is_lead is is_lead


def test_baseline_figures_are_marked(demo, report):
    assert demo.value("select bool_and(is_baseline) from answers.answer_runs")
    text = report.read_text(encoding="utf-8")
    assert '<span class="badge baseline">baseline</span>' in text
    charts = json.loads(re.search(r'<script id="charts" type="application/json">(.*?)</script>', text, re.S)[1])
    rows = charts["answers-overall"]["data"]["values"]
    assert all(row["is_baseline"] for row in rows if row["provider"] == "baseline")
    assert any(row["provider"] == "baseline" for row in rows)


def test_a_system_has_one_colour_by_its_name(parts):
    places = colours([figure for section in parts for figure in section.figures])
    assert {"bm25", "dense all-MiniLM-L6-v2", "hybrid all-MiniLM-L6-v2"} <= set(places)
    searches = {place for name, place in places.items() if name.split()[0] in ("bm25", "dense", "hybrid", "random")}
    assert len(searches) >= 4 and set(places.values()) <= set(range(COLOURS))
    # a further system does not move those that were there, unless their places collide
    figures = [
        Figure("a", "", "", [{"system_name": name}], [Column("system_name", "")]) for name in ("bm25", "dense a")
    ]
    assert colours(figures[:1])["bm25"] == colours(figures)["bm25"] == places["bm25"]


def test_labels_are_whole_and_name_the_model(parts):
    assert lines("business_risks_and_uncertainties") == ["business_risks_and_", "uncertainties"]
    assert lines("hybrid all-MiniLM-L6-v2, open") == ["hybrid all-MiniLM-L6-v2,", "open"]
    assert all(len(line) <= LABEL for line in lines("from all-MiniLM-L6-v2 to dense, hybrid and multi_path"))
    rows = [row for section in parts for figure in section.figures for row in figure.rows if "system_name" in row]
    assert not {"dense", "hybrid", "multi_path"} & {row["system_name"] for row in rows}


def test_the_first_screen_says_which_is_better(demo, report, parts):
    """The sentences of metrics.verdicts as they stand, with both values and what chance scores; a line each."""
    [overview] = re.findall(r'<section id="overview".*?</section>', report.read_text(encoding="utf-8"), re.S)
    said = demo.rows("select suite, sentence, verdict, floor_value from metrics.verdicts where is_headline")
    assert said
    # what is decided stands open, the rest folds
    opened = re.sub(r"<details.*?</details>", "", overview, flags=re.S)
    assert {verdict for _, _, verdict, _ in said if f">{verdict}</span>" in opened} == {"better", "worse"}
    for suite, sentence, verdict, floor in said:
        assert f"(suite {suite})</h3>" in overview
        assert f"{verdict}</span> {html.escape(sentence, quote=False)}.<small>" in overview
        assert floor is None or f", chance {floor:.2f}" in overview
    [section] = [section for section in parts if section.id == "verdicts"]
    assert len(section.figures[0].rows) == demo.value("select count(*) from metrics.verdicts")


def test_a_reference_that_no_pair_has_is_told_so(demo, tmp_path):
    """As the last build was asked for it, by finrag.toml or by --vars of dbt; not that there is nothing to compare."""
    copy = tmp_path / "finrag.duckdb"
    shutil.copy(demo.database, copy)
    asked = "update metrics.builds set settings = ?, variables = ?"
    for settings, variables in (('{"compare_reference": "<bm52>"}', "{}"), ("{}", '{"compare_reference": "<bm52>"}')):
        with duckdb.connect(str(copy)) as connection:
            connection.execute("update metrics.verdicts set is_headline = false")
            connection.execute(asked, [settings, variables])
        reader = Reader(copy)
        assert nothing(reader).startswith("No pair has the reference <bm52> (compare.reference). ")
        reader.connection.close()
    reader = Reader(copy)
    page = render(reader)
    reader.connection.close()
    assert "No pair has the reference &lt;bm52&gt; (compare.reference)." in page
    assert "Nothing to compare" not in page
    with duckdb.connect(str(copy)) as connection:
        connection.execute("delete from metrics.verdicts")
    assert nothing(Reader(copy)) == "Nothing to compare: metrics.verdicts is not there or has no row."


def test_calls_are_those_to_language_models(parts):
    """Neither what the baseline answers nor what systems elsewhere report is a call of ours."""
    [cost] = [section for section in parts if section.id == "cost"]
    assert cost.figures[0].note == "0 calls to language models, 0 of them failed."
    row = {"source": "warehouse", "is_baseline": True, "n_answers": 40, "n_calls": 39, "n_failed_calls": 1}
    model = row | {"is_baseline": False, "n_calls": 1200, "n_failed_calls": 3}
    elsewhere = row | {"source": "external", "is_baseline": False, "n_answers": 31}
    assert calls_in_words([row, model, model, elsewhere]) == (
        "2,400 calls to language models, 6 of them failed; 31 answers of systems elsewhere, with what these report."
    )


def test_severities_do_not_look_like_suites(parts):
    [alerts] = [section for section in parts if section.id == "alerts"]
    assert {case.keys["severity"] for case in alerts.cases} == {"critical", "serious", "minor"}
    assert not [case.title for case in alerts.cases if re.match(r"P\d\b", case.title)]


def test_filing_text_stays_text(hostile):
    text = hostile.read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags.count("script") == 4, "ours, and none of a filing"
    assert not {"img", "svg", "iframe", "object", "form", "base"} & {*page.tags}
    assert page.tags.count("style") == 1 and ("id", "planted") not in page.attributes
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [value for name, value in page.attributes if name in ("href", "src") and "javascript:" in value]
    assert any(HOSTILE in text for text in page.texts), "it is shown as it stands"


def test_json_cannot_end_its_script():
    text = json_in_html({"a": HOSTILE})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": HOSTILE}
    assert "</script" not in script_in_html("x = '</script><!--'").lower()


def test_the_end_of_an_interval_without_a_limit_is_null_in_what_the_page_reads():
    rows = [{"ci_low": 0.5, "ci_high": float("inf")}, {"ci_low": float("-inf"), "ci_high": float("nan")}]
    assert json_in_html({"rows": rows}) == '{"rows":[{"ci_low":0.5,"ci_high":null},{"ci_low":null,"ci_high":null}]}'


def test_an_empty_warehouse_gives_a_page_that_says_so(tmp_path):
    duckdb.connect(str(tmp_path / "empty.duckdb")).close()
    page = Page(render(Reader(tmp_path / "empty.duckdb")))
    assert page.sections == ["overview"]


def test_the_report_shows_what_was_published_not_what_a_failed_build_left(tmp_path, monkeypatch):
    warehouse, file = tmp_path / "finrag.duckdb", tmp_path / "bi" / "finrag_bi.duckdb"
    monkeypatch.setenv("FINRAG_DATABASE", str(warehouse))
    monkeypatch.setenv("FINRAG_BI", str(file))
    with pytest.raises(FinragError, match="make build"):
        source()
    duckdb.connect(str(warehouse)).close()
    publication = Publication(file)
    publication.parquet.mkdir(parents=True)
    publication.current.mkdir()
    file.touch()
    publication.write_state({"seen": written_state(warehouse)})
    assert source() == file
    assert notice() == ""
    with turn(warehouse) as ended:
        ended.status = 1
    assert notice().startswith("A later build, begun 20") and "make publish" in notice()
    assert notice() in Page(render(Reader(warehouse), notice())).texts
    with turn(warehouse) as ended:
        ended.status, ended.is_gate_decided = 0, True
    assert notice() == ""
    os.utime(warehouse, ns=(0, 0))
    assert notice().startswith("The warehouse was written later, by dbt itself")
    assert source() == file


@pytest.mark.parametrize("place", ["", ".", "/", "reports", "reports/.."])
def test_a_report_that_is_to_be_a_folder_is_refused_before_anything_is_written(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    with pytest.raises(FinragError, match="is a folder, and a report is a file"):
        write(tmp_path / "none.duckdb", Path(place))
    assert [path.name for path in tmp_path.rglob("*")] == ["reports"]


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Headless Chromium: of FINRAG_CHROMIUM, or of the system."""
    from playwright import sync_api as playwright

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("FINRAG_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip("no Chromium on this machine (apt-get install chromium, or FINRAG_CHROMIUM=path)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened:
    """The page in the browser, and all that it said and asked for."""

    def __init__(self, browser, file: Path, **options: object) -> None:
        self.page = browser.new_context(**options).new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.resolve().as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)

    def visible(self, selector: str) -> int:
        return self.page.locator(f"{selector}:visible").count()


@pytest.fixture(scope="module")
def wide(browser, report) -> Opened:
    return Opened(browser, report, viewport={"width": 1280, "height": 900})


@pytest.fixture(scope="module")
def phone(browser, report) -> Opened:
    return Opened(browser, report, viewport={"width": 390, "height": 844}, color_scheme="light")


def open_all(page) -> None:
    """Open what folds, and wait for the charts in it."""
    for further in page.locator("details.further").all():
        if further.get_attribute("open") is None:
            further.locator("> summary").click()
    page.wait_for_function(
        "[...document.querySelectorAll('figure:not([hidden]) .chart')].every(e => e.querySelector('svg'))"
    )


def test_it_opens_without_a_word_and_without_the_network(wide, report):
    assert wide.said == []
    assert wide.asked == [report.resolve().as_uri()]


# Elements that hide what is in them; where one scrolls, nothing is lost.
CLIPPED = """
    [...document.querySelectorAll("body *")].filter(element => {
        const style = getComputedStyle(element);
        if (element.closest("svg") || element.closest(".scroll, nav ul") || element.clientWidth === 0) return false;
        if (["inline", "none"].includes(style.display) || ["auto", "scroll"].includes(style.overflowX)) return false;
        return element.scrollWidth > element.clientWidth + 1;
    }).map(element => element.outerHTML.slice(0, 120))
"""
# Texts of charts that end outside of their chart, or that the library has shortened.
CUT = """
    [...document.querySelectorAll(".chart svg text")].filter(text => {
        const inner = text.getBoundingClientRect(), outer = text.closest(".chart").getBoundingClientRect();
        const is_out = inner.left < outer.left - 1 || inner.right > outer.right + 1;
        return inner.width > 0 && (is_out || text.textContent.endsWith("…"));
    }).map(text => text.textContent)
"""


@pytest.mark.builds
@pytest.mark.parametrize(("opened", "pixels"), [("phone", 16_000), ("wide", 10_500)])
def test_nothing_is_clipped_and_the_page_is_short(request, opened, pixels):
    """Before other tests open what folds in these pages, and after."""
    page = request.getfixturevalue(opened).page
    assert page.locator("details.further[open]").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight") < pixels
    open_all(page)
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(CUT) == []


def test_every_chart_is_drawn(wide):
    open_all(wide.page)
    # a figure without rows of the metric that is shown is hidden, and drawn when it has
    charts = wide.page.locator("figure:not([hidden]) .chart").count()
    assert charts >= 10
    assert wide.page.locator("figure:not([hidden]) .chart svg").count() == charts
    heights = wide.page.evaluate(
        "[...document.querySelectorAll('figure:not([hidden]) .chart svg')].map(e => e.getBoundingClientRect().height)"
    )
    assert min(heights) > 50
    # a confusion is drawn in rectangles, everything else in dots
    marks = (
        "[...document.querySelectorAll('figure:not([hidden]) .chart')]"
        ".map(e => e.querySelectorAll('.mark-symbol path, .mark-rect path').length)"
    )
    assert min(wide.page.evaluate(marks)) > 0


def test_filters_work_on_charts_tables_and_cases(wide):
    page = wide.page
    chart = page.locator("#chart-scorecard-p1")
    before = chart.inner_html()
    page.select_option("#retrieval select[data-filter=metric_name]", "mrr@30")
    page.wait_for_function("before => document.querySelector('#chart-scorecard-p1').innerHTML !== before", arg=before)
    page.locator("#retrieval details.table summary").first.click()
    shown = page.locator("#retrieval figure").first.locator("tbody tr:visible")
    assert {shown.nth(i).locator("td").nth(1).inner_text() for i in range(shown.count())} == {"mrr@30"}

    page.select_option("#rejected select[data-filter=gate]", "answer_leaked")
    leaked = page.locator('#rejected .case[data-keys*="answer_leaked"]').count()
    assert 0 < leaked < page.locator("#rejected .case").count()
    first = min(leaked, 2)
    assert wide.visible("#rejected .case") == first
    assert page.locator("#rejected .count").inner_text() == f"{first} of {leaked} shown"

    page.fill("#hardest input[type=search]", "no such words anywhere")
    assert wide.visible("#hardest .case") == 0
    page.fill("#hardest input[type=search]", "")
    page.click("#hardest button.more")
    assert wide.visible("#hardest .case") > 3


def test_choices_stand_in_the_address_and_tables_sort_and_download(browser, report, tmp_path):
    page = Opened(browser, report).page
    page.select_option("#retrieval select[data-filter=metric_name]", "mrr@30")
    assert "#retrieval?metric_name=mrr%4030" in page.url
    other = browser.new_context().new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    assert other.input_value("#retrieval select[data-filter=metric_name]") == "mrr@30"

    page.locator("#verdicts details.table > summary").click()
    shown = "[...document.querySelectorAll('#verdicts tbody tr')].map(row => row.cells[9].textContent)"
    head = page.locator("#verdicts th button", has_text="Difference").first
    head.click()
    up = [float(value) for value in page.evaluate(shown)]
    assert up == sorted(up) and len(set(up)) > 2
    head.click()
    assert [float(value) for value in page.evaluate(shown)] == up[::-1]

    page.select_option("#verdicts select[data-filter=of_suite]", "p3")
    with page.expect_download() as started:
        page.click("#verdicts button.csv")
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    with file.open(encoding="utf-8-sig", newline="") as lines_of_file:
        rows = list(csv.DictReader(lines_of_file))
    assert file.name == "verdicts-all.csv"
    assert {row["Suite"] for row in rows} == {"p3"}
    assert len(rows) == page.locator("#verdicts tbody tr:visible").count()


def test_the_keyboard_is_enough(browser, report):
    page = Opened(browser, report).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    case = page.locator("#alerts .case").first
    case.locator("summary").focus()
    page.keyboard.press("Enter")
    assert case.get_attribute("open") is not None
    assert case.locator(".facts").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_in_both_themes(phone, browser, report, scheme):
    if scheme == "dark":
        phone = Opened(browser, report, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert phone.said == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    paper = phone.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == (scheme == "dark")
    label = phone.page.locator("#chart-scorecard-p1 .role-axis-label text").first
    bright = sum(int(label.get_attribute("fill")[i : i + 2], 16) for i in (1, 3, 5)) > 380
    assert bright == (scheme == "dark")


def test_it_prints_on_white_without_controls(browser, report):
    printed = Opened(browser, report, color_scheme="dark")
    printed.page.emulate_media(media="print")
    assert printed.visible("nav") == 0
    assert printed.visible(".filters") == 0
    assert printed.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_hostile_filing_runs_nothing(browser, hostile):
    opened = Opened(browser, hostile)
    assert opened.said == []
    assert opened.asked == [hostile.resolve().as_uri()]
    assert opened.page.evaluate("window.broken") is None
    opened.page.hover("#chart-scorecard-p1 .mark-symbol path")
    opened.page.wait_for_timeout(300)
    assert opened.page.evaluate("window.broken") is None
    assert opened.page.locator("#vg-tooltip-element img, #vg-tooltip-element script").count() == 0
    for part in ("hardest", "side-by-side", "sentiment"):
        for summary in opened.page.locator(f"#{part} .case:visible > summary").all():
            summary.click()
    opened.page.locator("#overview a", has_text="its queries").first.click()
    opened.page.keyboard.press("Tab")
    assert opened.page.locator("#planted, [style*=planted]").count() == 0
    assert opened.page.evaluate("window.broken") is None
    assert opened.said == [] and opened.asked == [hostile.resolve().as_uri()]


def test_what_is_planted_would_run(browser, report, tmp_path):
    """Taken for HTML, it does in a page without a policy; under the policy of ours it does not even then."""
    text = report.read_text(encoding="utf-8").replace("</main>", HOSTILE.partition("<meta ")[0] + "</main>", 1)
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text)[0]
    for name, page, is_run in (("open", text.replace(policy, ""), True), ("ours", text, False)):
        file = tmp_path / f"{name}.html"
        file.write_text(page, encoding="utf-8")
        opened = browser.new_page()
        opened.goto(file.as_uri())
        opened.wait_for_timeout(300)
        assert opened.evaluate("window.broken") == (1 if is_run else None)
        opened.close()
