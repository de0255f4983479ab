"""Search by words of names, and of runs by number."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User

from runs.data.queries.name_search import MAX_COUNT, search
from runs.models import Agent
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

ANYONE = AnonymousUser()


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    cast.add_tasks(2)
    cast.alice()
    return cast


def titles(text: str, reader: AnonymousUser | User = ANYONE) -> dict[str, list[str]]:
    """What is found, by kind."""
    return {kind.title: [hit.title for hit in kind.hits] for kind in search(text, reader)}


def test_words_find_names_of_every_kind_and_case(cast: Cast) -> None:
    assert titles("HARBOUR") == {"Repositories": ["Harbour master"], "Tasks": ["Tide 1", "Tide 2"]}
    cast.add_run(Agent.objects.get(), cast.repository.tasks.get(slug="tide-1"))
    assert titles("tide spring") == {"Evaluations": ["Spring tide"]}
    assert titles("analytical") == {"Agents": ["Alice"], "Models": ["Analytical"]}
    assert titles("retry benefit") == {"Methods": ["Retry benefit"]}
    assert titles("write recipe") == {"Documentation": ["Write a recipe"]}


def test_tasks_and_repositories_say_where_they_belong(cast: Cast) -> None:
    about = {kind.title: kind.hits[0].about for kind in search("harbour", ANYONE)}
    assert about == {"Repositories": "Python 3.11, Ports", "Tasks": "Harbour master, easy bug, Ports"}


def test_agents_with_results_come_first(cast: Cast) -> None:
    cast.add_run(cast.add_agent("Alice (recorded)"), cast.repository.tasks.get(slug="tide-1"))
    cast.settle()
    assert titles("alice")["Agents"] == ["Alice (recorded)", "Alice"]


def test_all_words_must_match(cast: Cast) -> None:
    assert titles("harbour 2") == {"Tasks": ["Tide 2"]}
    assert titles("harbour nowhere") == {}
    assert titles("  ") == {}


def test_wildcards_are_ordinary_characters(cast: Cast) -> None:
    assert titles("%") == {}
    assert titles("T_de") == {}


@pytest.mark.parametrize("text", ["{}", "#{}", " #{} "])
def test_a_run_is_found_by_its_number(cast: Cast, text: str) -> None:
    run = cast.add_run(cast.add_agent("Zoe"), cast.repository.tasks.get(slug="tide-1"))

    (kind, *_) = search(text.format(run.pk), ANYONE)

    assert [(hit.title, hit.href, hit.about) for hit in kind.hits] == [
        (f"#{run.pk}", run.get_absolute_url(), "Zoe, Tide 1")
    ]
    assert titles("9" * 30) == {}
    assert titles("٣") == {}


def test_only_the_first_results_are_listed(cast: Cast) -> None:
    cast.add_tasks(MAX_COUNT, start=3)

    (tasks,) = (kind for kind in search("tide", ANYONE) if kind.title == "Tasks")

    assert (len(tasks.hits), tasks.more) == (MAX_COUNT, True)


def test_only_operators_find_hidden_datasets(cast: Cast, admin_user: User) -> None:
    run = cast.add_run(cast.add_agent("Zoe"), cast.repository.tasks.get(slug="tide-1"))
    hide(cast.dataset, hidden=True)

    assert titles("harbour") == {}
    assert titles(f"#{run.pk}") == {}
    assert titles("harbour", admin_user)["Tasks"] == ["Tide 1", "Tide 2"]
    assert titles(f"#{run.pk}", admin_user)["Runs"] == [f"#{run.pk}"]


def test_agents_and_evaluations_of_hidden_datasets_are_found_with_them(cast: Cast, admin_user: User) -> None:
    vault = cast.add_evaluation("vault-of-mayflies", "Vault of mayflies")
    cast.add_run(cast.add_agent("Mayfly"), cast.add_hidden_task(), evaluation=vault)

    assert titles("mayfl") == {}
    assert titles("mayfl", admin_user) == {"Agents": ["Mayfly"], "Evaluations": ["Vault of mayflies"]}
