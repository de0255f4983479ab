"""Failure modes of the failed runs of each group."""

from __future__ import annotations

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.failures.groups import GroupFailures, group_failures, mode_distribution
from runs.analysis.failures.sign_table import sign_table
from tests.runs.analysis.failures.signed_runs import share, shows

USABLE = (
    shows(1, "loop"),
    shows(2, "loop", outcome="resolved"),
    shows(3, undecided=["loop"], agent="bob"),
    shows(4, agent="bob"),
)
BROKEN = shows(5, "loop", outcome="infrastructure_failed", agent="carol")


def groups(*given: int, plain: int = 0) -> tuple[GroupFailures, ...]:
    """The groups by agent of the runs with these numbers; run `plain` shows no mode."""
    table = sign_table([run for run in USABLE if run.run in given], ["loop"])
    rows = np.array([run.run == plain for run in table.runs], dtype=np.bool_)
    everything = [run for run in (*USABLE, BROKEN) if run.run in given]
    return group_failures(table, everything, rows, lambda run: run.agent)


def test_each_group_counts_its_own_runs() -> None:
    alice, bob, carol = groups(1, 2, 3, 4, 5, plain=4)
    # Run 1 of the one failed run; the resolved one is not counted.
    assert alice == GroupFailures("alice", 1, 1, 0, 0, {"loop": share(1, 1)}, {"loop": 1})
    # Run 3 is undecided, so the mode is in none of one.
    assert bob == GroupFailures("bob", 2, 0, 0, 1, {"loop": share(0, 1)}, {"loop": 0})
    # An infrastructure failure is no failed run, and its signs do not count.
    nothing = Estimate.unknown("no run failed")
    assert carol == GroupFailures("carol", 0, 0, 1, 0, {"loop": nothing}, {"loop": 0})


def test_a_share_is_undefined_if_no_failed_run_is_decided() -> None:
    (bob,) = groups(3)
    assert bob.prevalence == {"loop": Estimate.unknown("the mode could be decided in no failed run")}


def test_a_group_of_resolved_runs_has_no_share() -> None:
    (alice,) = groups(2)
    assert (alice.failed, alice.resolved) == (0, 1)
    assert alice.prevalence == {"loop": Estimate.unknown("no run failed")}


def test_no_run_gives_no_group() -> None:
    assert groups() == ()


def test_the_runs_that_show_a_mode_are_distributed_over_groups() -> None:
    found = groups(1, 2, 3, 4)
    # Of three failed runs, one is alice's; she has the only one that shows the mode.
    assert mode_distribution(found, "loop") == {"alice": Estimate(1, 1), "bob": Estimate(0, 1)}
    assert mode_distribution(found) == {"alice": Estimate(1 / 3, 3), "bob": Estimate(2 / 3, 3)}
    nothing = Estimate.unknown("no failed run shows the mode")
    assert mode_distribution(found, "another") == {"alice": nothing, "bob": nothing}
