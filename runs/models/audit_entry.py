"""The audit log's table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn

from django.db import models


class AppendOnly(Exception):
    """Raised when an entry of the audit log would be changed or deleted."""

    def __init__(self) -> None:
        super().__init__("entries of the audit log are neither changed nor deleted")


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Refuses changes and deletions of many entries."""

    def update(self, **_values: Any) -> NoReturn:
        """Raises AppendOnly."""
        raise AppendOnly

    def delete(self) -> NoReturn:
        """Raises AppendOnly."""
        raise AppendOnly

    def bulk_update(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Raises AppendOnly."""
        raise AppendOnly

    def bulk_create(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Raises AppendOnly: it can overwrite entries, and `save` stores one."""
        raise AppendOnly

    def _raw_delete(self, _using: str | None) -> NoReturn:
        """Raises AppendOnly. Django deletes rows without signals in this way."""
        raise AppendOnly


class AuditEntry(models.Model):
    """One act: who, when, from where, what, and the values before and after it. Append-only; it has no secrets.

    It refers to accounts and objects by name and number, not by a key of the database: it outlives them.
    """

    class Act(models.TextChoices):
        """What was done."""

        CREATED = "created", "created"
        CHANGED = "changed", "changed"
        DELETED = "deleted", "deleted"
        CANCELLED = "cancelled", "cancelled"
        RETRIED = "retried", "retried"
        IMPORTED = "imported", "imported"
        GRADED_AGAIN = "graded again", "graded again"
        ACCEPTED = "accepted", "accepted"
        REJECTED = "rejected", "rejected"
        SIGNED_IN = "signed in", "signed in"
        SIGNED_OUT = "signed out", "signed out"
        SIGN_IN_FAILED = "sign-in failed", "sign-in failed"
        LOCKED_OUT = "locked out", "locked out"
        PASSWORD_CHANGED = "password changed", "password changed"
        ONE_TIME_PASSWORD_MADE = "one-time password made", "one-time password made"
        ONE_TIME_PASSWORD_USED = "one-time password used", "one-time password used"
        SECOND_FACTOR_ON = "second factor on", "second factor on"
        SECOND_FACTOR_OFF = "second factor off", "second factor off"
        RECOVERY_CODE_USED = "recovery code used", "recovery code used"

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    account = models.CharField(max_length=150, blank=True, help_text="At the shell: the system's user.")
    account_number = models.BigIntegerField(null=True, blank=True)
    address = models.CharField(max_length=45, blank=True, help_text="Of the client; shell: a command.")
    act = models.CharField(max_length=40, choices=Act.choices)
    kind = models.CharField(max_length=60, blank=True, help_text="Of the object.")
    object_number = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=300, blank=True, help_text="Of the object.")
    before: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True, blank=True
    )
    after: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True, blank=True
    )

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = "audit entry"
        verbose_name_plural = "audit log"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.account or 'no account'}: {self.act} {self.kind} {self.name}".rstrip()

    def save(
        self, *, using: str | None = None, update_fields: Iterable[str] | None = None, **_more: Any
    ) -> None:
        """Stores a new entry. Raises AppendOnly for a stored one."""
        if not self._state.adding or update_fields is not None:
            raise AppendOnly
        super().save(force_insert=True, using=using)

    def delete(self, *_arguments: Any, **_options: Any) -> NoReturn:
        """Raises AppendOnly."""
        raise AppendOnly
