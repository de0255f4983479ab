"""The rectangle of the marks, with its axes, for drawings and for Plotly."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import Axis, Tick, share_axis
from runs.presentation.charts.frame import Frame, dot_style, error_bars, hover_text, left_margin, plain
from runs.presentation.charts.svg_shapes import Drawing, Sheet
from tests.runs.presentation.charts.drawn import SHARES, numbers, of

TENS = Axis("tokens", 1.0, 100.0, (Tick(1.0, "1"), Tick(10.0, "10"), Tick(100.0, "<100>")), log=True)


def frame(x: Axis = SHARES, y: Axis | None = SHARES, width: float = 360.0) -> Frame:
    """The marks are between 40 and `width` − 20 across, and between 10 and 70 from the top."""
    return Frame(width, 100.0, 40.0, 20.0, 10.0, 30.0, x, y)


def drawn(given: Frame) -> Drawing:
    sheet = Sheet()
    given.draw(sheet)
    return Drawing(given.width, given.height, tuple(sheet.shapes))


def test_values_are_between_the_margins() -> None:
    assert [frame().across(value) for value in (0, 0.25, 1)] == [40, 115, 340]
    assert [frame().up(value) for value in (0, 0.25, 1)] == [70, 55, 10]
    assert (frame().across(2), frame().up(-1)) == (340, 70)
    # 10 is in the middle of 1 to 100 on a logarithmic axis.
    assert frame(TENS).across(10) == pytest.approx(190)


def test_grid_lines_and_labels_are_at_the_ticks() -> None:
    drawing = drawn(frame())
    assert numbers(of(drawing, "grid"), "x1", "y1", "x2", "y2") == [
        *((x, 10, x, 70) for x in (40, 115, 190, 265, 340)),
        *((40, y, 340, y) for y in (70, 55, 40, 25, 10)),
    ]
    assert [shape.text for shape in of(drawing, "tick")] == ["0 %", "25 %", "50 %", "75 %", "100 %"] * 2
    # Labels are 6 pixels from the rectangle; those below it are 12 pixels high.
    assert numbers(of(drawing, "tick"), "x", "y") == [
        *((x, 88) for x in (40, 115, 190, 265, 340)),
        *((34, y) for y in (74, 59, 44, 29, 14)),
    ]
    assert [(shape.text, shape.attributes["text-anchor"]) for shape in of(drawing, "axis")] == [
        ("pass@1", "end"),
        ("pass@1", "start"),
    ]


def test_ticks_whose_labels_would_touch_are_left_out() -> None:
    # 40 pixels for five labels of 22 to 36 pixels, ten pixels apart: only the first and the fourth have room.
    drawing = drawn(frame(y=None, width=100))
    assert [shape.text for shape in of(drawing, "tick")] == ["0 %", "75 %"]
    assert numbers(of(drawing, "grid"), "x1") == [(40,), (70,)]


def test_plotly_has_the_same_rectangle_and_axes() -> None:
    found = frame(TENS).layout()
    assert (found["width"], found["height"]) == (360, 100)
    assert found["margin"] == {"l": 40, "r": 20, "t": 10, "b": 30, "pad": 0}
    assert (found["xaxis"]["type"], found["xaxis"]["range"]) == ("log", [0, 2])
    assert found["xaxis"]["tickvals"] == [1, 10, 100]
    assert found["xaxis"]["ticktext"] == ["1", "10", "&lt;100&gt;"]
    assert (found["yaxis"]["type"], found["yaxis"]["range"]) == ("linear", [0, 1])
    assert [title["text"] for title in found["annotations"]] == ["tokens", "pass@1"]


def test_a_frame_of_rows_has_one_axis() -> None:
    found = frame(y=None).layout()
    assert "yaxis" not in found
    assert [title["text"] for title in found["annotations"]] == ["pass@1"]


def test_the_left_margin_has_room_for_the_widest_label() -> None:
    # "100 %" is (3 · 0.59 + 0.36 + 0.86) · 12 = 35.88 wide; 8 for the gap.
    assert left_margin(share_axis("")) == pytest.approx(43.88)
    assert left_margin(Axis("", 0, 1, ())) == 8


def test_error_bars_reach_from_the_value_to_the_ends() -> None:
    found = error_bars(iter([(0.5, 0.25, 1.0), (0.5, None, None)]))
    assert (found["arrayminus"], found["array"]) == ([0.25, 0], [0.5, 0])


def test_hollow_dots_are_open_circles() -> None:
    found = dot_style([9.0, 14.0], [False, True])
    assert (found["size"], found["symbol"]) == ([9.0, 14.0], ["circle", "circle-open"])
    alike = dot_style([9.0, 9.0], [True, True])
    assert (alike["size"], alike["symbol"]) == (9.0, "circle-open")


def test_texts_for_plotly_are_one_line_without_markup() -> None:
    assert plain("a\nb <b>c</b> &amp;") == "a b &lt;b&gt;c&lt;/b&gt; &amp;amp;"
    assert plain("x" * 300) == "x" * 199 + "…"
    assert hover_text(["<Alice>", "50 %"]) == "&lt;Alice&gt;<br>50 %"
    assert hover_text([]) == ""
