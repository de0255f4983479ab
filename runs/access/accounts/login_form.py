"""The login form, with a field for the second factor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import authenticate


class LoginForm(AdminAuthenticationForm):
    """Django's login form for staff. One message for every refusal: it does not say what was right."""

    otp_token = forms.CharField(
        label="Code",
        required=False,
        max_length=40,
        help_text="Only if you set up an authenticator app: its code, or a recovery code.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )
    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "The %(username)s, the password or the code is wrong, or this is no staff account. "
        "Capitals matter. A one-time password and a code each work once.",
    }

    def clean(self) -> dict[str, Any]:
        """Refuses what `authenticate` refuses, and accounts that are not staff."""
        values = self.cleaned_data
        if values.get("username") and values.get("password") and "otp_token" in values:
            self.user_cache = authenticate(
                self.request,
                username=values["username"],
                password=values["password"],
                otp_token=values["otp_token"],
            )
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return values
