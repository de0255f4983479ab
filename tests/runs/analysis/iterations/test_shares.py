"""Where iterations went."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.records import FileEdit
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.iterations.shares import IterationShare, iteration_mixes, label_of
from runs.analysis.statistics.summaries import box
from runs.analysis.trajectories.kinds import kind_of
from runs.analysis.trajectories.trace import Iteration, TracedCall
from runs.data.published.tables import IDE_BENCH, table
from tests.runs.analysis.made_runs import acted

TABLE_8 = {row[0]: tuple(map(float, row[1:])) for row in table(IDE_BENCH, 8).rows}
CHANGE = FileEdit("a.py", "modified", 1, 1)


def call(tool: str, *, ok: bool = True) -> TracedCall:
    kind = kind_of(tool)
    return TracedCall(tool, kind, "other", (), "", {}, True, ok, "", 0.1)


@pytest.mark.parametrize(
    ("calls", "edits", "label"),
    [
        ([call("edit_file")], [CHANGE], "p"),
        ([call("edit_file"), call("edit_file", ok=False)], [CHANGE], "p"),
        ([call("run_terminal_cmd")], [CHANGE], "p"),
        ([call("edit_file", ok=False)], [], "n"),
        ([call("edit_file", ok=True)], [], "n"),
        ([call("read_file"), call("edit_file", ok=False)], [], "n"),
        ([call("read_file")], [], "e"),
        ([call("run_terminal_cmd", ok=False)], [], "e"),
        ([], [], "e"),
    ],
)
def test_an_iteration_is_one_of_three_kinds(
    calls: Sequence[TracedCall], edits: Sequence[FileEdit], label: str
) -> None:
    assert label_of(Iteration(1, 3, "", "", tuple(calls), tuple(edits))) == label


def test_iterations_are_counted_and_shared_out_in_two_readings() -> None:
    found = iteration_mixes([acted(1, "eepn"), acted(2, "p"), acted(3, "eeeee", "bob")])

    # Ten iterations: eepn p eeeee. The first edits come at 3 and at 1; run 3 has none.
    # Pooled: 2, 7 and 1 of 10. Mean over runs of (1/4, 1, 0), (2/4, 0, 1) and (1/4, 0, 0).
    overall = found.overall
    assert (overall.agent, overall.runs, overall.iterations) == (None, 3, 10)
    assert overall.total == Estimate(10 / 3, 3)
    assert overall.median_total == Estimate(4, 3)
    assert overall.productive == IterationShare(2, Estimate(0.2, 10), Estimate(1.25 / 3, 3))
    assert overall.exploration == IterationShare(7, Estimate(0.7, 10), Estimate(1.5 / 3, 3))
    assert overall.non_productive == IterationShare(1, Estimate(0.1, 10), Estimate(0.25 / 3, 3))
    assert (overall.first_edit.mean, overall.first_edit.median) == (Estimate(2, 2), Estimate(2, 2))
    assert overall.first_edit.never == 1

    alice, bob = found.agents
    # alice: eepn p. Pooled 2, 2 and 1 of 5.
    assert [share.pooled.value for share in (alice.productive, alice.exploration, alice.non_productive)] == [
        0.4,
        0.4,
        0.2,
    ]
    assert bob.agent == "bob"
    assert bob.first_edit.mean == Estimate.unknown("no run made a successful edit")


def test_edits_with_syntax_errors_count_as_rejected_in_a_second_reading() -> None:
    made = acted(1, "eppnp")
    assert made.behaviour
    counted = replace(made, behaviour=replace(made.behaviour, features={"iterations_left_broken": 2.0}))
    # Of three productive iterations two leave nothing but syntax errors. Run 2 was not counted so.
    mix = iteration_mixes([counted, acted(2, "p")]).overall

    assert (mix.productive.count, mix.non_productive.count) == (4, 1)
    assert mix.productive_if_rejected == IterationShare(1, Estimate(0.2, 5), Estimate(0.2, 1))
    assert mix.non_productive_if_rejected == IterationShare(3, Estimate(0.6, 5), Estimate(0.6, 1))


def test_iterations_without_a_tool_call_are_reported() -> None:
    (row,) = iteration_mixes([acted(1, "eep", tools=["read_file", "edit_file"])]).agents

    assert (row.exploration.count, row.without_calls) == (2, 1)


def test_without_runs_and_without_iterations_shares_are_undefined() -> None:
    nothing = iteration_mixes([]).overall
    assert nothing.total == Estimate.unknown("no run")
    assert nothing.productive == IterationShare(0, Estimate.unknown("no run"), Estimate.unknown("no run"))
    assert nothing.first_edit.mean == Estimate.unknown("no run")

    idle = iteration_mixes([acted(1, "")]).overall
    assert idle.total == Estimate(0, 1)
    assert idle.productive.pooled == Estimate.unknown("no iteration")
    assert idle.productive.mean == Estimate.unknown("no iteration")


def test_invalid_records_are_named() -> None:
    found = iteration_mixes(
        [
            acted(1, "pe"),
            acted(2, "pe", outcome="infrastructure_failed"),
            replace(acted(3, "pe"), behaviour=None),
            acted(4, "pe", faults=("step 2 is missing",)),
            acted(5, "pe", faults=("a call in step 2 took -1.0 seconds",)),
            acted(6, "pe", iterations=9),
        ]
    )

    assert found.overall.runs == 2
    assert found.excluded == (
        Exclusion("the infrastructure failed", (2,)),
        Exclusion("the trajectory was not counted, or could not be read", (3,)),
        Exclusion("steps are missing from the trajectory, or repeated", (4,)),
        Exclusion("the trajectory has another number of iterations than the run reports", (6,)),
    )


class TestPublished:
    def test_the_three_shares_of_each_row_sum_to_100_as_far_as_their_rounding_goes(self) -> None:
        sums = {agent: round(sum(row[2:]), 1) for agent, row in TABLE_8.items()}

        # Three shares, each rounded by at most 0.05, miss 100 by at most 0.15.
        assert {agent: total for agent, total in sums.items() if total != 100.0} == {
            "xAI Grok Code Fast 1": 100.1,
            "OpenAI GPT 5.2": 99.9,
            "Qwen3 Max": 100.1,
            "Gemini 3 Pro Preview": 100.1,
            "Claude Opus 4.5": 100.1,
        }

    def test_its_rows_come_out_of_runs_that_have_them(self) -> None:
        # 1,000 iterations in as many letters as the row has tenths of a percent.
        for agent in ("xAI Grok 4.1 Fast", "Cohere Command R+"):
            _, _, productive, exploration, failing = TABLE_8[agent]
            letters = "p" * round(10 * productive) + "e" * round(10 * exploration) + "n" * round(10 * failing)
            (row,) = iteration_mixes([acted(1, letters[::2], agent), acted(2, letters[1::2], agent)]).agents

            assert row.iterations == 1000
            assert row.productive.pooled.value == pytest.approx(productive / 100)
            assert row.exploration.pooled.value == pytest.approx(exploration / 100)
            assert row.non_productive.pooled.value == pytest.approx(failing / 100)

    def test_the_median_model_explores_more_than_the_text_says(self) -> None:
        # 58.4 70.0 79.3 79.9 80.2 80.3 82.3 [83.5] 83.5 83.6 84.0 85.0 87.0 87.4 99.1: the eighth of fifteen.
        # Appendix B.2 says 82.3, which is the seventh.
        assert statistics.median(row[3] for row in TABLE_8.values()) == 83.5

    def test_one_model_wastes_more_than_the_whiskers_allow(self) -> None:
        wasted = box(((place, row[4]) for place, row in enumerate(TABLE_8.values())), "")

        # Sorted: .1 1 1.6 [1.6 1.7] 2 2.7 3.5 4.9 5.1 [5.2 6.6] 8.9 9 18. Q1 = 1.65, Q3 = 5.9, IQR = 4.25;
        # 5.9 + 1.5 · 4.25 = 12.275, so that 18.0 alone lies outside, as appendix B.3.2 says.
        assert [wasted.q1.value, wasted.q3.value] == pytest.approx([1.65, 5.9])
        assert [list(TABLE_8)[outlier.run] for outlier in wasted.outliers] == ["Cohere Command R+"]
        assert wasted.high.value == 9.0


letters = st.text("pen", max_size=12)
some_runs = st.lists(st.tuples(letters, st.sampled_from("abc")), max_size=12).map(
    lambda drawn: [acted(number, text, agent) for number, (text, agent) in enumerate(drawn)]
)


@settings(max_examples=60)
@given(some_runs, st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter_and_shares_sum_to_one(
    runs: list[RunFacts], chance: random.Random
) -> None:
    found = iteration_mixes(runs)
    shuffled = runs[:]
    chance.shuffle(shuffled)
    assert iteration_mixes(shuffled) == found

    renamed = iteration_mixes([replace(run, agent={"a": "z", "b": "y", "c": "x"}[run.agent]) for run in runs])
    assert renamed.overall == found.overall
    assert [replace(row, agent="") for row in reversed(renamed.agents)] == [
        replace(row, agent="") for row in found.agents
    ]
    for row in (found.overall, *found.agents):
        shares = (row.productive, row.exploration, row.non_productive)
        assert sum(share.count for share in shares) == row.iterations
        for values in ([share.pooled.value for share in shares], [share.mean.value for share in shares]):
            assert None in values or math.isclose(sum(value or 0 for value in values), 1)


@settings(max_examples=40)
@given(some_runs)
def test_counts_add_up_over_agents(runs: list[RunFacts]) -> None:
    found = iteration_mixes(runs)

    for count in ("runs", "iterations", "without_calls"):
        assert getattr(found.overall, count) == sum(getattr(row, count) for row in found.agents)
    for kind in ("productive", "exploration", "non_productive"):
        assert getattr(found.overall, kind).count == sum(getattr(row, kind).count for row in found.agents)
    assert found.overall.first_edit.never == sum(row.first_edit.never for row in found.agents)
