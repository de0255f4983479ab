"""Accounts with the roles that a migration creates."""

from __future__ import annotations

from importlib import import_module

from django.apps import apps
from django.contrib.auth.models import Group, Permission, User

VIEWERS, OPERATORS, ADMINS = "Viewers of hidden datasets", "Operators", "Admins"
PLAYERS, RATERS = "Players", "Raters"
MIGRATION = import_module("runs.migrations.0014_squashed_0044_grown_sessions")


def create_roles() -> None:
    """The groups, also after a test that emptied all tables."""
    MIGRATION.create_roles(apps)


def member(name: str, *roles: str, password: str | None = None) -> User:
    """Active staff with these roles."""
    create_roles()
    made = User.objects.create_user(name, password=password, is_staff=True)
    made.groups.set(Group.objects.filter(name__in=roles))
    return made


def rater(name: str) -> User:
    """Active staff who may rate runs, and nothing else."""
    made = User.objects.create_user(name, is_staff=True)
    made.user_permissions.add(Permission.objects.get(codename="rate_run"))
    return made
