"""What the site knows of an account beyond Django's table and django-otp's devices, and what accounts saved."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

MAX_NAME_LENGTH = 80
MAX_QUERY_LENGTH = 200  # as that of any parameter of an address


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


class SavedSearch(models.Model):
    """A query of the search of texts, with a name. Its page counts the runs with a hit, for each agent.

    It has no rows of datasets: what it finds is looked up anew for each reader.
    """

    slug = models.SlugField(max_length=MAX_NAME_LENGTH, unique=True)
    name = models.CharField(max_length=MAX_NAME_LENGTH, unique=True)
    query = models.CharField(max_length=MAX_QUERY_LENGTH)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name"]
        verbose_name_plural = "saved searches"
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The counts of its hits."""
        return reverse("saved_search", args=[self.slug])
