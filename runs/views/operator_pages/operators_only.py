"""Decorators for views that only some accounts may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from runs.data.queries.visibility import Reader, is_operator, is_player, is_rater

View = Callable[..., HttpResponse]


def only_for(may: Callable[[Reader], bool]) -> Callable[[View], View]:
    """Redirects anonymous users to the login page, and refuses users who may not with 403."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *arguments: object, **names: object) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not may(request.user):
                raise PermissionDenied
            return view(request, *arguments, **names)

        return never_cache(require_http_methods(["GET", "HEAD", "POST"])(guarded))

    return decorate


def permitted(*permissions: str) -> Callable[[View], View]:
    """For staff with one of these permissions, as the admin's pages of the same rows."""
    return only_for(
        lambda reader: is_staff(reader) and any(reader.has_perm(name) for name in permissions)  # type: ignore[union-attr]
    )


def is_staff(reader: Reader) -> bool:
    """Whether the reader may sign in to the operator's pages."""
    return bool(reader.is_active and reader.is_staff)  # type: ignore[attr-defined]


staff_only = only_for(is_staff)
operators_only = only_for(is_operator)
raters_only = only_for(is_rater)
players_only = only_for(is_player)
