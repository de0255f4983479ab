"""The overview strip, with a mark at the current step."""

from __future__ import annotations

from runs.data.replay.overview_strip import Strip
from runs.views.replay_pages.strip_view import strip_view


def test_the_current_step_is_marked_visibly_among_many() -> None:
    few, many = strip_view(Strip(2, 2), 3), strip_view(Strip(1, 250), 100)
    assert (few.size, few.slot, few.current, few.dense) == (2, "62.5", "62.5", False)
    assert (many.slot, many.mark, many.shift, many.current, many.dense) == (
        "4",
        "9",
        "-2.8",
        "397.2",
        True,
    )
    assert strip_view(Strip(), None).current is None


def test_all_steps_of_a_slot_have_the_same_mark() -> None:
    marks = [strip_view(Strip(size=3, slots=4), place).current for place in (0, 2, 3, 11)]
    assert marks == ["0", "0", "62.5", "187.5"]


def test_each_bar_with_a_suspected_exploit_has_one_triangle() -> None:
    strip = Strip(size=3, slots=4)
    assert strip_view(strip, None, (0, 2, 11)).suspected == "M19.9 -8h14l-7 7zM207.4 -8h14l-7 7z"
    assert strip_view(strip, None).suspected == ""


def test_the_paths_are_those_of_the_strip() -> None:
    paths = (("read", "M0 0z"), ("edit", "M1 1z"))
    assert strip_view(Strip(1, 2, paths), None).paths == paths
