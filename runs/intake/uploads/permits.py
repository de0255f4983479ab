"""Marks by which the web server knows, without the database, that a request may be large.

The mark of a form is in its address, that of a program is the end of its token. Whether the sender may upload anything
is decided later, by the view: a mark only allows a request of more than a few MB to arrive.
"""

from __future__ import annotations

import re
import secrets
from urllib.parse import parse_qs

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import constant_time_compare, salted_hmac

FORM_PATH, API_PATH = "/uploads/", "/api/v1/uploads"
PERMIT = "permit"  # the parameter of the form's address
PERMIT_SECONDS = 24 * 3600  # as long a form may stay open
_SALT, _TOKEN_SALT = "runs.uploads.permits", "runs.uploads.permits.token"
_TOKEN = re.compile(r"(bbu_[A-Za-z0-9_-]{43})\.([0-9a-f]{16})", re.ASCII)
_BEARER = "bearer "


def form_permit() -> str:
    """The mark for the address of a form that is shown now."""
    return TimestampSigner(salt=_SALT).sign("form")


def new_token() -> str:
    """The text of a token: 256 random bits, and a mark that this site made it."""
    text = f"bbu_{secrets.token_urlsafe(32)}"
    return f"{text}.{_mark(text, settings.SECRET_KEY)}"


def bearer_of(authorization: str) -> str:
    """The token in an Authorization header; '' if there is none, or one of another form."""
    if authorization[: len(_BEARER)].lower() != _BEARER:
        return ""
    token = authorization[len(_BEARER) :].strip()
    return token if _TOKEN.fullmatch(token) else ""


def is_upload(path: str) -> bool:
    """Whether files are sent to this path."""
    return path in (FORM_PATH, API_PATH)


def may_be_large(path: str, query: str, authorization: str) -> bool:
    """Whether a request to this path has the mark for files."""
    if path == API_PATH:
        return _is_ours(bearer_of(authorization))
    return path == FORM_PATH and any(map(_is_permit, _permits(query)))


def _permits(query: str) -> list[str]:
    try:
        return parse_qs(query, max_num_fields=10).get(PERMIT, [])
    except ValueError:
        return []


def _is_permit(text: str) -> bool:
    try:
        return bool(TimestampSigner(salt=_SALT).unsign(text, max_age=PERMIT_SECONDS))
    except BadSignature:
        return False


def _is_ours(token: str) -> bool:
    found = _TOKEN.fullmatch(token)
    return found is not None and any(
        constant_time_compare(found[2], _mark(found[1], key))
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def _mark(text: str, secret: str) -> str:
    return salted_hmac(_TOKEN_SALT, text, secret=secret, algorithm="sha256").hexdigest()[:16]
