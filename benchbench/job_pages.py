"""The pages of django-rq, for operators: who may only look around in the admin has no business with jobs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver
from django_rq.urls import get_admin_urlpatterns, get_api_urlpatterns
from redis import RedisError

from runs.queries.visibility import is_operator

View = Callable[..., HttpResponse]


def guarded(view: View) -> View:
    """Turns others away, and says in words that Redis is gone instead of breaking.

    Its templates have style elements. Inline scripts stay refused: those of its lists have a file of ours in their
    place (templates/django_rq), and nothing of use hangs on the others.
    """

    @csp_update({"style-src": [SELF, UNSAFE_INLINE]})
    @wraps(view)
    def page(request: HttpRequest, *arguments: object, **names: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise PermissionDenied
        try:
            return view(request, *arguments, **names)
        except RedisError:
            return render(request, "without_redis.html", status=503)

    return cast(View, page)


def urlpatterns() -> tuple[list[URLPattern | URLResolver], str]:
    """All of them, under the name space that its templates know."""
    counts = get_api_urlpatterns()
    for pattern in counts:
        pattern.callback = guarded(pattern.callback)
    return [*counts, *get_admin_urlpatterns(view_wrapper=guarded)], "django_rq"
