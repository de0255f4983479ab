"""What holds for each new password, whoever sets it and wherever."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError

from runs.accounts import one_time_password
from runs.audit.audit_log import record
from runs.models import AuditEntry


class NewPassword:
    """A password validator of Django, which also tells it of each password that was set."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises ValidationError if the new password is the one-time password."""
        if user is not None and user.pk and one_time_password.is_set(user) and user.check_password(password):
            raise ValidationError("This is the one-time password: choose another.", code="one_time_password")

    def password_changed(self, _password: str, user: AbstractBaseUser | None = None) -> None:
        """Ends a one-time password, and records that the account has a new password, not which."""
        if user is not None:
            one_time_password.end(user)
            record(AuditEntry.Act.PASSWORD_CHANGED, user)

    def get_help_text(self) -> str:
        """What a person who chooses a password reads."""
        return "A one-time password cannot be kept."
