"""The role of people who play tasks."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group

from runs.data.queries.visibility import is_operator, is_player, is_rater, sees_hidden
from tests.runs.roles import PLAYERS, member

pytestmark = pytest.mark.django_db
create_role = import_module("runs.migrations.0037_players").create_role


def test_players_may_play_and_nothing_else() -> None:
    create_role(apps)
    player = member("petra", PLAYERS)
    assert player.get_all_permissions() == {"runs.play"}
    assert (is_player(player), is_operator(player), sees_hidden(player), is_rater(player)) == (
        True,
        False,
        False,
        False,
    )
    player.is_staff = False
    assert not is_player(player)


def test_a_role_that_was_edited_stays_edited() -> None:
    create_role(apps)
    Group.objects.get(name=PLAYERS).permissions.clear()
    create_role(apps)
    assert not Group.objects.get(name=PLAYERS).permissions.exists()
