"""Every dataset with results has a board, and the one with most competitors comes first."""

from __future__ import annotations

from datetime import date

import pytest

from runs.cells.boards import Boards, all_boards
from runs.models import Agent
from runs.reported.storing import store
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.reported.made_results import reported, two_agents

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
