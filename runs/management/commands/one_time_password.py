from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from runs.access.accounts import one_time_password


class Command(BaseCommand):
    """For people who lost their password, and for new accounts."""

    help = "Gives an account a one-time password, in place of its own, and prints it."

    def add_arguments(self, parser: CommandParser) -> None:
        """One account."""
        parser.add_argument("name", help="the name of the account")

    def handle(self, *_args: Any, name: str, **_options: Any) -> None:
        """Raises CommandError for an unknown name."""
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no account {name!r}.")
        self.stdout.write(one_time_password.issue(user))
