"""An agent beside all others: parts by label, and the tasks where it is ahead or behind."""

from __future__ import annotations

from runs.analysis.outcomes.cell_counts import CellCount
from runs.analysis.outcomes.strengths import field_of
from runs.analysis.statistics.intervals import clustered

ANN, BEA, CAL, ORACLE = 1, 2, 3, 9


def cell(agent: int, task: str, resolved: int, attempts: int = 4) -> CellCount[int, str]:
    """A cell whose attempts pass half of the tests unless they resolve the task."""
    return CellCount(
        agent, task, attempts, resolved, test_rate_sum=(attempts + resolved) / 2, tested=attempts
    )


CELLS = [
    cell(ANN, "a", 4),
    cell(ANN, "b", 1),
    cell(ANN, "c", 2),
    cell(ANN, "d", 0, attempts=0),
    cell(BEA, "a", 2),
    cell(BEA, "b", 4),
    cell(BEA, "d", 4),
    cell(CAL, "a", 0),
    cell(ORACLE, "a", 4),
    cell(ORACLE, "c", 4),
]
FIELD = field_of(ANN, CELLS, {ORACLE})


def test_others_are_those_that_compete_on_the_tasks_that_the_agent_tried() -> None:
    assert {task: (figure.value, figure.n) for task, figure in FIELD.others.items()} == {
        "a": (0.25, 2),  # (½ + 0) ÷ 2
        "b": (1.0, 1),
        "c": (None, 0),
    }
    assert FIELD.others["c"].reason == "no other competing agent tried any of these tasks"


def test_parts_have_the_agents_rates_and_the_others_on_the_same_tasks() -> None:
    labels = {"a": ["web", "c"], "b": ["web", "web"], "c": ["c"]}

    c, web = FIELD.parts(labels.__getitem__)

    assert (web.label, web.pass_1.value, web.pass_1.n) == ("web", 0.625, 2)  # (1 + ¼) ÷ 2
    assert web.pass_1.interval == clustered([1.0, 0.25], [4, 4])
    assert (web.others.value, web.others.n) == (0.625, 2)  # (¼ + 1) ÷ 2
    assert (web.tests.value, web.attempts, web.resolved) == (0.8125, 8, 5)  # (1 + ⅝) ÷ 2
    assert (c.label, c.pass_1.value, c.others.value, c.others.n) == ("c", 0.75, 0.25, 1)


def test_contrasts_come_from_furthest_ahead_to_furthest_behind() -> None:
    assert [(each.task, each.resolved, each.attempts, each.ahead) for each in FIELD.contrasts()] == [
        ("a", 4, 4, 0.75),
        ("b", 1, 4, -0.75),
    ]


def test_an_agent_without_attempts_and_one_alone_have_nothing_beside_them() -> None:
    assert field_of(7, CELLS).parts(lambda task: [task]) == ()
    alone = field_of(ANN, [cell(ANN, "a", 4)])
    (part,) = alone.parts(lambda task: [task])
    assert part.others.value is None
    assert alone.contrasts() == ()
