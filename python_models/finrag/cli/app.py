"""The command `finrag`: what a person can ask of a project, each in a few lines that call the library.

Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import shlex
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from finrag.build.output import sentence_of
from finrag.cli.choices import choices, hand_over
from finrag.cli.place import enter, make
from finrag.commands import run_to_end
from finrag.errors import FinragError
from finrag.project import DEFAULT_REPORT, FILE
from finrag.settings import OPTIONS
from finrag.spelling import did_you_mean

app = typer.Typer(
    name="finrag",
    help="How good are retrieval and language models over SEC 10-K filings, and did the last change make them better?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
# Options after those of finrag are dbt's own.
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
# More than anyone reads, and a number that every part of the product can hold.
MOST_ROWS = 1_000_000
# Left out of a build that says nothing of them: unit tests are of the project, not of data.
OF_NO_BUILD = ("--exclude-resource-type", "unit_test", "--exclude-resource-type", "exposure")

Vars = Annotated[str, typer.Option("--vars", metavar="JSON", help="Any other var of dbt_project.yml.")]


def dbt(*arguments: str) -> None:
    """Run dbt in the project; ends the command where it fails."""
    from finrag.build.dbt_run import run_dbt

    if code := run_dbt(arguments).code:
        raise typer.Exit(code)


def paths(text: str) -> typer.models.OptionInfo:
    return typer.Option(metavar="PATHS", help=text)


@app.command()
def init(folder: Annotated[Path, typer.Argument(help="Where to make it.")]) -> None:
    """Make a project: a folder with a finrag.toml."""
    make(folder)
    there = f"cd {shlex.quote(str(folder))} && finrag build"
    print(f"{folder / FILE} says what is built: at first the demo corpus. Edit it, then: {there}")


@app.command()
def fetch(
    years: Annotated[str, typer.Option(help="Fiscal years, by the end of their periods: 2022-2025.")],
    tickers: Annotated[str, typer.Option(help='Companies by ticker: "AAPL MSFT".')] = "",
    ciks: Annotated[str, typer.Option(help="Companies by their number at the SEC.")] = "",
    sic: Annotated[str, typer.Option(help="All companies of an industry, by its SIC code.")] = "",
    file: Annotated[
        Path | None, typer.Option(help="A file of tickers and numbers, # before a note.", exists=True, dir_okay=False)
    ] = None,
    forms: Annotated[str, typer.Option(help="10-K, 10-K405, 10-KSB, 10-KT, and any of them with /A.")] = "10-K",
    facts: Annotated[bool, typer.Option(help="The companies' XBRL facts too.")] = True,
) -> None:
    """Download 10-Ks and company facts from EDGAR, those that are not here yet, into filings/edgar/."""
    enter()
    from finrag.edgar import fetch as edgar
    from finrag.edgar.client import connect
    from finrag.edgar.store import Store

    asked, store = edgar.wanted(tickers, ciks, sic, file, years, forms, facts), Store()
    ended = edgar.fetch(connect(), store, asked)
    print("\n".join(edgar.summary(store, ended)))
    raise typer.Exit(1 if ended["failed"] else 0)


@app.command(context_settings=PASSED_ON)
def build(
    context: typer.Context,
    corpus: Annotated[str | None, paths("Source files: demo, or paths and globs, space-separated.")] = None,
    facts: Annotated[str | None, paths("XBRL company facts, company names.")] = None,
    vectors: Annotated[str | None, paths("Vectors made elsewhere: model=path.")] = None,
    hits: Annotated[str | None, paths("What your own search found: name@regime=path.")] = None,
    chunks: Annotated[str | None, paths("The corpus as you cut it, to compare: name=path.")] = None,
    suites: Annotated[str | None, paths("Question suites of your own (JSON).")] = None,
    answers: Annotated[str | None, paths("Answers of a system of your own: name=path.")] = None,
    summaries: Annotated[str | None, paths("Summaries of systems of your own: name=path.")] = None,
    headlines: Annotated[str | None, paths("Labelled headlines (FiQA, FLARE): name=path.")] = None,
    replies: Annotated[str | None, paths("Raw replies of a system of your own to those: name=path.")] = None,
    calibration: Annotated[str | None, paths("Summaries with human scores: name=path.")] = None,
    compare: Annotated[
        str | None, typer.Option(metavar="PAIRS", help="Further runs to compare: run_id:run_id.")
    ] = None,
    variables: Vars = "{}",
    force: Annotated[bool, typer.Option("--force", help="Build all, also what has not changed.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for another build of this warehouse.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all that dbt says.")] = False,
) -> None:
    """Build the warehouse and publish it. Other options go to `dbt build`, such as --select or --full-refresh."""
    try:
        enter()
        given = {variable: context.params[option] for option, variable in OPTIONS.items()}
        options = hand_over(choices(given, variables))
    except FinragError:
        from finrag.build.run import forget_gate

        forget_gate()
        raise
    from finrag.build.run import build as run

    raise typer.Exit(run([*context.args, *OF_NO_BUILD, *options], force, wait, verbose))


@app.command()
def report(file: Annotated[Path, typer.Argument(help="Where to write it.")] = Path(DEFAULT_REPORT)) -> None:
    """Write what was published last as one HTML page."""
    enter()
    from finrag.report.write import notice, source, write

    started = time.monotonic()
    shown, told = source(), notice()
    if told:
        print(told)
    size = write(shown, file, told)
    print(f"{file}, {size / 1e6:.1f} MB ({time.monotonic() - started:.1f} s). Open it in any browser.")


@app.command()
def compare(
    runs: Annotated[
        list[str] | None, typer.Argument(help="Words such as bm25, open, my-model; or build:last-1 build:last.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Rows, at most.", min=1, max=MOST_ROWS)] = 20,
) -> None:
    """Is one run better than another, and is it sure? Of two builds: what each figure was, and is."""
    enter()
    from finrag.cli.compare import show

    show(runs or [], limit)


@app.command()
def analysis(
    name: Annotated[str, typer.Argument(help="One of those that `finrag analysis` lists.")] = "",
    limit: Annotated[int, typer.Option(help="Rows, at most.", min=1, max=MOST_ROWS)] = 20,
    variables: Vars = "{}",
) -> None:
    """Answer one of the questions of analyses/ from the warehouse; without a name, list them."""
    enter()
    from finrag import analysis as asked
    from finrag.project import existing_warehouse

    if not name:
        for known, question in asked.known().items():
            print(f"{known:30}  {question}")
        return
    asked.found(name), existing_warehouse()
    raise typer.Exit(asked.answer(name, limit, hand_over(choices({}, variables))))


@app.command()
def estimate(variables: Vars = "{}") -> None:
    """Calls, tokens and dollars that a build would send to language models. Sends nothing."""
    enter()
    from finrag.project import existing_warehouse
    from finrag.publish.catalog import manifest_path

    database = existing_warehouse()
    options = hand_over(choices({}, variables))
    from finrag.build.unchanged import Made, of_requests, what_is_read
    from finrag.llm import estimate as estimated

    made = Made(manifest_path().name, what_is_read([*OF_NO_BUILD, *options]))
    if not made.is_current():
        dbt("parse", "--quiet", *options)
        made.note()
    print(estimated.estimate(database, manifest_path()))
    print(of_requests(database, made.read))


@app.command()
def baseline(
    name: Annotated[str, typer.Argument(help="What to call it.")] = "baseline",
    note: Annotated[str, typer.Option(help="Why it is frozen.")] = "",
) -> None:
    """Freeze all current runs and the anchors as what alerts and the gate hold later builds against."""
    enter()
    from finrag.baseline import freeze_warehouse
    from finrag.project import own_registries

    lines = freeze_warehouse(name, note)
    print(f"Frozen as '{name}' in {own_registries()} (baselines.csv, baseline_items.csv, baseline_scores.parquet):")
    for line in lines:
        print(f"  {line}")
    print("The next build compares with it, over these anchors.")


@app.command()
def gate() -> None:
    """May it go on? What alerts and the baseline say of the last build: status 0 passes, 1 fails, 2 cannot be told."""
    from finrag import gate as decided

    try:
        enter()
        is_passed = decided.tell_last()
    except Exception as error:  # what is no sentence for people goes on as it came
        if told := sentence_of(error):
            print(told, file=sys.stderr)
            raise typer.Exit(decided.UNDECIDED) from error
        raise
    raise typer.Exit(decided.PASSES if is_passed else decided.FAILS)


class Exported(StrEnum):
    """What can be exported."""

    QUERIES = "queries"
    CORPUS = "corpus"
    SUITE = "suite"
    STRESS = "stress"
    SUPERSET = "superset"

    @classmethod
    def _missing_(cls, value: object) -> None:
        hint = did_you_mean(str(value), cls)
        raise FinragError(f"{value} is nothing that can be exported.{hint} Allowed: {', '.join(cls)}.")


@app.command()
def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="|".join(Exported),
            help="Gold queries and qrels, the sentences, the business questions, these in other words (stress), or a "
            "Superset dashboard.",
        ),
    ],
    file: Annotated[
        Path | None,
        typer.Option(help="Where to write the suite, if not to warehouse/<suite>_questions or _stress.json."),
    ] = None,
    suite: Annotated[str, typer.Option(help="The suite to write.")] = "p3",
) -> None:
    """Write what a retriever or an answerer of your own needs, or a dashboard of what was published."""
    enter()
    from finrag.project import existing_warehouse

    what = Exported(what)
    if what not in (Exported.SUITE, Exported.STRESS) and (file or suite != "p3"):
        raise FinragError(f"--file and --suite are of suite and stress; {what} is written to exports/ for all suites.")
    if what is Exported.SUPERSET:
        from finrag.publish.files import Publication
        from finrag.publish.superset import write_archive
        from finrag.search.export import exports_folder

        archive = exports_folder() / "finrag_superset.zip"
        count = write_archive(archive, Publication.configured())
        print(f"{archive}, {count} files. In Superset (with duckdb-engine): Settings, Dashboards, Import dashboard.")
        return

    if what not in (Exported.SUITE, Exported.STRESS):
        from finrag.search.export import export as write

        write(what)
        return
    import duckdb

    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        if what is Exported.STRESS:
            from finrag.questions.stress import export_deck

            print(export_deck(connection, file or Path(f"warehouse/{suite}_stress.json"), suite))
            return
        from finrag.questions.export import export_suite

        file = file or Path(f"warehouse/{suite}_questions.json")
        print(f"{export_suite(connection, file, suite)} questions written to {file}")


@app.command()
def publish() -> None:
    """Publish the warehouse as it stands: BI file and Parquet. A build that succeeds does it."""
    enter()
    from finrag.project import warehouse
    from finrag.publish.catalog import manifest_path
    from finrag.publish.files import Publication
    from finrag.publish.publish import publish as publish_warehouse

    print(publish_warehouse(warehouse(), Publication.configured(), manifest_path()).sentence())


@app.command()
def clean(
    calls: Annotated[bool, typer.Option("--calls", help="The ledger of calls to language models too; asks.")] = False,
) -> None:
    """Remove what builds made. Calls to language models that were paid for are kept, and so are files of yours."""
    enter()
    from finrag.build import clean as made

    paid = made.paid_calls()
    if calls and paid:
        typer.confirm(f"{paid}. The next build asks and pays for them again. Remove them?", abort=True)
        made.clean_calls()
    own = made.clean()
    if paid and not calls:
        print(f"Kept: {paid}. finrag clean --calls removes them.")
    if own:
        print(f"Left, since no build makes it: {', '.join(map(str, own))}.")
    for line in made.left_elsewhere():
        print(f"Left where it lies, outside of this project: {line}.")


@app.command()
def docs() -> None:
    """Build these pages as a site, with dbt's docs of every column beside them."""
    enter()
    from finrag import pages
    from finrag.project import dbt_target

    pages.check()
    dbt("docs", "generate", "--quiet", "--static", *hand_over(choices({})))
    pages.build(dbt_target() / "static_index.html", dbt_target() / "site")
    print(f"Open {dbt_target() / 'site' / 'index.html'}")


@app.command()
def doctor(
    variables: Vars = "{}",
    is_complete: Annotated[bool, typer.Option("--all", help="Every default too.")] = False,
) -> None:
    """Show what is in force and from where; check keys, files, disk, memory and versions."""
    enter()
    from finrag.cli.doctor import examine

    raise typer.Exit(1 if examine(choices({}, variables), is_complete) else 0)


def main() -> None:
    try:
        run_to_end(app)
    except Exception as error:  # what is no sentence for people goes on as it came
        if told := sentence_of(error):
            sys.exit(told)
        raise
