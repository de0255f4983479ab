"""The page of one's own account: the second factor is set up, confirmed and turned off here."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from runs.access.accounts import second_factor
from runs.access.accounts.sessions import end_sessions


class CodeForm(forms.Form):
    """A code of the app that was just set up."""

    otp_token = forms.CharField(
        label="Code",
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class TurnOffForm(forms.Form):
    """What turns the second factor off."""

    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    otp_token = forms.CharField(
        label="Code or recovery code",
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """GET shows the second factor; POST sets it up, confirms it or turns it off. For staff."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not request.user.is_staff:
        raise PermissionDenied
    user = request.user
    match request.POST.get("action"):
        case "begin":
            second_factor.begin(user)
            return HttpResponseRedirect(request.path)
        case "confirm":
            return _confirm(request, user)
        case "turn-off":
            return _turn_off(request, user)
    return _page(request, user)


def _confirm(request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
    form = CodeForm(request.POST)
    codes = second_factor.confirm(user, form.cleaned_data["otp_token"]) if form.is_valid() else []
    if codes:
        # The other sessions were opened with the password alone.
        end_sessions(user, except_for=request.session.session_key)
        # Shown once, in this response: they are stored hashed.
        return _page(request, user, codes=codes)
    form.add_error("otp_token", "This code is wrong or was used before. Wait for the next one and enter it.")
    return _page(request, user, code_form=form)


def _turn_off(request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
    form = TurnOffForm(request.POST)
    # As at a login, so that guesses count and lock.
    if form.is_valid() and authenticate(request, username=user.get_username(), **form.cleaned_data):
        second_factor.turn_off(user)
        messages.success(request, "The second factor is off: a login needs the password alone.")
        return HttpResponseRedirect(request.path)
    form.add_error(None, "The password or the code is wrong. A code works once.")
    return _page(request, user, turn_off_form=form)


def _page(request: HttpRequest, user: AbstractBaseUser, **shown: Any) -> HttpResponse:
    device = second_factor.device_of(user)
    coming = None if device else second_factor.device_of(user, confirmed=False)
    context = {
        "section": "account",
        "device": device,
        "codes_left": second_factor.codes_left(user),
        "code_form": CodeForm(),
        "turn_off_form": TurnOffForm(),
        **({"key": second_factor.key_text(coming), "qr": second_factor.qr_code(coming)} if coming else {}),
        **shown,
    }
    return render(request, "runs/account/page.html", context)
