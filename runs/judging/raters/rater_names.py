"""The pseudonyms of people who rate runs."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.crypto import salted_hmac

from runs.models import Rating

_SALT = "runs.raters.rater_names"
_DIGITS = 12


def rater_name(user: User) -> str:
    """The pseudonym of an account: that of its earlier ratings, else one of 12 hexadecimal digits after `p-`.

    It is an HMAC of the account's number with the site's SECRET_KEY: without the key, the account cannot be found.
    """
    earlier = Rating.objects.filter(is_own(user)).values_list("rater_name", flat=True).first()
    return earlier or _name(user.pk, settings.SECRET_KEY)


def is_own(user: User) -> Q:
    """A condition for the ratings of an account, also those that were rebuilt before the account was there."""
    return Q(rater=user) | Q(rater=None, rater_name__in=_names(user.pk))


def accounts_by_name() -> Mapping[str, int]:
    """The number of each account by its pseudonym, also by those of SECRET_KEY_FALLBACKS."""
    return {name: number for number in User.objects.values_list("pk", flat=True) for name in _names(number)}


def _names(number: int) -> list[str]:
    return [_name(number, secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def _name(number: int, secret: str) -> str:
    return "p-" + salted_hmac(_SALT, str(number), secret=secret, algorithm="sha256").hexdigest()[:_DIGITS]
