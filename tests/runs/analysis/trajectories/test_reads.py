"""Which files were read, and which again."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.trajectories.reads import files_read, re_reads, reads
from tests.runs.analysis.made_traces import call, changed, edit, read, shell, trace

FILES = ("a.py", "src/b.py", "src/c.py", "README.md")


def test_a_file_counts_that_a_tool_or_a_shell_showed() -> None:
    traced = trace(
        read("/app/a.py"),
        shell("cd /app && cat src/b.py src/none.py"),
        call("list_dir", path="src"),
        call("grep_search", pattern="x", path="src/c.py"),
        call("read_file", ok=False, path="README.md"),
        read("/etc/passwd"),
        read("../secret"),
        shell("head README.md", ok=False),
    )
    assert [(one.path, one.step_id, one.position) for one in reads(traced, FILES)] == [
        ("a.py", 1, 0),
        ("src/b.py", 2, 1),
    ]
    # Where the files are not known, it is unknown whether src/none.py exists.
    assert files_read(reads(traced, None)) == {"a.py", "src/b.py", "src/none.py"}


def test_a_file_that_the_run_made_can_be_read() -> None:
    traced = trace(edit("new.py", change="added"), read("new.py"))
    assert files_read(reads(traced, FILES)) == {"new.py"}


def test_a_pattern_stands_for_the_files_that_a_shell_would_take() -> None:
    traced = trace(shell("cat src/*.py *.py"))
    assert files_read(reads(traced, FILES)) == {"src/b.py", "src/c.py", "a.py"}
    assert reads(traced, None) == ()


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({}, (1, math.inf)),
        ({"offset": 11, "limit": 10}, (11, 20)),
        ({"limit": "10"}, (1, 10)),
        ({"start_line": 5, "end_line": 9}, (5, 9)),
        ({"view_range": [3, -1]}, (3, math.inf)),
        ({"view_range": [3, 8]}, (3, 8)),
        ({"offset": -4, "limit": "many"}, (1, math.inf)),
        ({"offset": math.inf, "limit": math.nan}, (1, math.inf)),
        ({"view_range": "all"}, (1, math.inf)),
    ],
)
def test_lines_are_those_that_the_arguments_ask_for(
    arguments: dict[str, Any], lines: tuple[float, float]
) -> None:
    [one] = reads(trace(read("a.py", **arguments)), FILES)
    assert (one.first, one.last) == lines


@pytest.mark.parametrize(
    ("windows", "again"),
    [
        ([{}, {}, {}], 2),
        # Three pages, then the second once more, then lines that lie in two of them.
        ([{"offset": 1, "limit": 100}, {"offset": 101, "limit": 100}, {"offset": 201}], 0),
        ([{"offset": 1, "limit": 100}, {"offset": 101, "limit": 100}, {"offset": 101, "limit": 100}], 1),
        ([{"offset": 101, "limit": 100}, {"offset": 1, "limit": 100}, {"offset": 60, "limit": 100}], 1),
        # Half of it is new.
        ([{"offset": 1, "limit": 100}, {"offset": 51, "limit": 100}], 0),
        ([{"offset": 51, "limit": 100}, {"offset": 1, "limit": 100}], 0),
        ([{}, {"offset": 70, "limit": 5}], 1),
        ([{"offset": 70}, {}], 0),
    ],
)
def test_reading_again_is_to_see_nothing_new(windows: list[dict[str, int]], again: int) -> None:
    found = re_reads(reads(trace(*(read("a.py", **window) for window in windows)), FILES))
    assert sum(map(len, found.values())) == again


def test_a_change_in_between_excuses_nothing() -> None:
    found = re_reads(reads(trace(read("a.py"), edit("a.py"), read("a.py")), FILES))
    assert [one.step_id for one in found["a.py"]] == [3]


def test_files_are_apart() -> None:
    assert re_reads(reads(trace(read("a.py"), read("src/b.py")), FILES)) == {}
    assert reads(trace(shell("make", changed("a.py"))), FILES) == ()


@settings(max_examples=80)
@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 6)), max_size=12))
def test_reading_again_is_what_a_list_of_seen_lines_says(windows: list[tuple[int, int]]) -> None:
    moves = [read("a.py", offset=first, limit=size) for first, size in windows]
    seen: set[int] = set()
    again = []
    for step, (first, size) in enumerate(windows, 1):
        lines = set(range(first, first + size))
        if lines <= seen:
            again.append(step)
        seen |= lines
    assert [one.step_id for one in re_reads(reads(trace(*moves), FILES)).get("a.py", ())] == again
