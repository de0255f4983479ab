"""How a workspace approaches the reference patch."""

from __future__ import annotations

import difflib
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.similarity import similarity
from harness.patches import FileState, make_patch
from harness.records import FileEdit
from runs.analysis.features import features
from runs.analysis.features.base import Evidence
from runs.analysis.features.convergence import progress
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.made_traces import Move, read, shell, trace

START = ["one", "two", "three", "four", ""]
GOAL = ["one", "2", "three", "4", "5", ""]


def diff(before: list[str], after: list[str], path: str = "a") -> str:
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(lines) + "\n"


def wrote(before: list[str], after: list[str], path: str = "a") -> Move:
    text = diff(before, after, path)
    body = text.split("\n")[2:]
    added, removed = (sum(line.startswith(sign) for line in body) for sign in "+-")
    return shell("edit", FileEdit(path, "modified", added, removed, diff=text))


REFERENCE = diff(START, GOAL).encode()


def curve(*moves: Move, reference: bytes | None = REFERENCE) -> tuple[float, ...] | None:
    return progress(Evidence(trace(*moves), Exercise("", reference)))


def test_the_curve_follows_what_differs_from_the_start() -> None:
    # The reference: −two +2 −four +4 +5, five lines.
    halfway = ["one", "2", "three", "four", ""]
    astray = [*halfway[:-1], "six", ""]
    states = [
        read("a"),
        wrote(START, halfway),
        wrote(halfway, astray),
        wrote(astray, GOAL),
        wrote(GOAL, START),
    ]
    # 0 of 5; −two +2: 2 of 5; +six besides: 2 of 6; all: 5 of 5; back at the start: 0 of 5.
    assert curve(*states) == (0.0, 2 / 5, 2 / 6, 1.0, 0.0)

    counted = features(trace(*states), Exercise("", REFERENCE, b""))
    # Moves: 2/5, −1/15, 2/3, −1.
    squares = (2 / 5) ** 2 + (1 / 15) ** 2 + (2 / 3) ** 2 + 1
    assert counted["progress_volatility"] == pytest.approx(math.sqrt(squares / 4))
    assert counted["max_progress"] == 1
    assert [counted["monotonic_progress"], counted["had_regression"]] == [0, 1]
    assert [counted["final_similarity"], counted["converged"]] == [0, 0]


def test_a_straight_way_is_monotonic() -> None:
    counted = features(trace(read("a"), wrote(START, GOAL), read("a")), Exercise("", REFERENCE, REFERENCE))
    assert [counted["monotonic_progress"], counted["had_regression"], counted["converged"]] == [1, 0, 1]
    # Moves: 1, 0.
    assert counted["progress_volatility"] == pytest.approx(math.sqrt(1 / 2))


def test_one_state_does_not_move() -> None:
    counted = features(trace(wrote(START, GOAL)), Exercise("", REFERENCE))
    assert counted["max_progress"] == 1
    assert [counted[n] for n in ("monotonic_progress", "had_regression", "progress_volatility")] == [None] * 3


def test_converged_is_above_a_half() -> None:
    # −two +2 −four of −two +2 −four +4 +5: 3 of 5. The same and +x: 3 of 6. −two +2 and +x: 2 of 6.
    for state, converged in (
        (["one", "2", "three", ""], 1),
        (["one", "2", "x", "three", ""], 0),
        (["one", "2", "x", "three", "four", ""], 0),
    ):
        assert (
            features(trace(), Exercise("", REFERENCE, diff(START, state).encode()))["converged"] == converged
        )


@pytest.mark.parametrize(
    "edit",
    [
        FileEdit("a", "modified", 9, 1, diff=diff(START, GOAL)),
        FileEdit(
            "a",
            "modified",
            3,
            2,
            diff="--- a/a\n+++ b/a\n@@ -1,4 +1,5 @@\n one\n[the diff is cut here: 9 more]\n",
        ),
        FileEdit("a", "modified", 3, 2, diff=""),
        FileEdit(
            "a", "modified", 0, 0, diff="--- a/a\n+++ b/a\n[not compared: too large, or not readable]\n"
        ),
        FileEdit("../a", "modified", 1, 0, diff="--- a/../a\n+++ b/../a\n@@ -0,0 +1 @@\n+x\n"),
    ],
)
def test_what_was_not_recorded_leaves_the_curve_unknown(edit: FileEdit) -> None:
    assert curve(shell("edit", edit)) is None


def test_without_a_reference_there_is_no_curve() -> None:
    assert curve(wrote(START, GOAL), reference=None) is None
    assert curve(wrote(START, GOAL), reference=b"") is None


def test_binaries_and_modes_have_no_lines() -> None:
    binary = FileEdit("b", "added", 0, 0, binary=True, diff="--- /dev/null\n+++ b/b\n[binary]\n")
    mode = FileEdit("a", "modified", 0, 0, diff="old mode 100644\nnew mode 100755\n")
    assert curve(wrote(START, GOAL), shell("build", binary, mode)) == (1.0, 1.0)
    gone = FileEdit("a", "modified", 0, 0, binary=True, diff="--- a/a\n+++ b/a\n[binary]\n")
    assert curve(wrote(START, GOAL), shell("build", gone)) == (1.0, 0.0)


WORDS = st.lists(st.sampled_from(["one", "two", "  two", "", "three"]), max_size=5)


@settings(max_examples=8)
@given(WORDS, WORDS, WORDS)
def test_the_final_similarity_is_that_of_the_grading(
    start: list[str], ours: list[str], theirs: list[str]
) -> None:
    def state(lines: list[str]) -> list[FileState]:
        return [FileState("a", "".join(f"{line}\n" for line in lines).encode())]

    patch, reference = make_patch(state(start), state(ours)), make_patch(state(start), state(theirs))
    counted = features(trace(), Exercise("", reference, patch))
    assert counted["final_similarity"] == similarity(patch, reference).lines


@settings(max_examples=60)
@given(st.lists(WORDS, min_size=1, max_size=5), WORDS)
def test_the_curve_depends_on_the_state_alone(states: list[list[str]], goal: list[str]) -> None:
    reference = diff(START, goal).encode()
    steps = [wrote(before, after) for before, after in zip([START, *states], states, strict=False)]
    found = curve(*steps, reference=reference)
    straight = curve(wrote(START, states[-1]), reference=reference)
    if found is None:
        assert straight is None
        return
    assert straight is not None
    assert found[-1] == straight[-1]
    assert all(0 <= value <= 1 for value in found)
