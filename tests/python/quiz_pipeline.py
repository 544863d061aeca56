"""The models of the quizzes in memory: their SQL as it stands in models/, run in the order of its refs, without dbt."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb
import pyarrow
from jinja2 import Environment

from finrag.llm.run import run_requests
from finrag.metrics.registry import read_metrics
from finrag.metrics.rollup import by_dataset, roll_up_runs, strata_of_items
from finrag.project import load_yaml
from finrag.quizzes.answers import read_answers
from finrag.quizzes.questions import read_questions
from finrag.tasks.summarise_mdna import GENERAL, THEMES
from warehouses import ROOT

WRITERS = ("write_closed_questions", "write_statements", "write_choices")
ANSWERERS = ("answer_closed_questions", "judge_statements", "answer_choices")
ITEMS = ("qag_items", "statement_items", "choice_items")


@cache
def rendered(folder: str, name: str, count: int) -> str:
    """The SQL of a model, which asks for so many questions of a kind."""
    counts = {"qag_questions_per_source", "tf_statements_per_source", "choice_questions_per_source"}
    macros = Path(ROOT, "macros", "metrics", "unstored_runs.sql").read_text(encoding="utf-8")
    model = Path(ROOT, "models", folder, f"{name}.sql").read_text(encoding="utf-8")
    return (
        Environment()
        .from_string(macros + model)
        .render(
            ref=lambda model: model,
            setting=lambda variable: dict.fromkeys(counts, count)[variable],
            is_incremental=lambda: False,
            summary_themes=lambda: [*THEMES, GENERAL],
        )
    )


@dataclass
class QuizPipeline:
    """Sources and their summaries, and every table that is made of them.

    sources: sentences by source_id. summaries: text by (source_id, system); None for one that failed.
    """

    connection: duckdb.DuckDBPyConnection
    sources: dict[str, list[str]]
    summaries: dict[tuple[str, str], str | None]
    company: str | None = None
    count: int = 6
    writer: str = "baseline"
    judge: str = "baseline"
    dataset: str = "planted"
    settings: dict = field(default_factory=dict)

    def build(self) -> QuizPipeline:
        self._given()
        for name in ("int_whole_summaries", "int_quiz_texts"):
            self._sql("summaries", name)
        texts = self._table("int_quiz_texts")
        asked = self._responses("writing", self.writer)
        self._keep(
            "int_quiz_questions", read_questions(self.connection, *asked, texts, self._table("int_source_sentences"))
        )
        asked = self._responses("reading", self.judge)
        answers = read_answers(self.connection, *asked, self._table("int_quiz_questions"), texts)
        self._keep("int_quiz_answers", answers)
        for name in ("int_quiz_items", "int_quiz_runs"):
            self._sql("summaries", name)
        for name in ITEMS:
            self._sql("metrics", name)
        values = [
            roll_up_runs(
                name,
                read_metrics(self._table("metrics"), name),
                runs=by_dataset(self._table("int_quiz_runs")),
                items=by_dataset(self._table(name)),
                strata=strata_of_items(by_dataset(self._table(name)), length="length_stratum"),
                done=set(),
            )
            for name in ITEMS
        ]
        self._keep("values", self.connection.from_arrow(pyarrow.concat_tables(values)))
        return self

    def rows(self, query: str) -> list[tuple]:
        return self.connection.execute(query).fetchall()

    def values(self, metric: str) -> dict[str, float | None]:
        """The metric over all items, by system."""
        runs = "select run_id, system from int_quiz_runs"
        found = self.rows(
            f"select system, value from values inner join ({runs}) using (run_id)"
            f" where metric = '{metric}' and stratum_by = 'overall'"
        )
        return dict(found)

    def _given(self) -> None:
        run = self.connection.execute
        run("create or replace table sources (source_id varchar, company_name varchar, length_stratum varchar)")
        run(
            "create or replace table int_source_sentences"
            " (source_id varchar, sentence_no integer, sentence_id varchar, sentence_text varchar)"
        )
        run(
            "create or replace table summaries (dataset varchar, source_id varchar, system varchar, provider varchar,"
            " is_baseline boolean, replicate integer, theme varchar, summary_text varchar, is_error boolean)"
        )
        for source_id, sentences in self.sources.items():
            run("insert into sources values (?, ?, 'short')", [source_id, self.company])
            for number, text in enumerate(sentences):
                row = [source_id, number, f"{source_id}_{number}", text]
                run("insert into int_source_sentences values (?, ?, ?, ?)", row)
        for (source_id, system), text in self.summaries.items():
            row = [self.dataset, source_id, system, text, text is None]
            run("insert into summaries values (?, ?, ?, 'external', false, 1, 'all', ?, ?)", row)
        seed = load_yaml((ROOT / "seeds" / "metrics.yml").read_text(encoding="utf-8"))["seeds"][0]
        path, types = str(ROOT / "seeds" / "metrics.csv"), seed["config"]["column_types"]
        run(f"create or replace table metrics as from read_csv(?, columns = {types})", [path])

    def _sql(self, folder: str, name: str) -> None:
        self.connection.execute(f"create or replace table {name} as {rendered(folder, name, self.count)}")

    def _responses(self, stage: str, models: str) -> tuple[duckdb.DuckDBPyRelation, duckdb.DuckDBPyRelation]:
        """The requests and responses of a stage."""
        given = {"models": models} | {f"llm_{name}": value for name, value in self.settings.items()}
        requests, responses = f"int_quiz_{stage}_requests", f"int_quiz_{stage}_responses"
        self._sql("summaries", requests)
        self._keep(responses, run_requests(self.connection, self._table(requests), settings=given))
        return self._table(requests), self._table(responses)

    def _table(self, name: str) -> duckdb.DuckDBPyRelation:
        return self.connection.table(name)

    def _keep(self, name: str, relation: duckdb.DuckDBPyRelation) -> None:
        rows = relation.to_arrow_table()
        self.connection.register("given_rows", rows)
        self.connection.execute(f"create or replace table {name} as from given_rows")
        self.connection.unregister("given_rows")
