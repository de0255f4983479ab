"""Who sees a hidden dataset: operators, and staff with the permission for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db.models import QuerySet

from runs.data.queries.visibility import (
    ANONYMOUS,
    Reader,
    is_operator,
    rights,
    sees_grading_output,
    sees_hidden,
    sees_test_messages,
    visible,
    visible_agents,
    visible_datasets,
    visible_evaluations,
    visible_repositories,
    visible_tasks,
)
from runs.models import Cell, Run, Try
from tasks.loading import hide
from tasks.models import Dataset
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db


def user(*, may: str = "start_evaluation", name: str = "olga", **changes: Any) -> User:
    """An active member of the staff with one permission; '' for none."""
    made = User.objects.create_user(name, is_staff=True)
    for field, value in changes.items():
        setattr(made, field, value)
    made.save()
    made.user_permissions.set(Permission.objects.filter(codename=may))
    return made


def test_an_operator_is_active_staff_with_the_permission() -> None:
    assert is_operator(user())


@pytest.mark.parametrize(
    "changes",
    [
        {"may": ""},
        {"is_staff": False},
        {"is_active": False},
        {"is_staff": False, "is_superuser": True},
    ],
)
def test_who_lacks_one_of_these_is_no_operator(changes: dict[str, Any]) -> None:
    reader = user(**changes)
    assert not is_operator(reader)
    assert not sees_hidden(reader)


def test_an_anonymous_reader_is_no_operator_and_sees_nothing_hidden() -> None:
    assert not is_operator(ANONYMOUS)
    assert not sees_hidden(ANONYMOUS)


def test_a_viewer_of_hidden_datasets_is_no_operator() -> None:
    viewer = user(may="view_hidden")
    assert sees_hidden(viewer)
    assert not is_operator(viewer)
    assert not sees_grading_output(viewer)


@pytest.mark.parametrize("changes", [{"is_staff": False}, {"is_active": False}])
def test_a_viewer_must_be_active_staff(changes: dict[str, Any]) -> None:
    assert not sees_hidden(user(may="view_hidden", **changes))


def test_an_operator_sees_hidden_datasets_and_the_output_of_gradings() -> None:
    assert sees_hidden(user())
    assert sees_grading_output(User.objects.get())


@pytest.mark.parametrize(
    ("public", "hidden", "seen"), [(False, False, False), (True, False, True), (True, True, False)]
)
def test_messages_of_tests_are_public_in_open_datasets_that_say_so(
    *, public: bool, hidden: bool, seen: bool
) -> None:
    dataset = Dataset(slug="tiny", public_messages=public, hidden=hidden)

    assert sees_test_messages(ANONYMOUS, dataset) is seen
    assert sees_test_messages(user(may="view_hidden"), dataset) is seen
    assert sees_test_messages(user(name="operator"), dataset)


@pytest.mark.parametrize(
    "rows",
    [
        lambda reader: visible(Run.objects.all(), reader),
        lambda reader: visible(Cell.objects.all(), reader),
        visible_datasets,
        visible_repositories,
        visible_tasks,
        lambda reader: visible(Try.objects.all(), reader),
        visible_evaluations,
        visible_agents,
    ],
    ids=["runs", "cells", "datasets", "repositories", "tasks", "tries", "evaluations", "agents"],
)
def test_a_hidden_dataset_is_shown_to_operators_and_viewers_alone(
    cast: Cast, admin_user: User, rows: Callable[[Reader], QuerySet[Run]]
) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    add_try(run, 1, "settled")
    cast.settle()
    clerk = user(may="")
    viewer = User.objects.create_user("vera", is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename="view_hidden"))
    readers = (ANONYMOUS, clerk, viewer, admin_user)
    assert [rows(reader).count() for reader in readers] == [1, 1, 1, 1]

    hide(cast.dataset, hidden=True)

    assert [rows(reader).count() for reader in readers] == [0, 0, 1, 1]


def test_the_rights_of_a_reader_change_when_a_dataset_is_hidden_or_opened(
    cast: Cast, admin_user: User
) -> None:
    before = {rights(reader) for reader in (ANONYMOUS, admin_user)}
    assert len(before) == 2

    hide(cast.dataset, hidden=True)
    hidden = {rights(reader) for reader in (ANONYMOUS, admin_user)}
    hide(cast.dataset, hidden=False)

    assert len(before | hidden | {rights(reader) for reader in (ANONYMOUS, admin_user)}) == 6
