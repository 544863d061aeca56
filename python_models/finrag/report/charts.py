"""The chart forms of the report, as Vega-Lite has them. Colours and fonts are the page's, which has a light and a dark
theme."""

from __future__ import annotations

import re

from finrag.report.data import Row, Spec

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
VALUE = {"format": ".2f", "tickCount": 5, "grid": True}
STEP = 12
LINE = 15
# Characters of a label on one line: so that a name stands whole beside a chart on a phone.
LABEL = 24
LINES = 6


def signal(name: str) -> str:
    """The parameter of a chart that a filter of the page sets; empty means everything."""
    return f"choice_{name}"


def finished(layers: list[Spec], tall: int, rows: list[Row], filters: dict[str, str], description: str) -> Spec:
    """As wide as the page lets it be, with a parameter for each filter. tall: pixels."""
    chosen = {name: signal(name) for name in filters}
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": "container",
        "height": tall,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "params": [{"name": chosen[name], "value": default} for name, default in filters.items()],
        "transform": [
            {"filter": f"{choice} === '' || toString(datum['{name}']) === {choice}"} for name, choice in chosen.items()
        ],
        "data": {"values": rows},
        "layer": layers,
    }


def layer(mark: str, encoding: Spec, **style: object) -> Spec:
    return {"mark": {"type": mark, **style}, "encoding": encoding}


def number(field: str, **said: object) -> Spec:
    return {"field": field, "type": "quantitative", **said}


def name(field: str, **said: object) -> Spec:
    return {"field": field, "type": "nominal", **said}


def tooltip(fields: dict[str, str]) -> list[Spec]:
    return [
        number(field, title=title, format=".3f")
        if field in ("value", "ci_low", "ci_high", "difference", "p_adjusted")
        else name(field, title=title)
        for field, title in fields.items()
    ]


def dots(
    rows: list[Row],
    *,
    group: str,
    group_title: str,
    colour: str = "system_name",
    shape: str = "",
    axis_title: str,
    told: dict[str, str],
    filters: dict[str, str],
    description: str,
    value: str = "value",
    zero_line: bool = False,
    order: list[str] | None = None,
) -> Spec:
    """A dot with its 95 % interval per group; within one side by side, by shape or else by run.

    A hollow dot is the baseline's. The page gives each system its colour.
    """
    rows = [row | {"on_axis": "\n".join(lines(str(row[group])))} for row in with_ends(rows, value)]
    apart = {"paddingInner": 0.35, "paddingOuter": 0.2}
    y = name("on_axis", sort=order, axis=names_axis(group_title), scale=apart)
    side_by_side = shape or ("" if zero_line else "run")
    is_dodged = bool(side_by_side) and tells_apart(rows, group, side_by_side)
    is_told = "system_name" in filters or not tells_apart(rows, group, colour)
    legend = None if colour == "system_name" and is_told else legend_of(rows, colour)
    coloured = name(colour, title=None, legend=legend)
    kept = {"y": y, "tooltip": tooltip(told), "stroke": coloured}
    if is_dodged:
        kept["yOffset"] = name(side_by_side, sort=None)
    ends = {
        "x": number("low", title=axis_title, axis=VALUE, scale={"zero": True, "nice": True}),
        "x2": {"field": "high"},
    }
    dot = {
        "x": number(value, title=axis_title),
        "fill": coloured,
        "fillOpacity": {"condition": {"test": "datum.is_baseline === true", "value": 0}, "value": 1},
    }
    if shape:
        dot["shape"] = name(shape, title=None, legend=legend_of(rows, shape))
    layers = [
        layer("rule", kept | ends, strokeWidth=2, opacity=0.7),
        layer("point", kept | dot, size=62, opacity=1, strokeWidth=2),
    ]
    if zero_line:
        layers.insert(0, layer("rule", {"x": {"datum": 0}}, strokeDash=[4, 3], opacity=0.8, aria=False))
    tall = height(rows, group, side_by_side if is_dodged else group, list(filters))
    return finished(layers, tall, rows, filters, description)


def tells_apart(rows: list[Row], group: str, name: str) -> bool:
    """Whether rows of one group differ in a field."""
    seen: dict[object, object] = {}
    return any(seen.setdefault(row[group], row[name]) != row[name] for row in rows)


def legend_of(rows: list[Row], name: str) -> Spec:
    """As many columns as whole labels fit on a phone."""
    longest = max(len(str(row[name])) for row in rows)
    columns = 1 if longest > LABEL / 3 else 2
    return {"orient": "top", "labelLimit": 300, "labelExpr": "split(datum.label, ', ')", "columns": columns}


def names_axis(title: str) -> Spec:
    """Names of one or more lines beside what they are of, named above them: read without turning the head."""
    above = {"titleAngle": 0, "titleAlign": "right", "titleBaseline": "bottom", "titleX": -6, "titleY": -2}
    labels = {"labelLimit": 240, "labelExpr": "split(datum.label, '\\n')", "labelLineHeight": LINE}
    return {"title": title, **above, **labels, "grid": False, "ticks": False, "domain": False}


def lines(label: str) -> list[str]:
    """A label in lines that end where a word or a part of a name does."""
    done = [""]
    for part in re.findall(r"[^\s_/-]*[\s_/-]*", label):
        if done[-1] and len(done[-1]) + len(part.rstrip()) > LABEL:
            done.append("")
        done[-1] += part
    done = [line.rstrip() for line in done]
    return done if len(done) <= LINES else [*done[: LINES - 1], "…"]


def with_ends(rows: list[Row], value: str) -> list[Row]:
    """The rows with the ends of the lines to draw, which have no length where there is no interval."""

    def end(row: Row, name: str) -> object:
        return row[value] if row.get(name) is None else row[name]

    return [row | {"low": end(row, "ci_low"), "high": end(row, "ci_high")} for row in rows]


def height(rows: list[Row], group: str, colour: str, filters: list[str]) -> int:
    """Pixels for as many rows as any choice of the filters shows."""
    groups: dict[tuple, set] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in filters), set()).add(row[group])
    shades = 1 if colour == group else len({row[colour] for row in rows})
    tallest = LINE * max(str(row["on_axis"]).count("\n") + 1 for row in rows)
    # With a filter that can be left open, all rows can show at once.
    count = max(map(len, groups.values()), default=1)
    return count * (max(shades * STEP, tallest) + 8)


# Each against white, against black and under dark ink at a contrast of 3 or more: losses, not judged, kept.
PARTS = ("#b5739d", "#d9605a", "#d97b36", "#b08a1c", "#7c9a2e", "#2a9d94", "#a97bd1", "#8a94a0", "#4c8fdb")


def shares(
    rows: list[Row], *, parts: list[str], told: dict[str, str], filters: dict[str, str], description: str
) -> Spec:
    """A bar per run whose parts add up to 1. rows: run, metric_name (one of parts), start, end, value."""
    rows = [
        row
        | {"on_axis": "\n".join(lines(str(row["run"]))), "middle": (row["start"] + row["end"]) / 2}
        | {"percent": f"{100 * row['value']:.0f}" if row["value"] >= 0.04 else ""}
        for row in with_ends(rows, "value")
    ]
    y = name("on_axis", sort=None, axis=names_axis("system"), scale={"paddingInner": 0.3, "paddingOuter": 0.1})
    legend = {"orient": "top", "columns": 2, "symbolType": "square"}
    bar = {
        "y": y,
        "x": number("start", title="share of the evidence", axis=VALUE, scale={"domain": [0, 1]}),
        "x2": {"field": "end"},
        "color": name("metric_name", title=None, legend=legend, scale={"domain": parts, "range": PARTS}),
        "tooltip": tooltip(told),
    }
    percent = {"y": y, "x": number("middle"), "text": name("percent"), "color": {"value": "#101820"}}
    layers = [layer("bar", bar), layer("text", percent, fontSize=12)]
    return finished(layers, height(rows, "run", "run", list(filters)), rows, filters, description)


def confusion(rows: list[Row], filters: dict[str, str]) -> Spec:
    """Gold labels by what was predicted, with the counts in the cells; rows of metrics.sentiment_confusion."""
    most = max(row["n_headlines"] for row in rows)
    cell = {
        "x": name("predicted_label", title="label given", axis={"orient": "top", "labelAngle": 0}),
        "y": name("gold_label", title="gold label"),
    }
    shade = number("n_headlines", legend=None, scale={"range": ["#dbe7f7", "#14468f"], "domain": [0, most]})
    on_dark = {"test": f"datum['n_headlines'] > {most / 2}", "value": "#ffffff"}
    ink = {"condition": on_dark, "value": "#101820"}
    layers = [
        layer("rect", cell | {"color": shade}),
        layer("text", cell | {"text": number("n_headlines"), "color": ink}, fontSize=13),
    ]
    tall = 38 * len({row["gold_label"] for row in rows})
    return finished(layers, tall, rows, filters, "How often each gold label was given each label.")


def course(
    rows: list[Row], *, time: str, shape: str, told: dict[str, str], filters: dict[str, str], title: str
) -> Spec:
    """A value from build to build, in the order in which they ended."""
    axis = {"labelAngle": 0, "labelExpr": "split(datum.label, ' ')", "labelOverlap": True}
    kept = {
        "x": {"field": time, "type": "ordinal", "title": "built (UTC)", "sort": None, "axis": axis},
        "color": name("system_name", title=None, legend=legend_of(rows, "system_name")),
        "detail": name(shape),
    }
    y = {"y": number("value", title=title, axis=VALUE, scale={"zero": False})}
    shapes = {"shape": name(shape, title=None, legend=legend_of(rows, shape)), "tooltip": tooltip(told)}
    layers = [
        layer("line", kept | y | {"strokeDash": name(shape, legend=None)}, opacity=0.6),
        layer("rule", kept | {"y": number("low", title=title), "y2": {"field": "high"}}, opacity=0.5),
        layer("point", kept | y | shapes, size=60, filled=True, opacity=1),
    ]
    return finished(layers, 260, with_ends(rows, "value"), filters, title)
