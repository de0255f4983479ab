"""Which tool follows which."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, ToolTotals, ToolUse
from runs.analysis.tools.tallies import tally
from runs.analysis.tools.transitions import (
    Ranked,
    Transition,
    TransitionMatrix,
    Transitions,
    common_sequences,
    significant,
    transitions,
)
from runs.analysis.tools.workflow import workflow
from tests.runs.analysis.made_runs import acted
from tests.runs.analysis.tools.made_calls import EDIT, GREP, LIST, READ, RUN, called


def test_probabilities_are_of_what_follows_a_tool() -> None:
    found = transitions(
        [called(1, READ, READ, EDIT, READ, EDIT), called(2, EDIT, RUN), called(3, READ, RUN, agent="bob")]
    )

    # Neighbours: read→read, read→edit, edit→read, read→edit; edit→run; read→run. Calls that end a run have none.
    # After read (4 times): edit 2, read 1, run 1. After edit (twice): read 1, run 1. After run: nothing.
    assert (found.overall.n, found.overall.runs) == (6, 3)
    edit, read, run = found.overall.sources
    assert read.transitions == (
        Transition(EDIT, 2, 0.5, True),
        Transition(READ, 1, 0.25, True),
        Transition(RUN, 1, 0.25, True),
    )
    assert read.to(read.name) == Estimate(0.25, 4)
    assert edit.transitions == (Transition(READ, 1, 0.5, True), Transition(RUN, 1, 0.5, True))
    assert run.to(run.name) == Estimate.unknown("no call follows one of run_terminal_cmd")
    assert found.overall.source("nothing").n == 0
    assert [(matrix.agent, matrix.n) for matrix in found.agents] == [("alice", 5), ("bob", 1)]


def test_kinds_follow_kinds() -> None:
    found = transitions([called(1, LIST, READ, GREP, EDIT, "write_file", RUN)], by="kind")

    # read read search edit edit run
    assert {source.name: source.n for source in found.overall.sources} == {
        "read": 2,
        "search": 1,
        "edit": 2,
        "run": 0,
    }
    assert found.overall.source("edit").to("edit") == Estimate(0.5, 2)


class TestSignificance:
    def test_a_target_of_one_percent_is_shown_and_one_below_is_not(self) -> None:
        # Of 1,000: the top five make 970, so 95 % are covered; f has 10 (1.0 %), g and h have less.
        counts = {"a": 600, "b": 200, "c": 100, "d": 50, "e": 20, "f": 10, "g": 9, "h": 11}
        assert significant(counts) == {"a", "b", "c", "d", "e", "f", "h"}

    def test_a_rare_one_of_the_top_five_is_shown(self) -> None:
        # b to e have 0.1 % each, and are the second to the fifth all the same; f is the sixth.
        counts = {"a": 995, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}
        assert significant(counts) == {"a", "b", "c", "d", "e"}

    def test_as_many_as_cover_the_mass_are_shown_however_rare(self) -> None:
        # 200 targets of 0.5 % each: 190 of them make 95 %.
        counts = {f"{place:03}": 5 for place in range(200)}
        assert len(significant(counts)) == 190

    def test_nothing_has_nothing_to_show(self) -> None:
        assert significant({}) == frozenset()

    @settings(max_examples=60)
    @given(
        st.dictionaries(st.text("abcdefghij", min_size=1, max_size=2), st.integers(1, 400), min_size=1),
    )
    def test_it_covers_the_mass_the_top_and_the_frequent(self, counts: dict[str, int]) -> None:
        shown = significant(counts)
        n = sum(counts.values())

        assert math.fsum(counts[name] for name in shown) / n >= 0.95
        assert {name for name, count in counts.items() if count / n >= 0.01} <= shown
        assert {name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:5]} <= shown
        assert all(counts[name] <= min(counts[each] for each in shown) for name in counts.keys() - shown)


class TestPublished:
    """Appendix D.2 gives probabilities, D.3 counts of the same transitions."""

    def use(self) -> ToolUse:
        # 16,847 read → edit are 37.0 % and 14,981 read → read 32.9 % of the same whole: 45,532 and 45,535.
        # The other wholes: 16,464 ÷ 0.559 = 29,453; 21,173 ÷ 0.662 = 31,983; 15,880 ÷ 0.631 = 25,166.
        wholes = {READ: 45_534, EDIT: 29_453, RUN: 31_983, LIST: 25_166}
        counts = Counter(
            {
                (RUN, RUN): 21_173,
                (READ, EDIT): 16_847,
                (EDIT, READ): 16_464,
                (LIST, LIST): 15_880,
                (READ, READ): 14_981,
                # 8.0 % of 29,453 edits go right into a command.
                (EDIT, RUN): 2_356,
            }
        )
        for source, whole in wholes.items():
            counts[source, GREP] = whole - sum(n for (name, _), n in counts.items() if name == source)
        names = (*wholes, GREP)
        return ToolUse({name: ToolTotals(1, 0, 1.0) for name in names}, counts)

    def test_counts_and_probabilities_fit_each_other(self) -> None:
        matrix = transitions([acted(1, tools=self.use())]).overall
        expected = {
            (READ, EDIT): 37.0,
            (READ, READ): 32.9,
            (EDIT, READ): 55.9,
            (EDIT, RUN): 8.0,
            (RUN, RUN): 66.2,
            (LIST, LIST): 63.1,
        }
        found = {pair: matrix.source(pair[0]).to(pair[1]).value or 0 for pair in expected}
        assert {pair: round(100 * value, 1) for pair, value in found.items()} == expected

    def test_the_five_most_frequent_come_in_the_order_printed(self) -> None:
        use = replace(
            self.use(), bigrams={pair: n for pair, n in self.use().bigrams.items() if GREP not in pair}
        )
        assert [row.tools for row in common_sequences([acted(1, tools=use)], top=5).overall.ranked] == [
            (RUN, RUN),
            (READ, EDIT),
            (EDIT, READ),
            (LIST, LIST),
            (READ, READ),
        ]


def test_common_rows_are_ranked_and_never_reach_into_the_next_run() -> None:
    runs = [called(1, READ, EDIT, READ, EDIT), called(2, RUN, READ)]

    # read→edit twice, edit→read once, run→read once: four rows, three of them different.
    pairs = common_sequences(runs, top=2).overall
    assert (pairs.n, pairs.distinct) == (4, 3)
    assert pairs.ranked == (Ranked((READ, EDIT), 2, 0.5), Ranked((EDIT, READ), 1, 0.25))
    triples = common_sequences(runs, length=3).overall
    assert triples.ranked == (Ranked((EDIT, READ, EDIT), 1, 0.5), Ranked((READ, EDIT, READ), 1, 0.5))
    assert common_sequences([]).overall.ranked == ()
    with pytest.raises(ValueError, match="the 0 most frequent"):
        common_sequences(runs, top=0)


def test_a_tally_gives_the_results_of_its_runs() -> None:
    runs = [called(1, READ, EDIT, GREP, EDIT), called(2, RUN, READ, agent="bob"), called(3, READ)]
    counted = tally(runs)

    assert transitions(counted, by="kind") == transitions(runs, by="kind")
    assert common_sequences(counted, length=3) == common_sequences(runs, length=3)
    assert workflow(counted) == workflow(runs)


def test_runs_with_gaps_have_no_neighbours() -> None:
    broken = acted(7, "ee", tools=(READ, EDIT), faults=("step 2 is missing",))
    excluded = (Exclusion("steps are missing from the trajectory, or repeated", (7,)),)

    assert transitions([broken]).excluded == excluded
    assert common_sequences([broken]).excluded == excluded
    assert workflow([broken]).excluded == excluded
    assert transitions([broken]).overall == TransitionMatrix(None, 0, 0, ())


some_runs = st.lists(
    st.tuples(
        st.lists(st.sampled_from([READ, EDIT, RUN, GREP, "stranger"]), max_size=9), st.sampled_from("ab")
    ),
    max_size=8,
).map(lambda drawn: [called(number, *tools, agent=agent) for number, (tools, agent) in enumerate(drawn)])


def counts_of(found: Transitions) -> Counter[tuple[str, str]]:
    return Counter(
        {
            (source.name, each.target): each.count
            for source in found.overall.sources
            for each in source.transitions
        }
    )


@settings(max_examples=60)
@given(some_runs, st.randoms(use_true_random=False), st.integers(0, 8))
def test_rows_sum_to_one_and_counts_add_up_over_any_parts(
    runs: list[RunFacts], chance: random.Random, cut: int
) -> None:
    found = transitions(runs)
    shuffled = runs[:]
    chance.shuffle(shuffled)

    assert transitions(shuffled) == found
    assert common_sequences(shuffled) == common_sequences(runs)
    assert workflow(shuffled) == workflow(runs)
    for matrix in (found.overall, *found.agents):
        for source in matrix.sources:
            assert not source.n or math.isclose(sum(each.probability for each in source.transitions), 1)
    assert counts_of(found) == counts_of(transitions(runs[:cut])) + counts_of(transitions(runs[cut:]))
    assert found.overall.n == sum(matrix.n for matrix in found.agents)


@settings(max_examples=40)
@given(some_runs)
def test_a_matrix_counted_by_numpy_is_the_same(runs: list[RunFacts]) -> None:
    names = [READ, EDIT, RUN, GREP, "stranger"]
    counted = np.zeros((5, 5))
    for run in runs:
        assert run.behaviour
        for (source, target), count in run.behaviour.tools.bigrams.items():
            counted[names.index(source), names.index(target)] += count
    matrix = transitions(runs).overall
    for place, name in enumerate(names):
        for other, target in enumerate(names):
            figure = matrix.source(name).to(target)
            if counted[place].sum():
                assert figure.value == pytest.approx(counted[place, other] / counted[place].sum())
            else:
                assert figure.value is None
