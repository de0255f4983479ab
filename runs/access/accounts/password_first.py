"""After a login with a one-time password, another password must be set first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse

from runs.access.accounts import one_time_password

MARK = "password_first"  # in the session, so that other sessions need no query


@receiver(user_logged_in)
def _mark_session(request: HttpRequest, user: AbstractBaseUser, **_more: Any) -> None:
    if one_time_password.is_set(user):
        request.session[MARK] = True


class PasswordFirst:
    """Middleware that redirects all pages of such a session to the form for a new password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers the request, or redirects it."""
        if not self._must_change(request):
            return self._get_response(request)
        form = reverse("admin:password_change")
        if request.path in {form, reverse("admin:logout")}:
            return self._get_response(request)
        messages.warning(
            request,
            "You logged in with a one-time password, which does not work again. Set your own password now.",
        )
        return HttpResponseRedirect(form)

    def _must_change(self, request: HttpRequest) -> bool:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.session.get(MARK):
            return False
        if request.user.is_authenticated and one_time_password.is_set(request.user):
            return True
        del request.session[MARK]
        return False
