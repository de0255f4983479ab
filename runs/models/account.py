"""What the site knows of an account beyond Django's table and django-otp's devices."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class OneTimePassword(models.Model):
    """Marks an account whose password works once. The row ends when the account has a password of its own."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"one-time password of {self.user}"


class RecoveryCode(models.Model):
    """One unused recovery code, as a SHA-256: codes are random and of 80 bits, so that a slow hash adds nothing."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)

    class Meta:
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "digest"], name="recovery_code_of_account")
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user}"
