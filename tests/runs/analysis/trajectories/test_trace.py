"""A trajectory as analysis reads it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from harness.records import FileEdit, Metrics, Step, StepEdits, ToolCall, ToolResult
from runs.analysis.iterations.shares import label_of
from runs.analysis.trajectories.trace import trace_of


def step(
    number: int, *calls: tuple[str, dict[str, str]], seconds: float = 1.0, returned: bool = True
) -> Step:
    made = tuple(ToolCall(f"{number}-{i}", name, arguments) for i, (name, arguments) in enumerate(calls))
    results = tuple(ToolResult(call.id, "fine", True, seconds) for call in made) if returned else ()
    return Step(number, "", "agent", "So be it.", calls=made, results=results)


def shell(command: str) -> tuple[str, dict[str, str]]:
    return "run_terminal_cmd", {"command": command}


def built(path: str) -> FileEdit:
    return FileEdit(path, "added", 0, 0, binary=True)


def edit(path: str) -> FileEdit:
    return FileEdit(path, "modified", 1, 1)


def test_only_the_agents_steps_are_iterations() -> None:
    steps = [Step(1, "", "system", "S"), Step(2, "", "user", "U"), step(3, ("read_file", {"path": "a.py"}))]
    trace = trace_of(steps, {})

    assert [(i.number, i.step_id) for i in trace.iterations] == [(1, 3)]
    assert trace.calls[0].paths == ("a.py",)
    assert trace.calls[0].phase == "exploration"
    assert trace.faults == ()


def test_what_a_shell_changed_is_an_edit() -> None:
    sed = ("run_terminal_cmd", {"command": "sed -i s/a/b/ a.py"})
    trace = trace_of([step(1, sed), step(2, sed)], {1: StepEdits(1, (edit("a.py"),))})

    first, second = trace.iterations
    assert (first.attempts_edit, first.calls[0].phase) == (True, "implementation")
    assert (second.attempts_edit, second.calls[0].phase) == (False, "verification")


def test_an_editor_that_shows_a_file_reads_it() -> None:
    view, create = ({"command": command, "path": "/app/a.py"} for command in ("view", "create"))
    trace = trace_of([step(1, ("str_replace_editor", view)), step(2, ("str_replace_editor", create))], {})

    assert [(call.kind, call.phase, call.paths) for call in trace.calls] == [
        ("read", "exploration", ("a.py",)),
        ("edit", "implementation", ("a.py",)),
    ]
    assert [each.attempts_edit for each in trace.iterations] == [False, True]


@pytest.mark.parametrize(
    ("calls", "changed", "counts"),
    [
        ([shell("make")], [built("a.o")], []),
        ([shell("make")], [built("a.o"), edit("a.c")], ["a.c"]),
        ([], [built("a.o"), edit("a.c")], ["a.c"]),
        ([("write_file", {"path": "a.png"})], [built("a.png"), built("cache")], ["a.png", "cache"]),
        ([("write_file", {"path": "a.png"}), shell("make")], [built("a.png"), built("a.o")], ["a.png"]),
        ([("apply_patch", {"input": ""}), shell("make")], [built("a.png"), built("a.o")], ["a.png", "a.o"]),
        ([("read_file", {"path": "a.o"}), shell("make")], [built("a.o")], []),
    ],
)
def test_what_a_build_leaves_behind_is_no_change(
    calls: list[tuple[str, dict[str, str]]], changed: list[FileEdit], counts: list[str]
) -> None:
    [found] = trace_of([step(1, *calls)], {1: StepEdits(1, tuple(changed))}).iterations
    edits = any(call.kind == "edit" for call in found.calls)

    assert [file.path for file in found.changes] == counts
    assert found.edits == tuple(changed)
    assert found.attempts_edit is (bool(counts) or edits)
    assert label_of(found) == ("p" if counts else "e")
    acting = {call.phase for call in found.calls if call.kind == "run"} - {"verification"}
    assert acting == ({"implementation"} if counts and not edits and calls else set())


def test_a_shell_call_beside_an_edit_tool_stays_a_verification() -> None:
    both = step(1, ("write_file", {"path": "a.py"}), ("run_terminal_cmd", {"command": "make"}))
    trace = trace_of([both], {1: StepEdits(1, (edit("a.py"),))})

    assert [call.phase for call in trace.calls] == ["implementation", "verification"]


def test_what_is_wrong_with_a_record_is_said_and_nothing_is_lost() -> None:
    look = ("read_file", {"path": "a.py"})
    trace = trace_of(
        [
            step(1, look),
            step(4, look, seconds=-2.0),
            step(4, look, seconds=math.nan),
            step(5, look, seconds=1e308),
        ],
        {},
    )

    assert len(trace.iterations) == 4
    assert [call.seconds for call in trace.calls] == [1.0, 0.0, 0.0, 0.0]
    assert trace.faults == (
        "step 2 is missing",
        "step 3 is missing",
        "a call in step 4 took -2.0 seconds",
        "step 4 comes again",
        "a call in step 4 took nan seconds",
        "a call in step 5 took 1e+308 seconds",
    )


def test_a_call_without_a_result_did_not_work() -> None:
    trace = trace_of([step(1, ("read_file", {"path": "a.py"}), returned=False)], {})

    assert (trace.calls[0].returned, trace.calls[0].ok) == (False, False)


def changes_of(
    *steps: tuple[tuple[tuple[str, dict[str, str]], ...], tuple[FileEdit, ...]],
) -> list[list[str]]:
    """Of each step, given as calls and what they changed, the files that count as work."""
    trace = trace_of(
        [step(number, *calls) for number, (calls, _) in enumerate(steps, 1)],
        {number: StepEdits(number, files) for number, (_, files) in enumerate(steps, 1)},
    )
    return [[file.path for file in iteration.changes] for iteration in trace.iterations]


def text(path: str) -> FileEdit:
    return FileEdit(path, "added", 9, 0)


def test_texts_that_a_build_or_a_test_adds_are_no_work() -> None:
    test, look = shell("make test 2>&1 | tail"), shell("ls")

    assert changes_of(((test,), (text("a.d"), text("report.xml")))) == [[]]
    assert changes_of(((look, test), (text("a.d"),)), ((test,), (edit("a.d"),))) == [[], []]
    # Nor is it work to clear them away, unless an edit took them over.
    assert changes_of(((test,), (text("a.d"),)), ((shell("rm a.d"),), (edit("a.d"), edit("a.c")))) == [
        [],
        ["a.c"],
    ]
    write = ("write_file", {"path": "a.d"})
    assert changes_of(((test,), (text("a.d"),)), ((write,), (edit("a.d"),)), ((test,), (edit("a.d"),))) == [
        [],
        ["a.d"],
        ["a.d"],
    ]


def test_texts_that_anything_else_adds_are_work() -> None:
    assert changes_of(((shell("cp a.c b.c"),), (text("b.c"),))) == [["b.c"]]
    assert changes_of(((shell("cp a.c b.c && make"),), (text("b.c"),))) == [["b.c"]]
    assert changes_of(((shell("make"), shell("cp a.c b.c")), (text("b.c"),))) == [["b.c"]]
    assert changes_of(((shell("make format"),), (edit("a.c"),))) == [["a.c"]]
    assert changes_of((((("Task", {"prompt": "do it"})),), (text("b.c"),))) == [["b.c"]]


def test_a_test_verifies_whatever_it_leaves_behind() -> None:
    def phases(files: tuple[FileEdit, ...], *commands: str) -> list[str]:
        trace = trace_of([step(1, *map(shell, commands))], {1: StepEdits(1, files)})
        return [call.phase for call in trace.calls]

    assert phases((built("a.o"),), "make test") == ["verification"]
    assert phases((text("a.d"),), "make test") == ["verification"]
    assert phases((edit("a.c"),), "make format") == ["implementation"]
    # What else was in the step made the change.
    assert phases((edit("a.c"),), "make test", "sed -i s/a/b/ a.c", "ls") == [
        "verification",
        "implementation",
        "exploration",
    ]


def test_a_response_is_all_that_the_agent_does_after_one_message_of_the_user() -> None:
    read = ("read_file", {"path": "a.py"})
    paid = replace(step(3, read), metrics=Metrics(seconds=0.5, cost_usd=0.25))
    steps = [Step(1, "", "user", "U"), paid, step(4, read, read), Step(5, "", "user", "U"), step(6)]
    assert trace_of(steps, {}).responses == ((3.5, 0.25), (0.0, 0.0))

    unpriced = replace(paid, metrics=Metrics(seconds=math.nan))
    assert trace_of([unpriced, step(4, read)], {}).responses == ((None, None),)
    assert trace_of([Step(1, "", "user", "U")], {}).responses == ()
