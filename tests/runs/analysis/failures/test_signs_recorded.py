"""Signs in the runs of a real model that ship with the project."""

from __future__ import annotations

from pathlib import Path

from harness.records import Outcome, RunRecord
from runs.analysis.failures.signs import signs
from runs.analysis.trajectories.trace import Exercise, trace_of
from runs.analysis.trajectories.verdict import RunVerdict, iteration_limit_of
from runs.transfer.unpacking import unpack

ARCHIVE = Path(__file__).parents[4] / "runs" / "recorded" / "small-model-on-netflow.tar.xz"


def test_a_small_model_is_stuck_and_its_iterations_run_out(tmp_path: Path) -> None:
    unpack(ARCHIVE, tmp_path)
    found = {}
    for path in tmp_path.rglob("run_summary.json"):
        record = RunRecord(path.parent)
        summary = record.summary()
        assert summary is not None
        verdict = RunVerdict(
            summary.outcome is Outcome.RESOLVED,
            summary.ending,
            record.tests(),
            iteration_limit=iteration_limit_of(summary),
        )
        exercise = Exercise(patch=record.patch(), files=("netflow/cli.py", "README.md"))
        found[summary.identity.task] = signs(
            trace_of(record.steps(), dict(record.edits_by_step())), exercise, verdict
        )

    # Six iterations were allowed. It requested missing files, or the same listing again.
    assert found["count-wire-bytes"].found == {
        "iteration_exhaustion": (8,),
        "tool_call_failures": (3, 4, 5, 6, 7, 8),
        "excessive_exploration": (3, 4, 5, 6, 7, 8),
        "insufficient_context": (),
        "stuck_in_loop": (5, 6, 7, 8),
        "no_submission": (8,),
    }
    assert found["decode-ipv6"].found == {
        "iteration_exhaustion": (8,),
        "excessive_exploration": (3, 4, 5, 6, 7, 8),
        "insufficient_context": (),
        "stuck_in_loop": (6, 7, 8),
        "no_submission": (8,),
    }
