"""What two generations are compared by."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.generation_kills import contents, differences


def written(directory: Path, *, seconds: float, start: str) -> Path:
    for name, value in (
        (
            "calc/tasks/a/proof.json",
            {
                "repeats": 3,
                "proved_at": f"at {seconds}",
                "ceiling_seconds": seconds,
                "traps": {"known": [{"key": "t/1", "seconds": seconds}]},
            },
        ),
        ("candidates/calc/0a.json", {"key": "0a", "screening": {"failing": ["t"], "cpu_seconds": seconds}}),
    ):
        path = directory / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(value))
    (directory / "calc/tasks/a/start.diff").write_text(start)
    (directory / "candidates/calc/.lock").touch()
    return directory


def test_measured_times_are_left_out_and_all_else_is_compared(tmp_path: Path) -> None:
    first = contents(written(tmp_path / "first", seconds=1.5, start="-a"))
    assert differences(first, contents(written(tmp_path / "same", seconds=2.5, start="-a"))) == []
    other = contents(written(tmp_path / "other", seconds=1.5, start="-b"))
    assert differences(first, other) == ["differs: calc/tasks/a/start.diff"]
    del other["candidates/calc/0a.json"]
    other["candidates/calc/0b.json"] = {}
    assert differences(first, other) == [
        "missing: candidates/calc/0a.json",
        "too many: candidates/calc/0b.json",
        "differs: calc/tasks/a/start.diff",
    ]
