"""The overview of all steps of a run."""

from __future__ import annotations

from pathlib import Path

from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from runs.data.replay.overview_strip import Slot, paths_of
from tests.runs.data.replay.tapes import step, write


def test_the_strip_has_a_limited_number_of_slots(data_directory: Path) -> None:
    directory = data_directory / "runs" / "y" / "try-1"
    write(directory, [step(n, "read_file", {"path": "a"}, ok=n != 2) for n in range(1, 4)])
    with outline(directory) as found:
        assert (found.strip.size, found.strip.slots) == (1, 3)
        assert [(kind, drawn.count("M")) for kind, drawn in found.strip.paths] == [("read", 2), ("failed", 1)]
    write(directory, [step(n) for n in range(4, 1001)])
    with outline(directory) as found:
        assert (found.strip.size, found.strip.slots) == (4, 250)
        bars = [(kind, drawn.count("M")) for kind, drawn in found.strip.paths]
        assert bars == [("read", 1), ("other", 250), ("failed", 1)]


def test_the_strip_distinguishes_failed_commands_from_failed_calls(steps: Outline) -> None:
    assert [(kind, drawn.count("M")) for kind, drawn in steps.strip.paths] == [
        ("read", 3),
        ("other", 1),
        ("edit", 1),
        ("ended", 1),
        ("failed", 1),
    ]


def test_the_strip_divides_a_slot_by_kind_and_puts_failures_on_top() -> None:
    slots = [Slot(4.0, {"read": 1, "failed": 1}), Slot(1.0, {"edit": 2})]
    assert paths_of(slots) == [
        ("read", "M0 18h53.8v18h-53.8z"),
        ("edit", "M62.5 15.5h53.8v20.5h-53.8z"),
        ("failed", "M0 0h53.8v18h-53.8z"),
    ]
    assert paths_of([]) == []
