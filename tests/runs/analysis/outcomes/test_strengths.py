"""An agent beside all others: parts by label, and the tasks where it is ahead or behind."""

from __future__ import annotations

from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.outcomes.strengths import compare_with_others
from runs.analysis.statistics.intervals import clustered

ANN, BEA, CAL, ORACLE = 1, 2, 3, 9
A, B, C, D = 11, 12, 13, 14


def cell(agent: int, task: int, resolved: int, attempts: int = 4) -> CellFacts:
    """A cell whose attempts pass half of the tests unless they resolve the task."""
    rates = (attempts + resolved) / 2
    return CellFacts(agent, task, "harbour", attempts, resolved, 0, rates, 0, None, 0.0, attempts, attempts)


CELLS = [
    cell(ANN, A, 4),
    cell(ANN, B, 1),
    cell(ANN, C, 2),
    cell(ANN, D, 0, attempts=0),
    cell(BEA, A, 2),
    cell(BEA, B, 4),
    cell(BEA, D, 4),
    cell(CAL, A, 0),
    cell(ORACLE, A, 4),
    cell(ORACLE, C, 4),
]
BESIDE = compare_with_others(ANN, CELLS, {ORACLE})


def test_others_are_those_that_compete_on_the_tasks_that_the_agent_tried() -> None:
    assert {task: (figure.value, figure.n) for task, figure in BESIDE.others.items()} == {
        A: (0.25, 2),  # (½ + 0) ÷ 2
        B: (1.0, 1),
        C: (None, 0),
    }
    assert BESIDE.others[C].reason == "no other competing agent tried any of these tasks"


def test_parts_have_the_agents_rates_and_the_others_on_the_same_tasks() -> None:
    labels = {A: ["web", "c"], B: ["web", "web"], C: ["c"]}

    c, web = BESIDE.parts(labels.__getitem__)

    assert (web.label, web.pass_1.value, web.pass_1.n) == ("web", 0.625, 2)  # (1 + ¼) ÷ 2
    assert web.pass_1.interval == clustered([1.0, 0.25], [4, 4])
    assert (web.others.value, web.others.n) == (0.625, 2)  # (¼ + 1) ÷ 2
    assert (web.tests.value, web.attempts, web.resolved) == (0.8125, 8, 5)  # (1 + ⅝) ÷ 2
    assert (c.label, c.pass_1.value, c.others.value, c.others.n) == ("c", 0.75, 0.25, 1)


def test_runs_of_another_agent_change_what_the_others_have_alone() -> None:
    more = compare_with_others(ANN, [*CELLS, cell(8, B, 1)])

    (before,), (after,) = (
        found.parts(lambda _: ["all"]) for found in (compare_with_others(ANN, CELLS), more)
    )

    assert (after.pass_1, after.tests) == (before.pass_1, before.tests)
    assert after.others != before.others


def test_contrasts_come_from_furthest_ahead_to_furthest_behind() -> None:
    assert [(each.task, each.resolved, each.attempts, each.ahead) for each in BESIDE.contrasts()] == [
        (A, 4, 4, 0.75),
        (B, 1, 4, -0.75),
    ]


def test_an_agent_without_attempts_and_one_alone_have_nothing_beside_them() -> None:
    assert compare_with_others(7, CELLS).parts(lambda task: [str(task)]) == ()
    alone = compare_with_others(ANN, [cell(ANN, A, 4)])
    (part,) = alone.parts(lambda task: [str(task)])
    assert part.others.value is None
    assert alone.contrasts() == ()
