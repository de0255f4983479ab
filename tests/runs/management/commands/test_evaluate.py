"""Two directories of runs are compared, and the exit status says what came out."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from harness.records import SUMMARY, TRAJECTORY, Outcome
from tests.runs.judging.regression_checks.members import WHO, run_summary
from tests.runs.tiny import write_run

SCENARIOS = 8


def runs(directory: Path, *, lost: int = 0, scenarios: int = SCENARIOS, **more: Any) -> Path:
    """A directory with a run of each scenario."""
    for number in range(scenarios):
        who = replace(WHO, run_id=f"night/alice/{number}", task=f"s{number}.default")
        changes = {**more, **({"outcome": Outcome.INFRASTRUCTURE_FAILED} if number < lost else {})}
        write_run(directory / str(number) / "try-1", run_summary(identity=who, **changes))
    return directory


def evaluate(candidate: Path, anchor: Path, *more: str) -> tuple[int, str]:
    """Exit status and output."""
    out = StringIO()
    try:
        call_command("evaluate", str(candidate), "--against", str(anchor), *more, stdout=out)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({}, 0, "no regression shown: None of 4 tested quantities became worse."),
        ({"outcome": Outcome.UNRESOLVED}, 1, "regression: Became worse: Formal verification."),
        ({"act_seconds": 60.0}, 1, "regression: Became worse: Time."),
        ({"environment": {"limits": {"iterations": 3}}}, 2, "not comparable: The limits differ: "),
        ({"scenarios": 2}, 2, "not comparable: No quantity could be tested: "),
        ({"lost": 2, "outcome": Outcome.UNRESOLVED}, 3, "infrastructure failed: "),
    ],
)
def test_the_exit_status_says_the_verdict(
    tmp_path: Path, changes: dict[str, Any], status: int, words: str
) -> None:
    anchor, candidate = runs(tmp_path / "anchor"), runs(tmp_path / "candidate", **changes)
    found, output = evaluate(candidate, anchor, "--fail-on-regression")
    assert (found, output.startswith(words)) == (status, True), output
    assert evaluate(candidate, anchor)[0] == 0


def test_each_quantity_is_a_line(tmp_path: Path) -> None:
    anchor, candidate = runs(tmp_path / "anchor"), runs(tmp_path / "candidate", outcome=Outcome.UNRESOLVED)
    lines = evaluate(candidate, anchor)[1].splitlines()
    assert len(lines) == 12
    assert lines[1].startswith("  Formal verification: worse, difference -1 (95 % ")
    assert lines[1].endswith("8 scenarios, corrected p 0.016")


def test_runs_that_did_not_end_are_lost(tmp_path: Path) -> None:
    anchor, candidate = runs(tmp_path / "anchor"), runs(tmp_path / "candidate")
    for number in (0, 1):
        (candidate / str(number) / "try-1" / SUMMARY).unlink()
    status, output = evaluate(candidate, anchor, "--fail-on-regression")
    assert status == 3
    assert f"{candidate}: 2 of 8 runs have no verdict" in output


def test_what_only_one_set_has_is_said(tmp_path: Path) -> None:
    anchor, candidate = runs(tmp_path / "anchor", scenarios=9), runs(tmp_path / "candidate")
    assert "1 scenario with its persona is in one of the sets only" in evaluate(candidate, anchor)[1]


@pytest.mark.parametrize("name", [TRAJECTORY, SUMMARY])
def test_records_that_nobody_can_read_are_not_comparable(tmp_path: Path, name: str) -> None:
    candidate = runs(tmp_path / "candidate")
    (candidate / "0" / "try-1" / name).write_text("[" * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(CommandError, match="recursion depth") as refused:
        evaluate(candidate, runs(tmp_path / "anchor"), "--fail-on-regression")
    assert refused.value.returncode == 2


def test_a_fault_of_the_comparison_is_no_regression(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no runs")

    monkeypatch.setattr("runs.management.commands.evaluate.compare_sets", fails)
    with pytest.raises(CommandError, match="ZeroDivisionError: no runs") as refused:
        evaluate(runs(tmp_path / "one"), runs(tmp_path / "other"), "--fail-on-regression")
    assert refused.value.returncode == 3


def test_an_unreadable_directory_is_not_comparable(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no directory") as refused:
        evaluate(tmp_path, tmp_path / "nowhere")
    assert refused.value.returncode == 2
