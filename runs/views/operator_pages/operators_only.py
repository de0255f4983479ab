"""A decorator for views that only operators may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from runs.queries.visibility import is_operator

View = Callable[..., HttpResponse]


def operators_only(view: View) -> View:
    """Redirects anonymous users to the login page, and refuses users who are not operators with 403."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **names: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise PermissionDenied
        return view(request, *arguments, **names)

    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(guarded))
