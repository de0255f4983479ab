"""How many runs are in which state."""

from __future__ import annotations

from runs.models import Run
from runs.work.progress.run_counts import RunTally, cells, states, tallies
from tests.runs.work.progress.sums import FAILED, RESOLVED, UNRESOLVED, one_of_each, sums


def test_every_run_is_counted_in_its_state() -> None:
    tally = tallies(one_of_each(), lambda _row: "all")["all"]
    assert tally == RunTally(total=36, finished=3, resolved=1, failed=3, active=15, cancelled=8)
    assert (tally.done, tally.to_come, tally.queued) == (6, 22, 7)
    assert tally.rate == 1 / 3


def test_without_runs_all_counts_are_zero_and_there_is_no_rate() -> None:
    tally = tallies([], lambda row: row.agent)[7]
    assert tally == RunTally()
    assert (tally.done, tally.to_come, tally.queued, tally.rate) == (0, 0, 0, None)


def test_runs_that_the_infrastructure_failed_have_no_share_in_the_rate() -> None:
    tally = tallies([sums(9, FAILED)], lambda _row: 0)[0]
    assert (tally.done, tally.rate) == (9, None)


def test_finished_runs_of_unknown_outcome_are_done_and_neither_resolved_nor_unresolved() -> None:
    tally = tallies([sums(1, RESOLVED), sums(3, "")], lambda _row: 0)[0]
    assert (tally.done, tally.rate) == (4, 1.0)
    assert [(part.name, part.n) for part in tally.bar] == [("resolved", 1), ("unknown", 3)]


def test_tallies_are_separate_for_each_key() -> None:
    found = tallies([sums(1, RESOLVED, agent=1), sums(2, RESOLVED, agent=2)], lambda row: row.agent)
    assert {key: tally.resolved for key, tally in found.items()} == {1: 1, 2: 2}


def test_runs_of_a_state_are_added_whatever_their_outcome() -> None:
    found = states([sums(1, RESOLVED), sums(2, UNRESOLVED), sums(4, state=Run.State.QUEUED)])
    assert found == {Run.State.FINISHED: 3, Run.State.QUEUED: 4}


def test_only_settled_tasks_have_a_cell() -> None:
    found = cells(
        [
            sums(1, RESOLVED, task=1),
            sums(2, UNRESOLVED, task=1),
            sums(3, FAILED, task=2),
            sums(4, state=Run.State.RUNNING, task=3),
            sums(5, RESOLVED, agent=2, task=3),
        ]
    )
    counts = {
        agent: [(cell.task, cell.resolved, cell.attempts) for cell in one] for agent, one in found.items()
    }
    assert counts == {1: [(1, 1, 3)], 2: [(3, 5, 5)]}
