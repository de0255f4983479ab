"""Entries of BibTeX. Names in them are untrusted: none may end a field or become a command."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from runs.presentation.formatting.markdown_text import clean

MAX_LENGTH = 300
# BibTeX counts braces also after a backslash, so none of a text may remain.
_LETTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_IN_ADDRESS = ":/?#[]@!$&'()*+,;=-._~"
_NOT_IN_KEY = re.compile(r"[^a-z0-9]+")


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """An entry such as `@misc{key, …}`; fields without a value are left out. `url` is an address, all others texts.

    Texts stand in two pairs of braces, so that BibTeX changes no capital letter and finds no list of names in them.
    """
    known = {name: value for name, value in fields.items() if value}
    width = max(map(len, known), default=0)
    lines = [f"  {name:<{width}} = {_value(name, value)}" for name, value in known.items()]
    return f"@{kind}{{{key_of(key)},\n" + ",\n".join(lines) + "\n}\n"


def key_of(name: str) -> str:
    """A name as a key: small letters, digits and hyphens."""
    return _NOT_IN_KEY.sub("-", name.casefold()).strip("-") or "benchbench"


def _value(name: str, value: str) -> str:
    if name == "url":
        return f"{{{quote(value, safe=_IN_ADDRESS + '%')}}}"
    if name == "year":
        return f"{{{value}}}"
    text = "".join(_LETTERS.get(letter, letter) for letter in clean(value, MAX_LENGTH))
    return f"{{{{{text}}}}}"
