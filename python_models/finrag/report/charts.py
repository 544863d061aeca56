"""The chart forms of the report. Colours and fonts are the page's, which has a light and a dark theme."""

from __future__ import annotations

import altair as alt

from finrag.report.data import Row

VALUE = alt.Axis(format=".2f", tickCount=5, grid=True)
STEP = 12


def signal(name: str) -> str:
    """The parameter of a chart that a filter of the page sets; empty means everything."""
    return f"choice_{name}"


def finished(chart: alt.Chart | alt.LayerChart, filters: dict[str, str], description: str) -> alt.TopLevelMixin:
    """As wide as the page lets it be, with a parameter for each filter."""
    for name, default in filters.items():
        chosen = signal(name)
        chart = chart.transform_filter(f"{chosen} === '' || toString(datum['{name}']) === {chosen}")
        chart = chart.add_params(alt.param(name=chosen, value=default))
    return chart.properties(
        width="container",
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        description=description,
    )


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
    colour: str,
    colour_title: str,
    axis_title: str,
    told: dict[str, str],
    filters: dict[str, str],
    description: str,
    value: str = "value",
    zero_line: bool = False,
    order: list[str] | None = None,
) -> alt.TopLevelMixin:
    """A dot with its 95 % interval per group, side by side by colour. A hollow dot is the baseline's."""
    base = alt.Chart(alt.Data(values=with_ends(rows, value)))
    y = alt.Y(
        f"{group}:N",
        title=None,
        sort=order,
        axis=alt.Axis(labelLimit=190, grid=False, ticks=False, domain=False),
        scale=alt.Scale(paddingInner=0.35, paddingOuter=0.2),
    )
    is_dodged = colour != group and not zero_line
    legend = None if colour == group else alt.Legend(orient="top", labelLimit=260, columns=2)
    kept = {"y": y} | ({"yOffset": alt.YOffset(f"{colour}:N")} if is_dodged else {})
    outline = alt.Stroke(f"{colour}:N", legend=None)
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
        fill=alt.Fill(f"{colour}:N", title=colour_title or None, legend=legend),
        stroke=outline,
        **kept,
    )
    layers = [intervals, points]
    if zero_line:
        layers.insert(0, base.mark_rule(strokeDash=[4, 3], opacity=0.8).encode(x=alt.datum(0)))
    chart = alt.layer(*layers).properties(height=height(rows, group, colour if is_dodged else group, list(filters)))
    return finished(chart, filters, description)


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
    # With a filter that can be left open, all rows can show at once.
    count = max(map(len, groups.values()), default=1)
    return count * (shades * STEP + 14)


def confusion(rows: list[Row], *, gold: str, predicted: str, count: str, filters: dict[str, str]) -> alt.TopLevelMixin:
    """Gold labels by what was predicted, with the counts in the cells."""
    most = max(row[count] for row in rows)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(f"{predicted}:N", title="predicted", axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y(f"{gold}:N", title="gold"),
    )
    shade = alt.Color(f"{count}:Q", legend=None, scale=alt.Scale(range=["#dbe7f7", "#14468f"], domain=[0, most]))
    ink = alt.condition(f"datum['{count}'] > {most / 2}", alt.value("#ffffff"), alt.value("#101820"))
    cells = base.mark_rect().encode(color=shade)
    numbers = base.mark_text(fontSize=13).encode(text=f"{count}:Q", color=ink)
    chart = alt.layer(cells, numbers).properties(height=38 * len({row[gold] for row in rows}))
    return finished(chart, filters, "How often each gold label was given each label.")


def course(rows: list[Row], *, time: str, colour: str, told: dict[str, str], filters: dict[str, str], title: str):
    """A value from run to run, in the order in which they were measured."""
    base = alt.Chart(alt.Data(values=with_ends(rows, "value"))).encode(
        x=alt.X(
            f"{time}:O",
            title=None,
            sort=None,
            axis=alt.Axis(labelAngle=0, labelExpr="split(datum.label, ' ')", labelOverlap=True),
        ),
        color=alt.Color(f"{colour}:N", title=None, legend=alt.Legend(orient="top", columns=2, labelLimit=260)),
    )
    value = alt.Y("value:Q", title=title, axis=VALUE, scale=alt.Scale(zero=False))
    lines = base.mark_line(opacity=0.6).encode(y=value)
    points = base.mark_point(size=60, filled=True, opacity=1).encode(y=value, tooltip=tooltip(told))
    bars = base.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    return finished(alt.layer(lines, bars, points).properties(height=260), filters, title)
