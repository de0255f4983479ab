"""How well and how fast tools serve."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, ToolTotals, ToolUse
from runs.analysis.tools.telemetry import ToolRow, telemetry
from tests.runs.analysis.made_runs import acted


def served(number: int, agent: str = "alice", **totals: ToolTotals) -> RunFacts:
    return acted(number, agent=agent, tools=ToolUse(totals))


def test_success_and_time_are_of_all_calls_of_a_tool() -> None:
    found = telemetry(
        [
            served(1, read_file=ToolTotals(4, 1, 2.0, 0, 3), grep_search=ToolTotals(1, 0, 0.5, 0, 1)),
            served(2, read_file=ToolTotals(2, 0, 1.0, 1, 1)),
            served(3, "bob", read_file=ToolTotals(1, 1, 0.0, 0, 0)),
        ]
    )

    # read_file: 4 + 2 + 1 = 7 calls, one without a result; 2 of the 6 others failed. 3 s in 4 calls with a duration.
    read, grep = found.overall.tools
    assert read == ToolRow(
        "read_file", "read", True, 3, 7, 2, 1, 6, Estimate(4 / 6, 6), Estimate(0.75, 4), total_seconds=3.0
    )
    assert (grep.success, grep.seconds) == (Estimate(1, 1), Estimate(0.5, 1))
    # All tools: 7 of 8 calls have a result, 5 of them succeeded.
    assert (found.overall.calls, found.overall.unanswered, found.overall.success) == (
        8,
        1,
        Estimate(5 / 7, 7),
    )

    alice, bob = found.agents
    assert (alice.agent, alice.runs, alice.tools[0].success) == ("alice", 2, Estimate(4 / 5, 5))
    assert bob.tools[0].seconds == Estimate.unknown("no call has a duration")


@pytest.mark.parametrize(
    ("tool", "worked", "calls", "rate"),
    [
        ("run_configuration", 24, 32, 0.750),
        ("edit_file", 153, 194, 0.789),
        ("pull_request_read", 8, 8, 1.000),
        ("read_file", 243, 243, 1.000),
    ],
)
def test_the_rates_of_the_agentlens_report_come_out(tool: str, worked: int, calls: int, rate: float) -> None:
    (row,) = telemetry(
        [acted(1, tools=ToolUse({tool: ToolTotals(calls, calls - worked, 1.0)}))]
    ).overall.tools
    assert round(row.success.value or 0, 3) == rate


def test_calls_that_are_not_known_to_have_failed_or_not_are_in_no_rate() -> None:
    (row,) = telemetry(
        [
            acted(1, tools=ToolUse({"bash": ToolTotals(4, 1, 1.0, unjudged=2)})),
            acted(2, tools=ToolUse({"bash": ToolTotals(3, 0, 1.0, unjudged=3)})),
        ]
    ).overall.tools
    assert (row.calls, row.judged, row.success) == (7, 2, Estimate(1 / 2, 2))


def test_unknown_tools_are_named() -> None:
    table = telemetry(
        [
            served(
                1,
                read_file=ToolTotals(2, 0, 1.0),
                create_diagram=ToolTotals(1, 0, 1.0),
                repo_browser=ToolTotals(1, 1, 0.0),
            )
        ]
    ).overall
    assert [row.tool for row in table.tools if not row.known] == ["repo_browser"]
    assert [row.tool for row in table.tools] == ["read_file", "create_diagram", "repo_browser"]


def test_calls_that_never_returned_have_no_rate() -> None:
    table = telemetry([served(1, read_file=ToolTotals(2, 0, 0.0, 2, 0))]).overall
    assert table.success == table.tools[0].success == Estimate.unknown("no call returned")
    assert telemetry([]).overall.success == Estimate.unknown("no call")
    assert telemetry([]).overall.tools == ()


def test_runs_without_a_whole_trajectory_are_named() -> None:
    found = telemetry(
        [replace(acted(1), behaviour=None), acted(2, "e", faults=("step 1 comes again",)), acted(3, "e")]
    )
    assert found.overall.runs == 1
    assert found.excluded == (
        Exclusion("the trajectory was not counted, or could not be read", (1,)),
        Exclusion("steps are missing from the trajectory, or repeated", (2,)),
    )


def test_an_invalid_duration_is_named_and_leaves_out_nothing_else() -> None:
    found = telemetry([acted(4, "e", tools=("grep_search",), faults=("a call in step 1 took -1 seconds",))])
    assert (found.overall.runs, found.overall.calls) == (1, 1)
    assert found.excluded == (
        Exclusion(
            "the duration of a call is negative, too large or not a number: excluded from the seconds only",
            (4,),
        ),
    )


totals = st.builds(
    lambda worked, failed, unanswered, seconds: ToolTotals(
        worked + failed + unanswered, failed, seconds, unanswered, worked if seconds else 0
    ),
    st.integers(1, 9),
    st.integers(0, 9),
    st.integers(0, 3),
    st.floats(0, 100),
)
some_runs = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(["read_file", "edit_file", "odd"]), totals), st.sampled_from("ab")
    ),
    max_size=8,
).map(lambda drawn: [served(number, agent, **tools) for number, (tools, agent) in enumerate(drawn)])


@settings(max_examples=60)
@given(some_runs, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_counts_add_up_over_agents(
    runs: list[RunFacts], chance: random.Random
) -> None:
    found = telemetry(runs)
    shuffled = runs[:]
    chance.shuffle(shuffled)

    assert telemetry(shuffled) == found
    assert found.overall.calls == sum(table.calls for table in found.agents)
    for row in found.overall.tools:
        theirs = [each for table in found.agents for each in table.tools if each.tool == row.tool]
        for count in ("runs", "calls", "failed", "unanswered"):
            assert getattr(row, count) == sum(getattr(each, count) for each in theirs)
        assert row.success.value is None or 0 <= row.success.value <= 1
        assert row.seconds.value is None or row.seconds.value >= 0
