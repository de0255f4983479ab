"""Checks name, password and second factor of every login."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.views.decorators.debug import sensitive_variables

from runs.access.accounts import one_time_password, second_factor


class AccountBackend(ModelBackend):
    """Checks the password as Django does, then the second factor and one-time passwords. No other backend logs in."""

    @sensitive_variables("password", "otp_token")
    def authenticate(  # type: ignore[override] # further credentials are named
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        otp_token: str = "",
        **more: Any,
    ) -> AbstractBaseUser | None:
        """The account, or None. Raises PermissionDenied where the password is right and something else is not.

        `otp_token`: a code of the authenticator app, or a recovery code.
        """
        user = super().authenticate(request, username=username, password=password, **more)
        if user is None:
            return None
        if not second_factor.accepts(user, otp_token) or not one_time_password.claim(user):
            raise PermissionDenied
        return user
