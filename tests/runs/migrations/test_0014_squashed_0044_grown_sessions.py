"""The roles that a site has, and the groups of cells of a site that is upgraded."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User

from runs.data.cells.open_cells import open_facts
from runs.data.cells.recompute import rebuild_cells
from runs.data.queries.visibility import is_operator, is_player, is_rater, sees_hidden
from runs.intake.reported.storing import store
from runs.models import Cell, CellGroup
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents
from tests.runs.roles import ADMINS, MIGRATION, OPERATORS, PLAYERS, VIEWERS, create_roles, member

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


def test_players_may_play_and_nothing_else() -> None:
    player = member("petra", PLAYERS)
    assert player.get_all_permissions() == {"runs.play"}
    assert is_player(player)
    assert [is_operator(player), sees_hidden(player), is_rater(player)] == [False] * 3
    player.is_staff = False
    assert not is_player(player)


def test_each_permission_has_the_name_that_django_gives_it() -> None:
    def names() -> set[tuple[str, str]]:
        granted = Permission.objects.filter(group__isnull=False)
        return set(granted.values_list("codename", "name"))

    create_roles()
    expected = names()
    Permission.objects.all().delete()
    Group.objects.all().delete()
    create_roles()
    assert names() == expected


def test_a_role_that_was_edited_stays_edited() -> None:
    create_roles()
    group = Group.objects.get(name=OPERATORS)
    group.permissions.set(Permission.objects.filter(codename="start_evaluation"))
    create_roles()
    assert group.permissions.count() == 1


def test_each_agent_gets_a_group_in_each_dataset_with_cells() -> None:
    cast = Cast()
    alice = cast.alice()
    for task in cast.add_tasks(2):
        cast.add_cell(alice, task, [5, 0])
    cast.settle()
    rebuild_cells()
    store(reported(two_agents()))
    facts, groups = sorted(open_facts()), set(CellGroup.objects.values_list("agent", "dataset"))
    CellGroup.objects.all().delete()
    assert open_facts() == []

    MIGRATION.fill_cell_groups(apps, None)

    assert sorted(open_facts()) == facts
    assert set(CellGroup.objects.values_list("agent", "dataset")) == groups
    group = CellGroup.objects.get(agent=alice)
    first, last = Cell.objects.filter(agent=alice).order_by("updated_at")
    assert (group.revision, group.changed_at) == (first.revision + last.revision, last.updated_at)
    assert str(group) == "alice × ports"
