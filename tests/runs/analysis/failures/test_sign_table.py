"""The failure modes of runs as a table."""

from __future__ import annotations

from runs.analysis.failures.sign_table import sign_table
from runs.analysis.statistics.contingency import ContingencyTable
from tests.runs.analysis.failures.signed_runs import shows

MODES = ("loop", "haste")
RUNS = (
    shows(1, "loop", "haste"),
    shows(2, "loop", outcome="resolved"),
    shows(3, undecided=["loop"]),
    shows(4),
)


def test_a_row_for_each_run_and_a_column_for_each_mode() -> None:
    table = sign_table(RUNS, MODES)
    assert (table.runs, table.slugs) == (RUNS, MODES)
    assert table.failed.tolist() == [True, False, True, True]
    assert table.found.tolist() == [[True, True], [True, False], [False, False], [False, False]]
    assert table.undecided.tolist() == [[False, False], [False, False], [True, False], [False, False]]


def test_modes_that_were_not_requested_are_left_out() -> None:
    table = sign_table([shows(1, "loop", "other", undecided=["another"])], ("haste",))
    assert (table.found.tolist(), table.undecided.tolist()) == ([[False]], [[False]])


def test_a_mode_that_was_found_is_not_undecided() -> None:
    table = sign_table([shows(1, "loop", undecided=["loop"])], ("loop",))
    assert (table.found.tolist(), table.undecided.tolist()) == ([[True]], [[False]])


def test_modes_against_failing_leave_out_undecided_runs() -> None:
    # Loop: run 1 failed with it, run 2 resolved with it, run 4 failed without it; run 3 is undecided.
    # Haste: run 1 failed with it, runs 3 and 4 failed without it, run 2 resolved without it.
    assert sign_table(RUNS, MODES).against_failing() == [
        ContingencyTable(1, 1, 1, 0),
        ContingencyTable(1, 0, 2, 1),
    ]


def test_within_names_each_mode_has_a_table_for_each_name() -> None:
    loop, haste = sign_table(RUNS, MODES).within(["tide", "tide", "fog", "fog"])
    # Fog comes first: runs 3 (undecided for loop) and 4. Tide: runs 1 and 2.
    assert loop == [ContingencyTable(0, 0, 1, 0), ContingencyTable(1, 1, 0, 0)]
    assert haste == [ContingencyTable(0, 0, 2, 0), ContingencyTable(1, 0, 0, 1)]


def test_modes_together_are_counted_in_failed_runs_with_both_decided() -> None:
    # Both in run 1, neither in run 4. Run 2 resolved its task, run 3 is undecided.
    assert sign_table(RUNS, MODES).together() == {("loop", "haste"): ContingencyTable(1, 0, 0, 1)}
    other = sign_table([shows(1, "loop"), shows(2, "haste"), shows(3, "haste")], MODES)
    assert other.together() == {("loop", "haste"): ContingencyTable(0, 1, 2, 0)}


def test_without_runs_all_counts_are_zero() -> None:
    table = sign_table([], MODES)
    nothing = ContingencyTable(0, 0, 0, 0)
    assert table.against_failing() == [nothing, nothing]
    assert table.within([]) == [[], []]
    assert table.together() == {("loop", "haste"): nothing}
