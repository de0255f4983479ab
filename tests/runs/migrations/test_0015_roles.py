"""The three roles: who looks, who operates, who administers."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission, User

from runs.data.queries.visibility import is_operator, sees_hidden
from tests.runs.roles import ADMINS, OPERATORS, VIEWERS, create_roles, member

pytestmark = pytest.mark.django_db

VERBS = ("add", "change", "delete")


def changes(user: User) -> set[str]:
    """What the user may do, other than look."""
    return {name for name in user.get_all_permissions() if not name.partition(".")[2].startswith("view_")}


def test_a_viewer_sees_hidden_datasets_and_changes_nothing() -> None:
    viewer = member("vera", VIEWERS)
    assert sees_hidden(viewer)
    assert not is_operator(viewer)
    assert viewer.has_perm("runs.view_run")
    assert changes(viewer) == set()


def test_an_operator_runs_the_site_and_manages_no_accounts() -> None:
    operator = member("olga", OPERATORS)
    assert is_operator(operator)
    assert sees_hidden(operator)
    assert changes(operator) == {
        "runs.start_evaluation",
        *(f"runs.{verb}_{model}" for model in ("agent", "languagemodel") for verb in VERBS),
        "runs.change_evaluation",
        "runs.delete_evaluation",
        "runs.delete_snapshot",
        "tasks.change_dataset",
    }
    assert not operator.has_perm("auth.view_user")
    assert not operator.has_perm("runs.view_auditentry")


def test_an_admin_manages_accounts_and_roles_too() -> None:
    admin = member("ada", ADMINS)
    assert is_operator(admin)
    assert changes(admin) - changes(member("olga", OPERATORS)) == {
        f"auth.{verb}_{model}" for model in ("user", "group") for verb in VERBS
    }
    assert admin.has_perm("runs.view_auditentry")


def test_a_role_that_was_edited_stays_edited() -> None:
    create_roles()
    group = Group.objects.get(name=OPERATORS)
    group.permissions.set(Permission.objects.filter(codename="start_evaluation"))
    create_roles()
    assert group.permissions.count() == 1
