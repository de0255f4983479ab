"""Finding the changed functions, and repairing them."""

from __future__ import annotations

import pytest

from runs.analysis.difficulty.diagnosis import diagnoses
from tests.runs.analysis.difficulty.generated_runs import generated


def test_repair_is_measured_where_the_targets_were_found() -> None:
    runs = [
        *generated("alice", "pier/a", "++-", "corrupted", 1, targets_found=True),
        *generated("alice", "pier/a", "-", "corrupted", 11, targets_found=False),
        *generated("alice", "quay/b", "-", "corrupted", 21, targets_found=False, solved_elsewhere=True),
        *generated("alice", "quay/b", "-", "corrupted", 31, targets_found=True, solved_elsewhere=True),
    ]
    (alice,) = diagnoses(runs).agents
    # At a, three of four runs found the fault and two of them repaired it; at b one of two found it, none repaired it.
    assert (alice.found.value, alice.found.n) == ((3 / 4 + 1 / 2) / 2, 2)
    assert (alice.solved.value, alice.repaired.value) == (0.25, (2 / 3 + 0) / 2)
    # The last run passes all tests and changed the target, which is enough for the paper.
    assert alice.solved_by_paper.value == (1 / 2 + 1 / 2) / 2
    assert alice.elsewhere.value == (0 + 1) / 2
    assert (alice.runs, alice.runs_found) == (6, 4)


def test_without_a_run_that_found_the_targets_repair_is_undefined() -> None:
    runs = generated("alice", "pier/a", "-", "corrupted", targets_found=False)
    (alice,) = diagnoses(runs).agents
    assert (alice.found.value, alice.repaired.reason) == (0, "no run changed every target")
    unknown = diagnoses(generated("alice", "pier/a", "+"))
    assert unknown.agents == ()
    assert unknown.excluded[0].reason == "whether it changed the right functions is unknown"
    with pytest.raises(ValueError, match="several origins"):
        diagnoses([*runs, *generated("alice", "pier/b", "+")])
