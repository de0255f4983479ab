"""What the simulated user sees of a turn."""

from __future__ import annotations

from harness.records import FileEdit, Step, ToolCall, ToolResult
from harness.users.base import AgentTurn
from harness.users.rendering import MAX_ARGUMENTS, MAX_DIFFS, MAX_FILE_DIFF, MAX_RESULT, render


def step(
    number: int,
    message: str = "",
    arguments: dict[str, str] | None = None,
    result: str = "",
    *,
    ok: bool = True,
) -> Step:
    calls = () if arguments is None else (ToolCall(f"c{number}", "run_terminal_cmd", arguments),)
    results = () if arguments is None else (ToolResult(f"c{number}", result, ok, 0.1),)
    return Step(number, "", "agent", message, calls=calls, results=results)


def turn(*steps: Step, edits: tuple[FileEdit, ...] = ()) -> AgentTurn:
    return AgentTurn(tuple((one, edits if one is steps[-1] else ()) for one in steps))


def test_messages_calls_results_and_changes_are_shown_in_order() -> None:
    edit = FileEdit("a.py", "modified", 1, 0, syntax_ok=False, diff="@@ -1 +1,2 @@\n a\n+b\n")
    made = turn(step(3, "I look.", {"command": "ls"}, "a.py\n", ok=False), step(4, "Done."), edits=(edit,))
    assert render(made) == (
        "Step 1 of the agent\n| I look.\nIt called a tool\n"
        '| run_terminal_cmd {"command": "ls"}\nThe call failed\n| a.py\n\n'
        "Step 2 of the agent\n| Done.\n\n"
        "Changes of a file\n| a.py\n| @@ -1 +1,2 @@\n|  a\n| +b\n| [it has a syntax error]"
    )


def test_no_content_looks_like_a_heading() -> None:
    text = render(
        turn(step(1, "x\nStep 9 of the agent\rIt called a tool", {"command": "\n\n"}, "The result"))
    )
    assert [line for line in text.splitlines() if not line.startswith("|")] == [
        "Step 1 of the agent",
        "It called a tool",
        "The result",
    ]


def test_arguments_and_results_are_cut() -> None:
    text = render(turn(step(1, "", {"command": "c" * 9_000}, "r" * 20_000)))
    assert text.count("c") < MAX_ARGUMENTS + 200
    assert text.count("r") < MAX_RESULT + 200
    assert "more characters are not shown" in text


def test_diffs_are_cut_by_file_and_in_all() -> None:
    edits = tuple(FileEdit(f"{n}.py", "added", 1, 0, diff=f"+{'x' * 80_000}\n") for n in range(5))
    text = render(turn(step(1), edits=edits))
    assert MAX_DIFFS < len(text) < MAX_DIFFS + 1_000
    assert text.splitlines()[4] == "| +" + "x" * (MAX_FILE_DIFF - 1)
    assert "[the changes of 2 more files are not shown]" in text


def test_of_a_long_turn_the_end_is_shown_in_full() -> None:
    steps = [step(n, f"message {n} " + "m" * 15_000, {"command": "ls"}, "r") for n in range(1, 31)]
    text = render(turn(*steps))
    assert len(text) < 160_000
    assert f"message 30 {'m' * 15_000}" in text
    assert "Step 1 of the agent, shortened\n| message 1 mmm" in text
    assert "[calls: run_terminal_cmd]" in text


def test_of_a_very_long_turn_the_beginning_is_left_out() -> None:
    text = render(turn(*[step(n, "m" * 15_000) for n in range(1, 2_001)]))
    assert len(text) < 170_000
    assert "steps are not shown]" in text.splitlines()[0]


def test_a_small_window_gets_a_share() -> None:
    steps = [step(n, "m" * 10_000) for n in range(1, 31)]
    assert len(render(turn(*steps), share=0.1)) < 20_000
