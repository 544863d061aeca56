"""The chart forms of the report. Colours and fonts are the page's, which has a light and a dark theme."""

from __future__ import annotations

import re

import altair as alt

from finrag.report.data import Row

VALUE = alt.Axis(format=".2f", tickCount=5, grid=True)
STEP = 12
LINE = 15
# Characters of a label on one line: so that a name stands whole beside a chart on a phone.
LABEL = 24
LINES = 6


def signal(name: str) -> str:
    """The parameter of a chart that a filter of the page sets; empty means everything."""
    return f"choice_{name}"


def finished(
    chart: alt.Chart | alt.LayerChart, rows: list[Row], filters: dict[str, str], description: str
) -> alt.TopLevelMixin:
    """As wide as the page lets it be, with a parameter for each filter. Its rows come last: Altair copies a chart with
    all of its data whenever anything is added to it.
    """
    for name, default in filters.items():
        chosen = signal(name)
        chart = chart.transform_filter(f"{chosen} === '' || toString(datum['{name}']) === {chosen}")
        chart = chart.add_params(alt.param(name=chosen, value=default))
    chart = chart.properties(
        width="container",
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        description=description,
    )
    chart.data = alt.Data(values=[])
    chart.data["values"] = rows  # checked once, with the whole chart
    return chart


def tooltip(fields: dict[str, str]) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{name}:Q", title=title, format=".3f")
        if name in ("value", "ci_low", "ci_high", "difference", "p_adjusted")
        else alt.Tooltip(f"{name}:N", title=title)
        for name, title in fields.items()
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
) -> alt.TopLevelMixin:
    """A dot with its 95 % interval per group; within one side by side, by shape or else by run.

    A hollow dot is the baseline's. The page gives each system its colour.
    """
    rows = [row | {"on_axis": "\n".join(lines(str(row[group])))} for row in with_ends(rows, value)]
    base = alt.Chart()
    y = alt.Y(
        "on_axis:N",
        sort=order,
        axis=names_axis(group_title),
        scale=alt.Scale(paddingInner=0.35, paddingOuter=0.2),
    )
    side_by_side = shape or ("" if zero_line else "run")
    is_dodged = bool(side_by_side) and tells_apart(rows, group, side_by_side)
    is_told = "system_name" in filters or not tells_apart(rows, group, colour)
    legend = None if colour == "system_name" and is_told else legend_of(rows, colour)
    kept = {"y": y} | ({"yOffset": alt.YOffset(f"{side_by_side}:N", sort=None)} if is_dodged else {})
    shapes = {"shape": alt.Shape(f"{shape}:N", title=None, legend=legend_of(rows, shape))} if shape else {}
    outline = alt.Stroke(f"{colour}:N", title=None, legend=legend)
    intervals = base.mark_rule(strokeWidth=2, opacity=0.7).encode(
        x=alt.X("low:Q", title=axis_title, axis=VALUE, scale=alt.Scale(zero=True, nice=True)),
        x2="high:Q",
        tooltip=tooltip(told),
        stroke=outline,
        **kept,
    )
    points = base.mark_point(size=62, opacity=1, strokeWidth=2).encode(
        x=alt.X(f"{value}:Q", title=axis_title),
        fillOpacity=alt.condition("datum.is_baseline === true", alt.value(0), alt.value(1)),
        tooltip=tooltip(told),
        fill=alt.Fill(f"{colour}:N", title=None, legend=legend),
        stroke=outline,
        **shapes,
        **kept,
    )
    layers = [intervals, points]
    if zero_line:
        layers.insert(0, base.mark_rule(strokeDash=[4, 3], opacity=0.8, aria=False).encode(x=alt.datum(0)))
    tall = height(rows, group, side_by_side if is_dodged else group, list(filters))
    return finished(alt.layer(*layers).properties(height=tall), rows, filters, description)


def tells_apart(rows: list[Row], group: str, name: str) -> bool:
    """Whether rows of one group differ in a field."""
    seen: dict[object, object] = {}
    return any(seen.setdefault(row[group], row[name]) != row[name] for row in rows)


def legend_of(rows: list[Row], name: str) -> alt.Legend:
    """As many columns as whole labels fit on a phone."""
    longest = max(len(str(row[name])) for row in rows)
    return alt.Legend(
        orient="top", labelLimit=300, labelExpr="split(datum.label, ', ')", columns=1 if longest > LABEL / 3 else 2
    )


def names_axis(title: str) -> alt.Axis:
    """Names of one or more lines beside what they are of."""
    return alt.Axis(
        **named_above(title),
        labelLimit=240,
        grid=False,
        ticks=False,
        domain=False,
        labelExpr="split(datum.label, '\\n')",
        labelLineHeight=LINE,
    )


def named_above(title: str) -> dict[str, object]:
    """A vertical axis is named above its labels, where the name is read without turning the head."""
    return {"title": title, "titleAngle": 0, "titleAlign": "right", "titleBaseline": "bottom"} | {
        "titleX": -6,
        "titleY": -2,
    }


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
) -> alt.TopLevelMixin:
    """A bar per run whose parts add up to 1. rows: run, metric_name (one of parts), start, end, value."""
    rows = [
        row
        | {"on_axis": "\n".join(lines(str(row["run"]))), "middle": (row["start"] + row["end"]) / 2}
        | {"percent": f"{100 * row['value']:.0f}" if row["value"] >= 0.04 else ""}
        for row in with_ends(rows, "value")
    ]
    base = alt.Chart().encode(
        y=alt.Y(
            "on_axis:N",
            sort=None,
            axis=names_axis("system"),
            scale=alt.Scale(paddingInner=0.3, paddingOuter=0.1),
        )
    )
    legend = alt.Legend(orient="top", columns=2, symbolType="square")
    bars = base.mark_bar().encode(
        x=alt.X("start:Q", title="share of the evidence", axis=VALUE, scale=alt.Scale(domain=[0, 1])),
        x2="end:Q",
        color=alt.Color("metric_name:N", title=None, legend=legend, scale=alt.Scale(domain=parts, range=PARTS)),
        tooltip=tooltip(told),
    )
    numbers = base.mark_text(fontSize=12).encode(x="middle:Q", text="percent:N", color=alt.value("#101820"))
    tall = height(rows, "run", "run", list(filters))
    return finished(alt.layer(bars, numbers).properties(height=tall), rows, filters, description)


def confusion(rows: list[Row], filters: dict[str, str]) -> alt.TopLevelMixin:
    """Gold labels by what was predicted, with the counts in the cells; rows of metrics.sentiment_confusion."""
    most = max(row["n_headlines"] for row in rows)
    base = alt.Chart().encode(
        x=alt.X("predicted_label:N", title="label given", axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("gold_label:N", title="gold label"),
    )
    shade = alt.Color("n_headlines:Q", legend=None, scale=alt.Scale(range=["#dbe7f7", "#14468f"], domain=[0, most]))
    ink = alt.condition(f"datum['n_headlines'] > {most / 2}", alt.value("#ffffff"), alt.value("#101820"))
    cells = base.mark_rect().encode(color=shade)
    numbers = base.mark_text(fontSize=13).encode(text="n_headlines:Q", color=ink)
    chart = alt.layer(cells, numbers).properties(height=38 * len({row["gold_label"] for row in rows}))
    return finished(chart, rows, filters, "How often each gold label was given each label.")


def course(rows: list[Row], *, time: str, shape: str, told: dict[str, str], filters: dict[str, str], title: str):
    """A value from build to build, in the order in which they ended."""
    base = alt.Chart().encode(
        x=alt.X(
            f"{time}:O",
            title="built (UTC)",
            sort=None,
            axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, ' ')", labelOverlap=True),
        ),
        color=alt.Color("system_name:N", title=None, legend=legend_of(rows, "system_name")),
        detail=f"{shape}:N",
    )
    value = alt.Y("value:Q", title=title, axis=VALUE, scale=alt.Scale(zero=False))
    lines = base.mark_line(opacity=0.6).encode(y=value, strokeDash=alt.StrokeDash(f"{shape}:N", legend=None))
    points = base.mark_point(size=60, filled=True, opacity=1).encode(
        y=value, shape=alt.Shape(f"{shape}:N", title=None, legend=legend_of(rows, shape)), tooltip=tooltip(told)
    )
    bars = base.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    return finished(alt.layer(lines, bars, points).properties(height=260), with_ends(rows, "value"), filters, title)
