"""The outline beside a replay: windows of the filtered steps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from runs.analysis.facts import Exploit
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from runs.data.replay.overview_strip import Strip
from runs.data.replay.step_filter import SearchHits, StepCondition, StepFilter
from runs.data.replay.step_search import Excerpt
from runs.views.replay_pages.outline_window import (
    OutlineView,
    RowView,
    select_steps,
    step_link,
    strip_view,
    window_around,
    window_from,
)
from runs.views.replay_pages.trouble_signs import exploit_marks
from tests.runs.data.replay.tapes import edit, step, write

PATH = "/app/source/of/the/tides/moon.py"
STEPS = [
    step(1, message="I look."),
    step(2, "edit_file", {"path": PATH}, seconds=1.5, tokens=890),
    *(step(number, "read_file", {"path": "a.py"}, ok=number % 100 != 0) for number in range(3, 301)),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("run"), STEPS, [edit(2, "a.py", "b.py")])


@pytest.fixture
def steps(directory: Path) -> Iterator[Outline]:
    with outline(directory) as found:
        yield found


def window(steps: Outline, first: int, most: int, chosen: StepCondition | None = None) -> OutlineView:
    return window_from(RequestFactory().get("/"), steps, chosen or StepCondition(), first, most)


def numbers(view: OutlineView) -> list[int]:
    return [int(row.number) for row in view.rows]


def test_a_row_shows_the_facts_of_its_step_in_short(steps: Outline) -> None:
    first, second = window(steps, 0, 2).rows
    assert first == RowView("1", "", "", "I look.", "", False, "", False, None, "110", "", None)
    assert second == RowView(
        *(
            "2",
            "edit",
            "edit_file",
            "…/source/of/the/tides/moon.py",
            "",
            False,
            "+2 −2",
            False,
            None,
            "900",
            "",
            None,
        )
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        ("run_shell_command", {"command": "pytest -q tests/a.py"}, ("$", "pytest -q tests/a.py")),
        ("Execute", {"command": "pytest -q tests/a.py"}, ("$", "pytest -q tests/a.py")),
        ("bash", {"command": f"cat {PATH} | head"}, ("$", "cat …/source/of/the/tides/moon.py | head")),
        (
            "bash",
            {"command": "curl https://example.com/a/long/path/to/a/file"},
            ("$", "curl https://example.com/a/long/path/to/a/file"),
        ),
        ("bash", {}, ("bash", "")),
        ("str_replace_editor", {"command": "view", "path": PATH}, ("view", "…/source/of/the/tides/moon.py")),
        (
            "read_file",
            {"path": "a/name-without-any-slash-that-is-long"},
            ("read_file", "…thout-any-slash-that-is-long"),
        ),
    ],
)
def test_a_row_has_the_command_of_a_shell_or_editor_and_long_paths_begin_at_a_slash(
    tmp_path: Path, tool: str, arguments: dict[str, str], shown: tuple[str, str]
) -> None:
    with outline(write(tmp_path, [step(1, tool, arguments)])) as one:
        (row,) = window(one, 0, 1).rows
    assert (row.tool, row.about) == shown


def test_a_row_without_a_call_says_who_speaks_unless_it_is_the_agent(tmp_path: Path) -> None:
    sources = ("system", "user", "agent")
    steps = [{**step(number), "source": source} for number, source in enumerate(sources, 1)]
    with outline(write(tmp_path, steps)) as one:
        found = window(one, 0, 3)
    assert [row.speaker for row in found.rows] == ["system", "user", ""]
    assert not found.timed


def test_a_row_says_which_exploits_its_step_shows(steps: Outline) -> None:
    marks = exploit_marks({"network": Exploit("mention", (2,)), "grader": Exploit("success", (3,))})
    rows = window_from(RequestFactory().get("/"), steps, StepCondition(), 0, 3, marks=marks).rows
    assert [(row.suspected, row.flagged) for row in rows] == [
        ("", False),
        ("Fetched code from the network (mention)", False),
        ("Looked for the grader, or changed it (success)", True),
    ]


def test_the_nearest_steps_outside_of_a_window_are_known(steps: Outline) -> None:
    middle = window(steps, 100, 3)
    assert (numbers(middle), middle.before, middle.after) == ([101, 102, 103], 100, 104)
    assert (middle.first, middle.total, middle.count) == (100, 300, 300)
    start, end, beyond = window(steps, 0, 2), window(steps, 298, 9), window(steps, 999, 9)
    assert (numbers(start), start.before, start.after) == ([1, 2], None, 3)
    assert (numbers(end), end.before, end.after) == ([299, 300], 298, None)
    assert (beyond.rows, beyond.before, beyond.after) == ((), None, None)


def test_a_window_counts_filtered_steps(steps: Outline) -> None:
    failed = StepCondition(StepFilter(errors=True))
    found = window(steps, 1, 1, failed)
    assert (numbers(found), found.before, found.after, found.total, found.count) == ([200], 100, 300, 3, 300)


@pytest.mark.parametrize(
    ("place", "first", "last"),
    [(None, 1, 80), (0, 1, 80), (59, 1, 80), (60, 41, 120), (150, 121, 200), (299, 241, 300)],
)
def test_the_window_around_a_step_has_rows_on_both_sides(
    steps: Outline, place: int | None, first: int, last: int
) -> None:
    found = window_around(RequestFactory().get("/"), steps, StepCondition(), place)
    assert numbers(found) == list(range(first, last + 1))


def test_matches_of_a_search_have_an_excerpt_on_one_line(steps: Outline) -> None:
    chosen = select_steps(steps, StepFilter(q="LOOK"))
    (row,) = window(steps, 0, 9, chosen).rows
    assert row.excerpt == Excerpt("message", "I ", "look", ".")
    assert select_steps(steps, StepFilter(errors=True)) == StepCondition(StepFilter(errors=True))


@pytest.mark.parametrize(
    ("cut", "note"),
    [
        ("", ""),
        (
            "number",
            "The search stopped after 2,000 matches, in 25\u00a0% of the run. The rest was not searched.",
        ),
        ("time", "The search stopped after 3 s, in 25\u00a0% of the run. The rest was not searched."),
    ],
)
def test_a_search_that_ended_early_says_so(steps: Outline, cut: str, note: str) -> None:
    found = window(steps, 0, 9, StepCondition(StepFilter(q="look"), SearchHits((0,), cut, 0.25)))
    assert found.note == note


def test_the_link_of_a_step_changes_no_other_parameter() -> None:
    assert step_link(QueryDict("tool=kind%3Aedit&file=&q=a+%26+b&step=5&first=80")) == (
        "?tool=kind%3Aedit&q=a+%26+b&step="
    )
    assert step_link(QueryDict("")) == "?step="


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
