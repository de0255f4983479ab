"""The pages of django-rq, for operators only."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import cast

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver
from django_rq.settings import get_queues_list
from django_rq.urls import get_admin_urlpatterns, get_api_urlpatterns
from redis import RedisError
from rq.exceptions import NoSuchJobError

from runs.data.queries.visibility import is_operator

View = Callable[..., HttpResponse]
_JOB = re.compile(r"[-\w]{1,200}", re.ASCII)


def guarded(view: View) -> View:
    """Refuses other users, and shows a page instead of an error when Redis is down.

    Its templates have style elements, which are allowed here. Inline scripts stay forbidden: those of its lists are
    replaced by a file of ours (templates/django_rq), and the others are not needed.
    """

    @csp_update({"style-src": [SELF, UNSAFE_INLINE]})
    @wraps(view)
    def page(request: HttpRequest, *arguments: object, **names: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise PermissionDenied
        # Numbers of queues, of their schedulers and of their connections: no more than there are queues.
        known = range(len(get_queues_list()))
        if any(name.endswith("_index") and value not in known for name, value in names.items()):
            raise Http404("there is no such queue")
        if not _JOB.fullmatch(str(names.get("job_id", "any"))):
            raise Http404("there is no such job")
        try:
            return view(request, *arguments, **names)
        except NoSuchJobError as error:
            raise Http404("there is no such job") from error
        except RedisError:
            return render(request, "without_redis.html", status=503)

    return cast(View, page)


def urlpatterns() -> tuple[list[URLPattern | URLResolver], str]:
    """All of its pages, in the namespace that its templates use."""
    counts = get_api_urlpatterns()
    for pattern in counts:
        pattern.callback = guarded(pattern.callback)
    return [*counts, *get_admin_urlpatterns(view_wrapper=guarded)], "django_rq"
