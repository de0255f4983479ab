"""Sequences of calls, summed over runs."""

from __future__ import annotations

from runs.analysis.estimate import Exclusion
from runs.analysis.tools.tallies import Tally, tally
from tests.runs.analysis.made_runs import acted
from tests.runs.analysis.tools.made_calls import EDIT, READ, RUN, called


def test_counts_of_an_agents_runs_are_added() -> None:
    found = tally([called(1, READ, EDIT, READ), called(2, READ, EDIT)])
    (alice,) = found.agents
    assert alice == Tally(
        agent="alice",
        runs=2,
        names=frozenset({READ, EDIT}),
        bigrams={(READ, EDIT): 2, (EDIT, READ): 1},
        trigrams={(READ, EDIT, READ): 1},
    )


def test_agents_come_by_name_after_a_tally_of_all() -> None:
    found = tally([called(1, READ, EDIT, agent="zoe"), called(2, RUN, READ, EDIT, agent="adam")])
    assert [(each.agent, each.runs) for each in found.agents] == [("adam", 1), ("zoe", 1)]
    assert found.overall == Tally(
        agent=None,
        runs=2,
        names=frozenset({READ, EDIT, RUN}),
        bigrams={(READ, EDIT): 2, (RUN, READ): 1},
        trigrams={(RUN, READ, EDIT): 1},
    )


def test_a_tool_without_a_neighbour_is_named_all_the_same() -> None:
    (alice,) = tally([called(1, RUN), called(2)]).agents
    assert alice == Tally("alice", 2, frozenset({RUN}), {}, {})


def test_runs_with_gaps_are_left_out_and_named() -> None:
    found = tally([acted(7, "ee", tools=(READ, EDIT), faults=("step 2 is missing",)), called(8, RUN, RUN)])
    assert found.excluded == (Exclusion("steps are missing from the trajectory, or repeated", (7,)),)
    assert (found.overall.runs, found.overall.bigrams) == (1, {(RUN, RUN): 1})


def test_no_run_gives_an_empty_tally() -> None:
    found = tally([])
    assert found.overall == Tally(None, 0, frozenset(), {}, {})
    assert (found.agents, found.excluded) == ((), ())
