"""Removes secrets from text before it is stored: known values in many encodings, and keys by their format.

A *value* is the content of an environment variable with the name of a secret. It is found unchanged, JSON-escaped,
percent-encoded, as hexadecimal digits, inside base64, and with white space or line breaks in it. A *shape* is the
format of a provider's keys, or a value after the name of a header for secrets; it needs no known value. Similar texts
(hashes, UUIDs, encoded images, class names) are not changed; the tests measure this. Secrets that are compressed,
encrypted or reversed are not recognised.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self
from urllib.parse import quote, urlsplit

MARK = "[redacted]"
MIN_VALUE_LENGTH = 8
SECRET_NAME = re.compile(
    r"(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTHORIZATION)$", re.IGNORECASE
)
_ADDRESS_NAME = re.compile(r"(URL|URI|DSN|PROXY)$", re.IGNORECASE)
# Between two characters of a value with line breaks: white space, or its escape in JSON.
_BREAK = r"(?:\s|\\[nrt])*"


@dataclass(frozen=True, slots=True)
class _Shape:
    """Keys of one format. `hints`: lower-case texts, one of which is in every match; they make the search fast.

    The group `secret` is replaced, or the whole match if there is no such group. A `random` secret must look random.
    `spaced`: a match may have white space in it. `parts`: texts, one of which is in every hint; they are fewer.
    """

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    random: bool = False
    spaced: bool = False
    parts: tuple[str, ...] = ("",)

    def redact(self, text: str, lowered: str, words: str) -> str:
        """`text` without these keys. `lowered`: it in lower case; `words`: the words of that which may be keys."""
        has = (lowered if self.spaced else words).__contains__
        if not (any(map(has, self.parts)) and any(map(has, self.hints))):
            return text
        return self.pattern.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        whole, group = found[0], "secret" if "secret" in self.pattern.groupindex else 0
        if self.random and not looks_random(found[group]):
            return whole
        first, last = found.start(group) - found.start(), found.end(group) - found.start()
        return whole[:first] + MARK + whole[last:]


def _by_prefix(pattern: str, *hints: str, random: bool = False) -> _Shape:
    return _Shape(hints, re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})"), random)


# Separates a name from its value in headers, JSON (escaped or not), TOML, shells and URLs.
_IS = r"""(?:\\*["'])?\s*(?:=>|[:=,])\s*(?:\\*["'])?"""
# Any four letters occur in long base64 texts; a plus sign at the start of a line belongs to a diff.
_NOT_IN_BASE64 = r"(?m:(?<![A-Za-z0-9+/])|(?<=^\+))"
_OPAQUE = r"(?P<secret>[A-Za-z0-9._~+/=-]{16,})"
# A signed token of three parts; the first two are JSON. Whether the next two follow is asked once for each run of
# letters, not for each beginning of a token in it: a hostile text would take time in proportion to its square.
_RUN = "[A-Za-z0-9_-]"
_TOKEN = (
    rf"(?<!{_RUN})(?={_RUN}*+\.eyJ{_RUN}{{10,}}+\.{_RUN}{{16}}){_RUN}*?(?<![A-Za-z0-9])"
    rf"(?P<secret>eyJ{_RUN}{{10,}}\.eyJ{_RUN}{{10,}}\.{_RUN}{{16,}})"
)
# Up to three lines in front of an encrypted private key. White space may belong to a line or to the break behind it:
# the last line only may give it back, because all ways to divide a hostile text would take years. The groups are
# atomic, not possessive: Python before 3.11.5 finds wrong matches for possessive groups.
_NEXT_LINE = r"(?>(?:\s|\\+[nr]|\+)*)(?:Proc-Type|DEK-Info):"
_KEY_LINES = (
    rf"(?>(?:{_NEXT_LINE}(?>(?:(?!Proc-Type:|DEK-Info:)[ \w,-]){{1,80}})(?={_NEXT_LINE})){{0,2}})"
    rf"(?:{_NEXT_LINE}[ \w,-]{{1,80}})?"
)

# Names of fields that hold a secret. Most records have a "token" or a "key" that is none: all names are hints.
_FIELDS = {
    **dict.fromkeys(("api", "access", "auth", "secret", "subscription", "account"), ("key", "token")),
    "client": ("secret",),
}
_SECRET_FIELDS = tuple(
    f"{first}{between}{last}"
    for first, lasts in _FIELDS.items()
    for between in ("", "_", "-")
    for last in lasts
)

SHAPES = (
    _by_prefix(r"sk-(?:ant|proj|svcacct|admin|or|lf|litellm)-[A-Za-z0-9_-]{16,}", "sk-", random=True),
    _by_prefix(r"[sr]k-[A-Za-z0-9_-]{16,}|pk-(?:lf-)?[A-Za-z0-9_-]{16,}", "k-", random=True),
    _by_prefix(r"[spr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}", "k_", random=True),
    _Shape(("aiza",), re.compile(rf"{_NOT_IN_BASE64}AIza[A-Za-z0-9_-]{{32,48}}(?![A-Za-z0-9_/+-])")),
    _Shape(
        ("akia", "asia", "abia", "acca"),
        re.compile(rf"{_NOT_IN_BASE64}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}(?![A-Za-z0-9+/])"),
    ),
    _by_prefix(r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,}", "gh", "github_pat_", random=True),
    _by_prefix(r"glpat-[A-Za-z0-9_-]{20,}", "glpat-", random=True),
    _by_prefix(r"xox[abeoprs]-[A-Za-z0-9-]{16,}", "xox", random=True),
    _by_prefix(r"(?:hf|gsk|r8|npm)_[A-Za-z0-9]{30,}", "hf_", "gsk_", "r8_", "npm_", random=True),
    _by_prefix(
        r"(?:xai|pplx|nvapi|fw|tgp|co)-[A-Za-z0-9_-]{32,}",
        *("xai-", "pplx-", "nvapi-", "fw-", "tgp-", "co-"),
        random=True,
    ),
    _by_prefix(r"pypi-AgE[A-Za-z0-9_-]{32,}", "pypi-age", random=True),
    _Shape(
        ("authorization", "bearer"),
        re.compile(rf"(?i)\b(?:authorization{_IS}(?:basic|token|bearer)|bearer)(?:\s|\\[nrt])+{_OPAQUE}"),
        random=True,
        spaced=True,
    ),
    _Shape(
        _SECRET_FIELDS,
        re.compile(rf"(?i)(?:{'|'.join(_SECRET_FIELDS)}){_IS}{_OPAQUE}"),
        random=True,
        spaced=True,
        parts=tuple(_FIELDS),
    ),
    _by_prefix(
        r"(?:AQ\.|ya29\.|SG\.|dckr_pat_)[A-Za-z0-9_.-]{26,}[A-Za-z0-9_-]",
        "aq.",
        "ya29.",
        "sg.",
        "dckr_pat_",
        random=True,
    ),
    _Shape(("eyj",), re.compile(_TOKEN)),
    _Shape(
        ("private key",),
        re.compile(
            rf"-----BEGIN [A-Z ]{{0,30}}PRIVATE KEY-----{_KEY_LINES}(?P<secret>[A-Za-z0-9+/=\s\\]{{64,}})"
        ),
        spaced=True,
    ),
    _Shape(
        ("://",),
        re.compile(r"""://[^\s/:@"'<>]{0,64}:(?P<secret>[^\s/:@"'<>]{10,256})@"""),
        random=True,
    ),
    _Shape(("key=",), re.compile(rf"(?i)[?&]key={_OPAQUE}"), random=True),
)

_SPACED = tuple(shape for shape in SHAPES if shape.spaced)
_WORD_HINTS = tuple(hint for shape in SHAPES if not shape.spaced for hint in shape.hints)

# No shape matches a shorter text. Most strings of a record are short: without this, its steps take three times as long.
MIN_MATCH_LENGTH = 15


# As a tuple, and with `dict` before `Mapping`, a check takes a fraction of the time: a step has 20 to 40 values.
_OBJECTS, _LISTS = (dict, Mapping), (list, tuple)


class Redactor:
    """Redacts known values (each with its replacement) and all shapes. Thread-safe."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        # The longest first, because one secret may be a part of another.
        known = sorted((values or {}).items(), key=lambda pair: -len(pair[0]))
        self._values = [_Value(value, name) for value, name in known if value]

    @classmethod
    def from_environment(
        cls, variables: Mapping[str, str] | None = None, *, named: Iterable[str] = ()
    ) -> Self:
        """Redacts the values of all variables with the name of a secret, and those in `named`, also short ones."""
        found = dict(_secrets(os.environ if variables is None else variables, set(named)))
        return cls(found)

    def text(self, text: str) -> str:
        """`text` without secrets.

        Most words are too short for a key: hints of keys without white space are looked for in the long ones alone.
        With the fewer `parts` of hints, 2.3 KB of a run's text take 45 µs instead of 85.
        """
        squeezed = _squeeze(text) if self._values else ""
        for value in self._values:
            text = value.redact(text, squeezed)
        if len(text) < MIN_MATCH_LENGTH:
            return text
        lowered = text.lower()
        words = "\n".join([word for word in lowered.split() if len(word) >= MIN_MATCH_LENGTH])
        for shape in SHAPES if any(map(words.__contains__, _WORD_HINTS)) else _SPACED:
            text = shape.redact(text, lowered, words)
        return text

    def data(self, data: bytes) -> bytes:
        """Bytes without secrets; bytes that are not UTF-8 are unchanged."""
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def value(self, value: Any) -> Any:
        """A JSON value with all its strings redacted, including the names of fields.

        Nearly all values hold no secret: their strings are searched together first. That takes half the time of a
        search in each of them.
        """
        together = "\n".join(_strings(value))
        return value if self.text(together) == together else self._redacted(value)

    def _redacted(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._redacted(name): self._redacted(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self._redacted(part) for part in value]
        return value


def _strings(value: Any) -> list[str]:
    """All strings in a JSON value, with the names of its fields."""
    found: list[str] = []
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, _LISTS):
            rest += one
        elif isinstance(one, _OBJECTS):
            rest += one
            rest += one.values()
    return found


def looks_random(text: str) -> bool:
    """Whether a text looks like a key: at least 10 letters and digits in a row, with both kinds, or 20 letters.

    Of 36 random letters and digits, as GitHub's keys have, one in 650 has no digit. Letters alone must change between
    upper and lower case as often as in one of three places, more often than in most names of code.
    """
    return any(
        len(part) >= 10
        and any(map(str.isalpha, part))
        and (any(map(str.isdigit, part)) or _changes_case(part))
        for part in re.split(r"[^A-Za-z0-9]+", text)
    )


def _changes_case(letters: str) -> bool:
    changes = sum(one.isupper() != other.isupper() for one, other in pairwise(letters))
    return len(letters) >= 20 and 3 * changes >= len(letters)


class _Value:
    """One known secret in all the encodings to search for."""

    def __init__(self, value: str, name: str) -> None:
        self._name = name
        self._spellings = sorted({value, *_spellings(value)}, key=len, reverse=True)
        self._squeezed = _squeeze(value)
        self._broken = re.compile(_BREAK.join(map(re.escape, self._squeezed)))

    def redact(self, text: str, squeezed: str) -> str:
        """`text` without this secret. `squeezed`: the text without its white space."""
        for spelling in self._spellings:
            if spelling in text:
                text = text.replace(spelling, self._name)
        if len(self._squeezed) >= MIN_VALUE_LENGTH and self._squeezed in squeezed:
            text = self._broken.sub(self._name, text)
        return text


def _squeeze(text: str) -> str:
    text = "".join(text.split())
    for escape in ("\\n", "\\r", "\\t"):
        text = text.replace(escape, "")
    return text


def _spellings(value: str) -> Iterator[str]:
    """The encodings of a value; none for short values, because they would match everywhere."""
    if len(value) < MIN_VALUE_LENGTH:
        return
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield quote(value, safe="")
    data = value.encode("utf-8", "surrogateescape")
    yield data.hex()
    yield data.hex().upper()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            # Only the characters that depend on the value alone, for each start position in the encoded bytes.
            encoded = encode(b"\0" * shift + data).decode("ascii").rstrip("=")
            inner = encoded[(0, 2, 3)[shift] : len(encoded) - (1 if (shift + len(data)) % 3 else 0)]
            yield inner


def _secrets(variables: Mapping[str, str], named: set[str]) -> Iterator[tuple[str, str]]:
    for name, value in sorted(variables.items()):
        if (name in named and value) or (len(value) >= MIN_VALUE_LENGTH and SECRET_NAME.search(name)):
            yield value, f"[{name}]"
        elif _ADDRESS_NAME.search(name) and (password := _password(value)):
            yield password, f"[password of {name}]"


def _password(address: str) -> str:
    try:
        password = urlsplit(address).password or ""
    except ValueError:
        return ""
    return password if len(password) >= MIN_VALUE_LENGTH else ""
