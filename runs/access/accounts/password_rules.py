"""The password validator of the project, for all forms and commands that set a password."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError

from runs.access.accounts import one_time_password
from runs.access.audit.audit_log import record
from runs.models import AuditEntry


class NewPassword:
    """Refuses the one-time password as a new one. Django also calls it after each change of a password."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises ValidationError if the new password is the one-time password."""
        if user is not None and user.pk and one_time_password.is_set(user) and user.check_password(password):
            raise ValidationError("This is the one-time password: choose another.", code="one_time_password")

    def password_changed(self, _password: str, user: AbstractBaseUser | None = None) -> None:
        """Ends a one-time password, and records that the password was changed."""
        if user is not None:
            one_time_password.end(user)
            record(AuditEntry.Act.PASSWORD_CHANGED, user)

    def get_help_text(self) -> str:
        """The sentence that forms show."""
        return "It has to differ from a one-time password."
