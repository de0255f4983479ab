"""Every kind of chart without data, and with hostile names."""

from __future__ import annotations

import pytest

from runs.charts.axis import log_axis
from runs.charts.bars import Bars
from runs.charts.dots import Dots
from runs.charts.line_chart import Lines
from runs.charts.mark import Chart, figure
from runs.charts.scatter import Scatter, ScatterPoint
from runs.charts.svg_shapes import NARROW, WIDE
from tests.runs.charts.drawn import SHARES, of, plain, scatter

NOTHING: tuple[Chart, ...] = (
    Scatter((), log_axis("", [], plain), SHARES),
    Dots((), SHARES),
    Bars((), SHARES, ("a",)),
    Lines((), SHARES, SHARES),
)


@pytest.mark.parametrize("chart", NOTHING, ids=lambda chart: type(chart).__name__)
def test_a_chart_of_nothing_has_its_axes(chart: Chart) -> None:
    assert of(chart.draw(WIDE), "grid")
    assert figure(chart)["narrow"]["width"] == NARROW


def test_names_reach_plotly_letter_by_letter() -> None:
    name = "<a href='https://example.org'>Eve</a> &amp; \u202eco"

    written = str(figure(scatter(ScatterPoint(name, 1, 0.5))))

    assert "<a" not in written
    assert "&lt;a href='https://example.org'&gt;Eve&lt;/a&gt; &amp;amp; ⟨U+202E⟩co" in written
