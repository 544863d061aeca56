"""The report as one HTML page: every text escaped, the chart library within, nothing fetched."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import math
import zlib
from pathlib import Path

import jinja2

from finrag.project import dbt_target, target_is_writable
from finrag.report import answers, builds, cases, comparisons, losses, overview, retrieval, side_by_side, verdicts
from finrag.report.data import Figure, Reader, Section
from finrag.whole import write_whole

HERE = Path(__file__).parent
TITLE = "FinRAG evaluation report"
# As many as page.js has shades.
COLOURS = 12
PARTS = (
    *(verdicts.verdicts, side_by_side.side_by_side, builds.over_builds),
    *(retrieval.scorecards, retrieval.sections_by_length, comparisons.strategies),
    *(losses.losses, answers.questions),
    *(answers.summaries, comparisons.summarisers, answers.sentiment, comparisons.labellers, answers.calibration),
    *(answers.cost, cases.alerts),
    *(cases.hardest, cases.answers, cases.claims, cases.rejected),
)
# Where on the page the queries stand, with their texts, that the figures of a section are made of.
QUERIES = {"verdicts": side_by_side.ID, "builds": side_by_side.ID, "strategies": side_by_side.ID}
QUERIES |= {"retrieval": "hardest", "section-length": "hardest", "answers": "wrong-answers", "summaries": "claims"}
QUERIES |= {"labellers": "sentiment", "summarisers": "claims", "losses": "hardest"}


def sections(reader: Reader) -> list[Section]:
    """The parts that the warehouse has something for."""
    return [section for part in PARTS if (section := part(reader)) is not None]


def render(reader: Reader, notice: str = "") -> str:
    """The page. Texts of filings reach it through Jinja's escaping or as JSON without a `<`."""
    parts = sections(reader)
    figures = [figure for section in parts for figure in section.figures]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=False, undefined=jinja2.StrictUndefined
    )
    js = (HERE / "page.js").read_text(encoding="utf-8")
    vega = chart_library()
    environment.filters |= {"shown": shown, "keys_of": keys_of}
    return environment.get_template("page.html.j2").render(
        title=TITLE,
        corpus=overview.corpus_line(reader),
        provenance=overview.provenance(reader),
        notice=notice,
        verdicts=verdicts.groups(reader),
        nothing=verdicts.nothing(reader),
        tiles=overview.tiles(reader),
        sections=parts,
        queries={of: at for of, at in QUERIES.items() if at in {section.id for section in parts}},
        systems=json_in_html(colours(figures)),
        charts=json_in_html({figure.id: figure.chart for figure in figures if figure.chart is not None}),
        css=(HERE / "page.css").read_text(encoding="utf-8"),
        js=js,
        vega=vega,
        script_hashes=" ".join(map(script_hash, (vega, js))),
        footer=f"Written from {reader.file} by finrag report.",
    )


def chart_library() -> str:
    """Vega with its words of embedding. To bundle it takes two seconds, so a bundle is kept, where one can be."""
    import vl_convert

    kept = dbt_target() / f"vega-{vl_convert.__version__}.js"
    if kept.exists():
        return script_in_html(kept.read_bytes().decode())
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    if target_is_writable():
        write_whole(kept, bundle)
    return script_in_html(bundle)


def colours(figures: list[Figure]) -> dict[str, int]:
    """Each system's place among the colours, by its name: the same in every figure, and from page to page."""
    names = sorted({str(row["system_name"]) for figure in figures for row in figure.rows if "system_name" in row})
    places: dict[str, int] = {}
    for name in names:
        place = zlib.crc32(name.encode()) % COLOURS
        while place in places.values() and len(places) < COLOURS:
            place = (place + 1) % COLOURS
        places[name] = place
    return places


def json_in_html(value: object) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(finite(value), default=plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def finite(value: object) -> object:
    """With null for numbers that JSON has no word for, such as the end of an interval without a limit."""
    if isinstance(value, dict):
        return {name: finite(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [finite(held) for held in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def script_hash(source: str) -> str:
    """What the page's policy names a script by that may run: no other one does, and no event handler."""
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def script_in_html(source: str) -> str:
    """JavaScript that cannot end its script element; within strings and patterns the backslash changes nothing."""
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def plain(value: object) -> object:
    if isinstance(value, datetime.date | datetime.datetime):
        return value.isoformat()
    return str(value)


def shown(value: object, digits: int | None = None) -> str:
    """A value as a reader wants it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if digits is not None and abs(value) >= 10000 else str(value)
    if isinstance(value, float):
        return f"{value:,.{digits}f}" if digits is not None else f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def keys_of(row: dict[str, object], names: tuple[str, ...] | None) -> str:
    """What the filters of the page look at, as JSON for an attribute."""
    return json.dumps({name: str(row[name]) for name in (row if names is None else names)})
