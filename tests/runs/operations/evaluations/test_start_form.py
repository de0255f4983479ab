"""The form that starts an evaluation: its choices, its errors, and its values for another start."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from runs.models import Agent
from runs.operations.evaluations.start_form import (
    StartForm,
    agent_groups,
    blank,
    filled_from,
    task_sets,
    with_group,
)
from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def form(agents: list[Agent], tasks: list[Task], **changes: Any) -> StartForm:
    """A filled form."""
    values = {
        "mark": "0123abcd",
        "title": "Spring",
        "agents": [str(agent.pk) for agent in agents],
        "tasks": [str(task.pk) for task in tasks],
        "attempts": "3",
    }
    return StartForm({**values, **changes})


def test_a_valid_form_says_how_many_runs_it_makes(cast: Cast) -> None:
    tasks, agents = cast.add_tasks(2), [cast.idler(), cast.oracle()]
    filled = form(agents, tasks)

    assert filled.is_valid(), filled.errors
    assert (filled.count(), filled.chosen_agents(), filled.chosen_tasks()) == (12, agents, tasks)
    assert filled.wrong_fields() == []


def test_agents_that_are_switched_off_and_tasks_that_are_not_admitted_are_no_choice(cast: Cast) -> None:
    task, unproved = cast.add_tasks(2)
    Task.objects.filter(pk=unproved.pk).update(admitted=False)
    idler, off = cast.idler(), cast.oracle()
    Agent.objects.filter(pk=off.pk).update(enabled=False)

    filled = form([idler, off], [task, unproved])

    assert [box.item for group in agent_groups(filled) for box in group.choices] == [idler]
    assert [box.item for group in task_sets(filled) for box in group.boxes] == [task]
    assert filled.selection_errors() == [
        f"Agents: Select a valid choice. {off.pk} is not one of the available choices.",
        f"Tasks: Select a valid choice. {unproved.pk} is not one of the available choices.",
    ]
    assert filled.count() == 0


def test_what_a_start_would_refuse_stands_at_its_field(cast: Cast) -> None:
    filled = form([cast.bob()], cast.add_tasks(1), budget_usd="5")

    assert not filled.is_valid()
    assert list(filled.errors) == ["budget_usd"]
    assert (
        "The price of Babbage is unknown, so a budget cannot be enforced." in filled.errors["budget_usd"][0]
    )
    assert filled.count() == 3  # the choice is valid


def test_each_error_leads_to_its_field_or_section(cast: Cast) -> None:
    filled = form([], cast.add_tasks(1), title=" ", attempts="0", mark="no mark")

    assert [(field.name, target) for field, target in filled.wrong_fields()] == [
        ("title", "id_title"),
        ("agents", "agents"),
        ("attempts", "id_attempts"),
        ("mark", ""),
    ]


def test_what_is_not_chosen_yet_leaves_nothing_to_estimate_and_is_no_error(cast: Cast) -> None:
    assert form([], []).selection_errors() == []
    assert form([], [], attempts="").selection_errors() == ["Attempts: Say how many."]
    assert form([], [], attempts="21").selection_errors() == ["Attempts: At most 20."]


def test_an_empty_form_has_a_mark_of_its_own() -> None:
    first, second = blank(), blank()

    assert set(first) == {"mark"}
    assert first != second
    assert int(first["mark"], 16) < 16**8
    assert len(first["mark"]) == 8


def test_a_copy_has_the_choices_and_limits_of_the_earlier_evaluation(cast: Cast) -> None:
    tasks, alice = cast.add_tasks(3), cast.alice()
    cast.idler()
    before = cast.add_evaluation(
        "neap", "Neap", attempts=4, budget_usd=2.5, limits={"iterations": 33, "tokens": None, "older": 1}
    )
    for task in tasks[:2]:
        for attempt in (1, 2):
            cast.add_run(alice, task, attempt, evaluation=before)

    values = filled_from(before)

    assert values.pop("mark")
    assert sorted(values.pop("tasks")) == [task.pk for task in tasks[:2]]
    assert values == {
        "title": "Neap (again)",
        "agents": [alice.pk],
        "attempts": 4,
        "budget_usd": 2.5,
        "user_model": None,
        "iterations": 33,
        "tokens": None,
        "panel": None,
        "judging_budget_usd": None,
    }


@pytest.mark.parametrize(
    ("title", "copy"),
    [
        ("Neap (again)", "Neap (again)"),
        ("N" * 200, "N" * 192 + " (again)"),
    ],
)
def test_the_title_of_a_copy_says_again_once_and_fits(cast: Cast, title: str, copy: str) -> None:
    assert filled_from(cast.add_evaluation("neap", title))["title"] == copy


def test_check_boxes_are_grouped_and_ticked(cast: Cast) -> None:
    alice, oracle = cast.alice(), cast.oracle()
    quay = cast.add_repository("quay", "Quay")
    (task,), (elsewhere,) = cast.add_tasks(1), cast.add_tasks(1, quay)
    filled = StartForm(initial={"agents": [oracle.pk], "tasks": [elsewhere.pk]})

    agents = {
        group.title: [(one.item, one.checked) for one in group.choices] for group in agent_groups(filled)
    }
    (ports,) = task_sets(filled)
    tasks = {group.title: [(one.item, one.checked) for one in group.choices] for group in ports.groups}

    assert agents == {"Competing": [(alice, False)], "Calibration": [(oracle, True)]}
    assert tasks == {"Harbour master": [(task, False)], "Quay": [(elsewhere, True)]}
    assert (ports.title, ports.chosen, len(ports.boxes)) == ("Ports 1.0", 1, 2)


def test_a_group_without_boxes_is_left_out_and_hidden_ones_are_marked(cast: Cast) -> None:
    cast.idler()
    cast.add_tasks(1)
    cast.dataset.hidden = True
    cast.dataset.save()

    assert [group.title for group in agent_groups(StartForm())] == ["Calibration"]
    assert [(group.title, group.hidden) for group in task_sets(StartForm())] == [("Ports 1.0", True)]


def test_all_or_none_of_a_group_are_picked_and_the_other_entries_stay(cast: Cast) -> None:
    harbour = cast.add_tasks(2)
    quay = cast.add_tasks(1, cast.add_repository("quay", "Quay"), start=9)
    idler = cast.idler()
    sent = QueryDict(mutable=True)
    sent.update({"title": "Spring", "attempts": "3"})
    sent.setlist("tasks", [str(quay[0].pk)])
    both = sorted(str(task.pk) for task in harbour)

    def picked(pick: str) -> tuple[list[str], list[str]]:
        values = with_group(sent, pick)
        assert (values["title"], values["attempts"]) == ("Spring", "3")
        return values["agents"], values["tasks"]

    assert picked("all repository harbour") == ([], [str(quay[0].pk), *both])
    assert picked("none dataset ports") == ([], [])
    assert picked("all agents calibration") == ([str(idler.pk)], [str(quay[0].pk)])
    assert picked("all repository nowhere") == ([], [str(quay[0].pk)])
