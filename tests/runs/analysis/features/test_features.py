"""The features as a whole: which there are, what they may know, and that counting ends whatever a model writes."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.records import TestResult, TestStatus
from runs.analysis.behaviour import behaviour_of, from_json, to_json
from runs.analysis.features import (
    FEATURES,
    MEASURES,
    Basis,
    feature,
    features,
)
from runs.analysis.features.base import named
from runs.analysis.features.further_measures import FIRST_CORRECT_EDIT, FURTHER_MEASURES
from runs.analysis.trajectories.trace import Exercise, Trace
from runs.analysis.trajectories.verdict import RunVerdict
from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import (
    Move,
    call,
    changed,
    edit,
    missed,
    read,
    say,
    shell,
    together,
    trace,
)

# Table 8 of the paper.
TABLE_8 = {
    "reasoning": """reasoning_quality_score has_explicit_reasoning mentions_issue_keywords mentions_relevant_files
        hypothesizes_before_acting explains_changes verifies_after_change""",
    "phases": """exploration_steps implementation_steps verification_steps exploration_pct implementation_pct
        verification_pct phase_transitions followed_read_before_write followed_test_after_change""",
    "exploration": """files_explored directories_explored relevant_file_discovery_step exploration_efficiency
        wasted_explorations search_to_read_ratio""",
    "trajectory": "trajectory_length optimal_length trajectory_efficiency unnecessary_steps",
    "convergence": "final_similarity max_progress converged monotonic_progress had_regression progress_volatility",
    "errors": "total_errors recovered_errors recovery_rate max_repetition stuck_episodes max_stuck_duration",
    "tools": """total_tool_calls read_relevant_files used_str_replace used_write_file ran_tests submitted
        tool_errors_count""",
    "patch": "correct_files_touched lines_added lines_removed patch_too_large steps_per_file edit_to_explore_ratio",
    "semantic": """fixes_same_file fixes_same_function fixes_same_class fixes_same_code_region location_score
        change_type_match modifies_same_variable modifies_same_call""",
}
REFERENCE = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = f(2)\n"
EXERCISE = Exercise(
    "Mend the harbour's tide table", REFERENCE, REFERENCE, ("a.py", "b.py"), {"a.py": "x = 1\n"}
)
OTHERWISE = Exercise("", None, b"", None, None)
MOVES = [
    read("a.py"),
    edit("a.py"),
    missed("b.py"),
    shell("pytest -q"),
    shell("sed -i s/1/2/ a.py", changed("a.py")),
    call("grep_search", pattern="x"),
    call("run_terminal_cmd", None, command="make"),
    say("Because it is so.", "I think"),
    together(read("b.py"), edit("b.py")),
    Move(),
]


def test_there_are_the_59_of_the_paper_in_its_order() -> None:
    by_category: dict[str, list[str]] = {}
    for one in FEATURES:
        by_category.setdefault(one.category, []).append(one.name)
    assert by_category == {category: names.split() for category, names in TABLE_8.items()}
    assert len(FEATURES) == 59
    assert (*FEATURES, *FURTHER_MEASURES) == MEASURES


def test_each_says_what_it_is_made_of() -> None:
    assert Counter(one.basis for one in FEATURES) == {
        Basis.PROCESS: 36,
        Basis.LOCATION: 8,
        Basis.REFERENCE: 15,
    }
    knowing = {one.name for one in MEASURES if one.may_know_outcome}
    assert {
        "final_similarity",
        "converged",
        "fixes_same_function",
        "correct_files_touched",
        "first_correct_edit",
    } < knowing
    assert not knowing & {"submitted", "exploration_efficiency", "lines_added", "trajectory_efficiency"}
    assert all(one.description.endswith(".") for one in MEASURES)


def test_a_name_is_looked_up_or_refused() -> None:
    assert feature("converged").category == "convergence"
    with pytest.raises(ValueError, match="'tests_passed' is not a feature"):
        feature("tests_passed")
    with pytest.raises(ValueError, match="two features have the same name"):
        named(iter([FIRST_CORRECT_EDIT, FIRST_CORRECT_EDIT]))


def test_process_features_do_not_change_with_the_reference() -> None:
    counted, blind = (
        features(trace(*MOVES), exercise) for exercise in (EXERCISE, _without_reference(EXERCISE))
    )
    for one in FEATURES:
        if one.basis is Basis.PROCESS:
            assert counted[one.name] == blind[one.name], one.name
        else:
            assert blind[one.name] is None, one.name


def _without_reference(exercise: Exercise) -> Exercise:
    return Exercise(exercise.description, None, exercise.patch, exercise.files, exercise.sources)


def test_no_feature_can_see_an_outcome() -> None:
    # All that a feature is made of comes in by two arguments, and neither has a field for what came of the run.
    assert list(inspect.signature(features).parameters) == ["trace", "exercise"]
    known = {field.name for kind in (Trace, Exercise) for field in fields(kind)}
    of_trace, of_exercise = (
        {"iterations", "faults", "responses"},
        {"description", "reference", "patch", "files"},
    )
    assert known == {*of_trace, *of_exercise, "sources"}

    tests = (TestResult("t", TestStatus.PASSED, 1.0, ""),)
    verdicts = (RunVerdict(True, "completed", tests), RunVerdict(False, "iteration_limit"))
    good, bad = (behaviour_of(trace(*MOVES), EXERCISE, verdict) for verdict in verdicts)
    assert good.features == bad.features
    assert from_json(json.loads(json.dumps(to_json(good)))) == good


def test_a_run_without_steps_has_counts_of_zero_and_no_shares() -> None:
    counted = features(trace(), OTHERWISE)
    zero = {name for name, value in counted.items() if value == 0}
    assert {name for name, value in counted.items() if value is not None} == zero
    assert {"total_tool_calls", "total_errors", "trajectory_length", "files_explored", "lines_added"} < zero
    undefined = ["submitted", "exploration_pct", "recovery_rate", "has_explicit_reasoning", "steps_per_file"]
    assert [counted[name] for name in undefined] == [None] * 5


def test_an_unreadable_patch_is_unknown_not_empty() -> None:
    bad = b"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n"
    counted = features(trace(*MOVES), Exercise("", REFERENCE, bad, ("a.py",), {}))
    names = [
        "lines_added",
        "patch_too_large",
        "fixes_same_file",
        "final_similarity",
        "location_score",
        "steps_per_file",
    ]
    assert [counted[name] for name in names] == [None] * 6


SHARES = re.compile(r"_pct$|_rate$|efficiency$|similarity$|progress$|_score$")
FLAGS = re.compile(
    r"^(has|mentions|hypo|explains|verifies|followed|converged|monotonic|had|read_|used|ran|submi|fixes)"
)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(MOVES), max_size=12),
    st.sampled_from([EXERCISE, OTHERWISE, Exercise("", REFERENCE, b"", (), {})]),
)
def test_values_stay_within_their_bounds(moves: list[Move], exercise: Exercise) -> None:
    counted = features(trace(*moves), exercise)
    assert list(counted) == [one.name for one in MEASURES]
    for name, value in counted.items():
        if value is None:
            continue
        assert value >= 0, name
        if FLAGS.search(name):
            assert value in {0.0, 1.0}, name
        elif SHARES.search(name):
            assert value <= 1, name
    phases = [counted[f"{phase}_steps"] or 0 for phase in ("exploration", "implementation", "verification")]
    assert sum(phases) <= (counted["total_tool_calls"] or 0)
    assert (counted["recovered_errors"] or 0) <= (counted["total_errors"] or 0)
    assert (counted["tool_errors_count"] or 0) <= (counted["total_errors"] or 0)
    assert (counted["stuck_episodes"] or 0) * 3 <= (counted["total_tool_calls"] or 0)


def test_counting_ends_whatever_comes() -> None:
    nested: dict[str, object] = {}
    for _ in range(3000):
        nested = {"a": nested}
    moves = [
        say("i think " * 600_000, "b" * 5_000_000),
        call("write_file", text=nested),
        call("write_file", text=nested),
        shell("npm" * 300 + " run x" * 2_000),
        *[shell("npm " + " a" * 900 + " " * 1000)] * 50,
    ]
    lines = ["a" * 1_000_000, " a" * 500_000, "(" * 1_000_000, "a=" * 500_000, "fn (" * 250_000]
    for suffix in ("py", "js"):
        patch = (
            f"--- a/a.{suffix}\n+++ b/a.{suffix}\n@@ -1 +1,{len(lines)} @@\n-x = 1\n+"
            + "\n+".join(lines)
            + "\n"
        )
        reference = REFERENCE.replace(b"a.py", f"a.{suffix}".encode())
        exercise = Exercise(
            "w " * 500_000, reference, patch.encode(), (f"a.{suffix}",), {f"a.{suffix}": "x = 1\n"}
        )
        counted = features(trace(*moves), exercise)
        assert counted["max_stuck_duration"] == 50
        assert counted["max_repetition"] == 50  # what nests too deep to be compared is like nothing else


def test_the_first_correct_edit() -> None:
    assert counted(edit("src/b.py"), missed("src/a.py"), edit("src/a.py"))["first_correct_edit"] == 3
    assert counted(edit("src/b.py"))["first_correct_edit"] is None
