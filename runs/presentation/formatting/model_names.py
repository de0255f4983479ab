"""The name of a model in addresses: the same for each spelling, so that its results on several boards come together."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

MAX_LENGTH = 80
_DIGITS = 8
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_AMBIGUOUS = re.compile(r"[^\x00-\x7f]")


def model_address(name: str, provider: str = "") -> str:
    """The name of this model in addresses: lower-case letters, digits and hyphens; never empty.

    `Claude-Opus-4.6`, `claude-opus-4-6` and `anthropic/claude-opus-4-6` of Anthropic are one model: case and
    separators do not count, nor a prefix that is the provider. Everything else does, `+` too: a date in a name is
    another model.
    Names with other letters, and very long ones, end in a digest of the name, so that two of them never meet.
    """
    plain = unicodedata.normalize("NFKC", name).strip().casefold()
    prefix, slash, rest = plain.partition("/")
    if slash and rest and _hyphened(prefix) == _hyphened(unicodedata.normalize("NFKC", provider).casefold()):
        plain = rest
    address = _hyphened(plain.replace("+", " plus "))
    if address and len(address) <= MAX_LENGTH and not _AMBIGUOUS.search(plain):
        return address
    digest = sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{address[: MAX_LENGTH - _DIGITS - 1]}-{digest}".lstrip("-")


def _hyphened(text: str) -> str:
    return _SEPARATORS.sub("-", text).strip("-")
