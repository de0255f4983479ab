"""Every dataset with results has a board; of the recent ones, that with most competitors comes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.db import transaction

from runs.data.cells.boards import Boards, agent_version, all_boards, board_version
from runs.data.cells.open_cells import board_standings, dataset_facts
from runs.data.cells.recompute import recompute_cells
from runs.data.queries.filters import CellFilter
from runs.intake.reported.storing import store
from runs.models import Agent, Run
from tasks.loading import hide
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    task = cast.add_tasks(1)[0]
    for agent in (cast.alice(), cast.oracle()):
        cast.add_cell(agent, task, [5, 0])
    cast.settle()
    store(reported(two_agents()))
    return cast


@pytest.mark.django_db(transaction=True)
def test_the_version_of_a_board_changes_with_its_own_results_and_the_list_of_boards(cast: Cast) -> None:
    def versions() -> list[str]:
        return [board_version(name) for name in ("ports", "lab-bench", "")]

    ports, lab, default = versions()
    assert default == lab
    first, unchanged = (all_boards().of(name) for name in ("ports", "lab-bench"))
    assert all_boards().of("ports") is first

    task = cast.repository.tasks.get()
    run = cast.add_run(Agent.objects.get(slug="alice"), task, 9)
    with transaction.atomic():
        recompute_cells([(run.agent_id, task.pk)])
    assert (versions()[0] == ports, versions()[1:]) == (False, [lab, default])
    assert all_boards().of("lab-bench") is unchanged
    assert (now := all_boards().of("ports")) is not first
    assert (now and now.attempts, first and first.attempts) == (5, 4)

    run = cast.add_run(cast.bob(), task, 1)
    with transaction.atomic():
        recompute_cells([(run.agent_id, task.pk)])
    assert {*versions()}.isdisjoint([ports, lab])  # another competitor is on the list


@pytest.mark.django_db(transaction=True)
def test_the_version_of_a_board_changes_when_another_one_gets_results_of_tests(cast: Cast) -> None:
    lab = board_version("lab-bench")
    Run.objects.filter(agent__slug__in=("alice", "oracle")).update(tests_total=None, tests_passed=None)
    with transaction.atomic():
        recompute_cells(Run.objects.exclude(agent__origin__gt="").values_list("agent_id", "task_id"))
    assert [board.dataset for board in all_boards().tested.entries] == []
    assert board_version("lab-bench") != lab


@pytest.mark.django_db(transaction=True)
def test_the_version_of_an_agent_changes_with_the_results_on_its_boards(cast: Cast) -> None:
    def versions() -> list[str]:
        return [agent_version("alice", ""), agent_version("lab-bench-ada", ""), agent_version("nobody", "")]

    alice, ada, nobody = versions()
    task = cast.repository.tasks.get()
    with transaction.atomic():
        recompute_cells([(Agent.objects.get(slug="oracle").pk, task.pk)])

    now = versions()
    assert (now[0] == alice, now[1] == ada) == (False, True)
    assert now[2] != nobody  # of an unknown agent, any change counts


def test_calibration_agents_are_no_competitors(cast: Cast) -> None:
    lab, ports = all_boards().entries

    assert (lab.dataset, lab.competitors, lab.tested, lab.day) == ("lab-bench", 2, 0, date(2026, 1, 31))
    assert (ports.dataset, ports.competitors, ports.tasks, ports.attempts, ports.tested) == (
        "ports",
        1,
        1,
        4,
        4,
    )
    assert (lab.origin, ports.origin) == ("reported by The Lab, not run here", "run here")


def test_there_is_a_default_for_each_purpose(cast: Cast) -> None:
    boards = all_boards()

    assert (boards.default, boards.tested.default, Boards(()).default) == ("lab-bench", "ports", "")
    assert boards.of("nowhere") is None
    assert boards.common([]) == "lab-bench"
    assert boards.common(["alice"]) == boards.common(["alice", "lab-bench-ada"]) == "ports"
    assert [one.dataset for one in boards.of_agent("lab-bench-ada").entries] == ["lab-bench"]


def test_boards_without_competitors_stand_apart_unless_there_are_no_others(cast: Cast) -> None:
    boards = all_boards()
    lab, ports = boards.entries
    empty = replace(ports, competitors=0)

    assert (boards.leading, boards.others) == ((lab, ports), ())
    assert (Boards((lab, empty)).leading, Boards((lab, empty)).others) == ((lab,), (empty,))
    assert (Boards((empty,)).leading, Boards((empty,)).others) == ((empty,), ())


def test_a_dataset_whose_agents_are_all_imported_was_not_run_here(cast: Cast) -> None:
    cast.evaluation.runs.exclude(agent__slug="alice").delete()
    Agent.objects.filter(slug="alice").update(origin="elsewhere")
    cast.settle()

    entry = all_boards().of("ports")

    assert entry is not None
    assert entry.origin == "recorded with BenchBench elsewhere"


def test_hidden_datasets_have_no_board(cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    assert [one.dataset for one in all_boards().entries] == ["lab-bench"]


def test_each_origin_of_tasks_in_a_dataset_has_a_board_of_its_own(cast: Cast) -> None:
    removed, corrupted = cast.add_tasks(2, start=2)
    Task.objects.filter(pk=removed.pk).update(origin="removed")
    Task.objects.filter(pk=corrupted.pk).update(origin="pull request")
    cast.add_cell(cast.bob(), removed, [5, 5, 5])
    cast.add_cell(Agent.objects.get(slug="alice"), removed, [0])
    cast.add_cell(Agent.objects.get(slug="alice"), corrupted, [5])
    cast.settle()

    boards = all_boards()

    assert [(one.dataset, one.title, one.tasks, one.attempts) for one in boards.entries if one.here] == [
        ("ports.removed", "Ports: removed", 1, 4),
        ("ports.hand-made", "Ports: hand-made", 1, 4),
        ("ports.pull-request", "Ports: pull request", 1, 1),
    ]
    assert boards.name("ports") == "ports.removed"
    assert boards.name("ports.pull-request") == "ports.pull-request"
    assert boards.name("nowhere") == "nowhere"
    assert boards.of_task("ports", "pull request") == boards.of("ports.pull-request")
    assert [row.pass_1.value for row in board_standings("ports.removed").rows] == [1.0, 0.0]
    assert {cell.origin for cell in dataset_facts("ports.pull-request")} == {"pull request"}
    assert len(dataset_facts("ports")) == len(CellFilter(dataset="ports").cells()) == 5
    assert CellFilter(dataset="ports.removed").cells().count() == 2


def test_a_dataset_of_one_origin_has_its_own_name(cast: Cast) -> None:
    boards = all_boards()

    assert boards.of_task("ports", "hand-made") == boards.of("ports")
    assert boards.name("") == "lab-bench"


def test_a_board_that_is_half_a_year_older_than_the_newest_reported_one_is_not_the_default(
    cast: Cast,
) -> None:
    newer = [result("Eve", "task-0", repository="lab/two")]
    store(reported(newer, slug="young", title="Young", reported_on=date(2026, 8, 3)))
    assert [board.dataset for board in all_boards().entries] == ["ports", "lab-bench", "young"]

    store(reported(newer, slug="young", title="Young", version="a0", reported_on=date(2026, 8, 2)))
    assert [board.dataset for board in all_boards().entries] == ["lab-bench", "ports", "young"]

    store(reported(two_agents(), version="a2", reported_on=None))
    assert [board.dataset for board in all_boards().entries] == ["ports", "lab-bench", "young"]
