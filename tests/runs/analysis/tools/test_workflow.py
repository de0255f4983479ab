"""The loop of reading, editing and running."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.analysis.tools.workflow import workflow
from tests.runs.analysis.tools.made_calls import EDIT, GREP, READ, RUN, called


def test_the_loop_of_reading_editing_and_trying() -> None:
    loop = workflow([called(1, READ, EDIT, GREP, EDIT, RUN, EDIT, READ)]).overall

    # read→edit, edit→search, search→edit, edit→run, run→edit, edit→read. Reading: twice, both before an edit.
    # After an edit (3 times): reading 2, run 1. Alternation: 2 + 2 of 6.
    assert loop.reading_then_edit == Estimate(1, 2)
    assert loop.edit_then_reading == Estimate(2 / 3, 3)
    assert loop.edit_then_run == Estimate(1 / 3, 3)
    assert loop.run_then_edit == Estimate(1, 1)
    assert loop.alternation == Estimate(4 / 6, 6)


def test_a_loop_that_never_began_is_undefined() -> None:
    for runs in ([], [called(1)], [called(1, READ)]):
        loop = workflow(runs).overall
        assert loop.edit_then_run == Estimate.unknown("no call follows one of edit")
        assert loop.reading_then_edit == Estimate.unknown("no call follows one that reads")
        assert loop.alternation == Estimate.unknown("no run made two calls")
