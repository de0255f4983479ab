"""Owners are stored in the labels of their containers."""

from __future__ import annotations

from harness.sandbox.base import Owner, ProgramHost
from harness.sandbox.local import LocalWorkspace
from harness.sandbox.toolbox import EquippedWorkspace
from harness.sandbox.workspace import DockerWorkspace


def test_labels_name_the_instance_the_run_and_its_try() -> None:
    assert Owner("site", "e/a/r/t/1", 3).labels() == {
        "benchbench.instance": "site",
        "benchbench.run": "e/a/r/t/1",
        "benchbench.try": "3",
    }
    assert Owner("site", "run") == Owner("site", "run", 1)


def test_only_a_workspace_in_a_container_of_its_own_is_a_host_of_programs() -> None:
    kinds = (DockerWorkspace, EquippedWorkspace, LocalWorkspace)
    assert [issubclass(kind, ProgramHost) for kind in kinds] == [True, False, False]
