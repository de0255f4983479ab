"""The admin's pages for accounts and roles, and the audit log."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.accounts import one_time_password
from runs.access.accounts.login_form import LoginForm
from runs.access.accounts.throttle import throttled
from runs.access.audit.audit_log import record
from runs.admin_pages.visible_rows import ReadOnlyAdmin
from runs.data.queries.visibility import sees_hidden
from runs.models import AuditEntry

MAX_CHANGE_LENGTH = 160  # characters in the list

admin.site.login_form = LoginForm
# The change of a password and its entry in the audit log are stored together.
admin.site.password_change = throttled(transaction.atomic(admin.site.password_change))  # type: ignore[assignment, method-assign]
# A key of the second factor belongs to its owner: the admin neither shows nor makes one.
admin.site.unregister(TOTPDevice)
admin.site.unregister(User)


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # has no parameters at run time
    """Django's form, which sets a password or disables the login with one. Password validators record the former."""

    def save(self, commit: bool = True) -> User:
        """Records that logins with a password are disabled; a one-time password ends with them."""
        user: User = super().save(commit)
        if not user.has_usable_password():
            one_time_password.end(user)
            record(
                AuditEntry.Act.CHANGED, user, before={"password login": True}, after={"password login": False}
            )
        return user


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # has no parameters at run time
    """Accounts, with their roles and whether they have a second factor."""

    list_display = (
        "username",
        "roles",
        "is_staff",
        "is_superuser",
        "is_active",
        "second_factor",
        "last_login",
    )
    list_filter = ("groups", "is_staff", "is_superuser", "is_active")
    change_password_form = PasswordForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """With what the list shows."""
        devices = TOTPDevice.objects.filter(confirmed=True)
        found: QuerySet[User] = super().get_queryset(request)
        return found.prefetch_related("groups", Prefetch("totpdevice_set", devices, to_attr="apps"))

    @admin.display(description="roles")
    def roles(self, account: User) -> str:
        """The names of its groups."""
        return ", ".join(group.name for group in account.groups.all())

    @admin.display(description="second factor", boolean=True)
    def second_factor(self, account: Any) -> bool:
        """Whether it has one."""
        return bool(account.apps)

    @method_decorator([sensitive_post_parameters(), transaction.atomic])
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """As Django does, in one transaction with the entry in the audit log."""
        return super().user_change_password(request, id, form_url)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """What operators did. It may name hidden datasets, so its readers may see these, too."""

    list_display = ("at", "who", "act", "what", "change_in_short")
    list_filter = ("act", "kind", "at", "account")
    search_fields = ("account", "address", "name")
    date_hierarchy = "at"
    fields = ("at", "account", "account_number", "address", "act", "kind", "object_number", "name", "change")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """For those who may read the log and see hidden datasets."""
        return sees_hidden(request.user) and super().has_view_permission(request, obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """As for the list."""
        return self.has_view_permission(request)

    @admin.display(description="who", ordering="account")
    def who(self, entry: AuditEntry) -> str:
        """The account, and the address it came from."""
        return f"{entry.account or 'no account'} at {entry.address}"

    @admin.display(description="what", ordering="name")
    def what(self, entry: AuditEntry) -> str:
        """The object."""
        return f"{entry.kind} {entry.name}".strip() or "–"

    @admin.display(description="before → after")
    def change_in_short(self, entry: AuditEntry) -> str:
        """The beginning of the change."""
        text = self.change(entry)
        return text if len(text) <= MAX_CHANGE_LENGTH else text[: MAX_CHANGE_LENGTH - 1] + "…"

    @admin.display(description="before → after")
    def change(self, entry: AuditEntry) -> str:
        """What was before and what is after, for each value that changed."""
        before, after = entry.before or {}, entry.after or {}
        names = sorted({*before, *after})
        parts = [f"{name}: {_shown(before, name)} → {_shown(after, name)}" for name in names]
        return "; ".join(parts) or "–"


def _shown(values: dict[str, Any], name: str) -> str:
    """The value as JSON; a dash if there is none."""
    return json.dumps(values[name], ensure_ascii=False) if name in values else "–"
