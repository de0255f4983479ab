"""Every kind of chart without data, and with hostile names."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import log_axis
from runs.presentation.charts.bars import Bars
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.line_chart import Lines
from runs.presentation.charts.mark import Chart, figure
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import NARROW, WIDE
from tests.runs.presentation.charts.drawn import SHARES, of, plain, scatter

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
