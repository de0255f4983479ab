"""The sums over an external trajectory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runs.transfer.record_counts import TrajectoryTotals, trajectory_totals
from runs.transfer.record_reading import RecordRefused
from tests.runs.transfer.made_records import PATCH, Elsewhere

SITE = Elsewhere("0" * 64, tuple("abcdefgh"), PATCH)


def test_steps_calls_tokens_and_costs_are_summed(tmp_path: Path) -> None:
    SITE.write(tmp_path / "run", steps=4)
    assert trajectory_totals(tmp_path / "run", SITE.identity) == TrajectoryTotals(
        steps=4,
        agent_steps=3,
        calls=3,
        results=3,
        failed=1,
        prompt_tokens=300,
        completion_tokens=30,
        cached_tokens=120,
        reasoning_tokens=15,
        cost_usd=0.375,
        seconds=2.25,
    )


def test_no_trajectory_has_no_sums(tmp_path: Path) -> None:
    assert trajectory_totals(tmp_path, SITE.identity) == TrajectoryTotals()


@pytest.mark.parametrize(
    ("name", "value"),
    [("agent", "other"), ("attempt", 2), ("model", ""), ("settings", {}), ("task", "other")],
)
def test_the_header_is_that_of_the_run(tmp_path: Path, name: str, value: object) -> None:
    SITE.write(tmp_path / "run")
    with pytest.raises(RecordRefused, match=f"it is the trajectory of another run: {name} is"):
        trajectory_totals(tmp_path / "run", replace(SITE.identity, **{name: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize("step", ["4", "0", "2"])
def test_edits_belong_to_steps_in_order(tmp_path: Path, step: str) -> None:
    path = SITE.write(tmp_path / "run") / "edits.jsonl"
    line = path.read_text()
    path.write_text(line + line.replace('"step_id": 2', f'"step_id": {step}'))
    with pytest.raises(RecordRefused, match=r"edits\.jsonl, line 2: .*step_id"):
        trajectory_totals(tmp_path / "run", SITE.identity)


def test_a_step_has_a_measurement_for_each_result(tmp_path: Path) -> None:
    path = SITE.write(tmp_path / "run") / "trajectory.jsonl"
    path.write_text(
        path.read_text().replace('"results": [{"ok"', '"results": [{"ok": true, "seconds": 0}, {"ok"')
    )
    with pytest.raises(RecordRefused, match="line 3: has 1 results, but 2 measurements"):
        trajectory_totals(tmp_path / "run", SITE.identity)
