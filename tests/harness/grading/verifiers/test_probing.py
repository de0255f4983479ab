"""Verifiers that cannot fail, found on this host."""

from __future__ import annotations

from harness.dataset.verifier_kinds import BuildTask, NoChanges, RunTests
from harness.grading.verifiers.probing import unfailing
from harness.sandbox.base import ContainerUse
from tests.harness.grading.verifiers.conftest import OWNER, Run


def test_commands_that_pass_without_any_file_are_named(run: Run) -> None:
    verifiers = [
        NoChanges("nothing changes"),
        BuildTask("a build that does nothing", "echo built"),
        BuildTask("a build", "python3 -c 'import sys; sys.path.append(\".\"); import calc.sums'"),
        RunTests("the tests"),
    ]
    found = unfailing(run.engine, run.repository, run.task, verifiers, use=ContainerUse(OWNER), seconds=20.0)
    assert found == ("a build that does nothing",)


def test_without_commands_nothing_runs(run: Run) -> None:
    verifiers = [NoChanges("nothing changes")]
    assert (
        unfailing(run.engine, run.repository, run.task, verifiers, use=ContainerUse(OWNER), seconds=1.0) == ()
    )
