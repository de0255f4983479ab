"""The choices of the step filter."""

from __future__ import annotations

from pathlib import Path

from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from tests.runs.data.replay.tapes import step, write


def test_the_filter_choices_are_tools_and_files(steps: Outline) -> None:
    tools, files = steps.filter_choices
    assert tools == [("read_file", 2), ("run_terminal_cmd", 2), ("edit_file", 1), ("read", 1)]
    assert files == ["out.txt", "src/a.py", "src/b.py"]


def test_only_the_tools_and_files_of_the_most_steps_are_offered(directory: Path) -> None:
    often = [step(number, "often", {"path": "z.py"}) for number in (1, 2)]
    once = [step(number, f"tool_{number:03}", {"path": f"{number:03}.py"}) for number in range(3, 103)]
    write(directory, [*often, *once])
    with outline(directory) as found:
        tools, files = found.filter_choices
    assert tools == [("often", 2), *((f"tool_{number:03}", 1) for number in range(3, 42))]
    assert files == [*(f"{number:03}.py" for number in range(3, 82)), "z.py"]


def test_a_run_without_calls_offers_nothing(directory: Path) -> None:
    write(directory, [step(1)])
    with outline(directory) as found:
        assert found.filter_choices == ([], [])
