"""What is counted of one run's calls."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.records import FileEdit, Step, StepEdits, ToolCall, ToolResult
from runs.analysis.behaviour import behaviour_of, from_json, to_json
from runs.analysis.facts import ToolTotals, ToolUse
from runs.analysis.tools.use import named, tool_use
from runs.analysis.trajectories.trace import Exercise, Trace, trace_of
from runs.analysis.trajectories.verdict import RunVerdict


def made_call(
    tool: str, *, ok: bool = True, seconds: float = 0.5, returned: bool = True, **arguments: Any
) -> Any:
    return tool, arguments, (ok, seconds) if returned else None


def step(number: int, *calls: Any) -> Step:
    made = tuple(ToolCall(f"{number}-{i}", tool, arguments) for i, (tool, arguments, _) in enumerate(calls))
    results = tuple(
        ToolResult(call.id, "", result[0], result[1])
        for call, (_, _, result) in zip(made, calls, strict=True)
        if result
    )
    return Step(number, "", "agent", "", calls=made, results=results)


def trace(*steps: Step, edited: int | None = None) -> Trace:
    edits = {edited: StepEdits(edited, (FileEdit("a.py", "modified", 1, 1),))} if edited else {}
    return trace_of(steps, edits)


def test_an_editor_counts_as_a_tool_for_each_of_its_commands() -> None:
    editor = "str_replace_editor"
    use = tool_use(
        trace(
            step(1, made_call(editor, command="view")), step(2, made_call(editor, command="insert")), edited=2
        )
    )

    assert use.bigrams == {("str_replace_editor view", "str_replace_editor insert"): 1}
    assert (use.before_first_edit, use.before_first_change) == (1, 1)
    assert named("x" * 100, {"command": "view"}) == "x" * 60


def test_calls_are_counted_by_tool_and_by_their_neighbours_across_steps() -> None:
    use = tool_use(
        trace(
            step(1, made_call("list_dir"), made_call("read_file", seconds=0.25)),
            step(2),
            step(3, made_call("read_file", ok=False, seconds=0.5)),
            step(4, made_call("edit_file")),
            step(5, made_call("read_file", seconds=0.25)),
            edited=4,
        )
    )

    # list_dir, read_file, read_file, edit_file, read_file: four neighbours, three triples.
    assert use.totals == {
        "list_dir": ToolTotals(1, 0, 0.5, 0, 1),
        "read_file": ToolTotals(3, 1, 1.0, 0, 3),
        "edit_file": ToolTotals(1, 0, 0.5, 0, 1),
    }
    assert use.bigrams == {
        ("list_dir", "read_file"): 1,
        ("read_file", "read_file"): 1,
        ("read_file", "edit_file"): 1,
        ("edit_file", "read_file"): 1,
    }
    assert use.trigrams == {
        ("list_dir", "read_file", "read_file"): 1,
        ("read_file", "read_file", "edit_file"): 1,
        ("read_file", "edit_file", "read_file"): 1,
    }
    # Step 2 called nothing, step 1 two tools, three steps one each.
    assert use.parallel == {2: 1, 1: 3}
    assert use.phases == {"exploration": 4, "implementation": 1}
    assert (use.before_first_edit, use.before_first_change) == (3, 3)
    # One read failed.
    assert use.opening.lower() == "rrrer"
    assert use.opening.count("R") == 1


def test_a_shell_that_changes_files_edits_before_any_edit_tool_does() -> None:
    sed = made_call("run_terminal_cmd", command="sed -i s/a/b/ a.py")
    use = tool_use(
        trace(step(1, made_call("read_file")), step(2, sed), step(3, made_call("edit_file")), edited=2)
    )

    assert (use.before_first_edit, use.before_first_change) == (2, 1)


def test_a_run_without_an_edit_has_no_calls_before_it_rather_than_none() -> None:
    use = tool_use(trace(step(1, made_call("read_file"))))

    assert (use.before_first_edit, use.before_first_change) == (None, None)
    assert tool_use(Trace(())) == ToolUse()


def test_calls_without_result_refused_and_oddly_timed_are_distinguished() -> None:
    use = tool_use(
        trace(
            step(1, made_call("read_file", ok=False, seconds=0.0)),
            step(2, made_call("read_file", seconds=-1.0), made_call("read_file", seconds=math.nan)),
            step(3, made_call("read_file", seconds=2.0), made_call("read_file", returned=False)),
        )
    )

    # Five calls: one refused, one without a result; a valid duration for one only.
    assert use.totals == {"read_file": ToolTotals(calls=5, failed=1, seconds=2.0, unanswered=1, timed=1)}


def test_a_call_of_which_no_one_knows_whether_it_failed_is_unjudged() -> None:
    known, unknown = ToolResult("1", "", False, None), ToolResult("2", "", None, None)
    calls = (ToolCall("1", "bash", {}), ToolCall("2", "bash", {}), ToolCall("3", "bash", {}))
    (total,) = tool_use(trace_of([Step(1, "", "agent", "", "", calls, (known, unknown))], {})).totals.values()

    assert total == ToolTotals(calls=3, failed=1, seconds=0.0, unanswered=1, timed=0, unjudged=1)
    assert total.judged == 1


def test_names_that_models_invent_are_stored_in_a_valid_form() -> None:
    assert named("read_file") == "read_file"
    assert named("read\tfile\n now") == "read file now"
    assert named(" \n") == "(unnamed)"
    assert named("x" * 1000) == "x" * 60


names = st.sampled_from(["read_file", "edit_file", "run_terminal_cmd", "", "a\tb", "grep\n"]) | st.text(
    max_size=8
)
runs = st.lists(st.lists(st.tuples(names, st.booleans(), st.booleans()), max_size=4), max_size=8)


@settings(max_examples=60)
@given(runs)
def test_counts_of_any_run_fit_together_and_survive_storage(
    steps: list[list[tuple[str, bool, bool]]],
) -> None:
    traced = trace(
        *(
            step(number, *(made_call(tool, ok=ok, returned=returned) for tool, ok, returned in calls))
            for number, calls in enumerate(steps, 1)
        )
    )
    use = tool_use(traced)
    calls = sum(map(len, steps))

    assert sum(total.calls for total in use.totals.values()) == calls
    assert sum(use.bigrams.values()) == max(0, calls - 1)
    assert sum(use.trigrams.values()) == max(0, calls - 2)
    assert sum(size * count for size, count in use.parallel.items()) == calls
    assert sum(use.phases.values()) == calls
    assert all(total.failed + total.unanswered <= total.calls for total in use.totals.values())
    counted = behaviour_of(traced, Exercise(), RunVerdict(resolved=True, ending="completed"))
    assert from_json(json.loads(json.dumps(to_json(counted)))) == counted
