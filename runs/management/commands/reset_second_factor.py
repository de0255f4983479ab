from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from runs.access.accounts import second_factor


class Command(BaseCommand):
    """For people who lost their phone and their recovery codes."""

    help = "Turns off the second factor of an account; its password does not change."

    def add_arguments(self, parser: CommandParser) -> None:
        """One account."""
        parser.add_argument("name", help="the name of the account")

    def handle(self, *_args: Any, name: str, **_options: Any) -> None:
        """Raises CommandError for an unknown name."""
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no account {name!r}.")
        had = second_factor.turn_off(user)
        self.stdout.write(f"{name}: the second factor is off." if had else f"{name} has no second factor.")
