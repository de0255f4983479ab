"""Untrusted text in Markdown.

Names of agents, tasks, tests and tools come from models and from imported records: none may become markup, a link, a
column or a new line.
"""

from __future__ import annotations

import re
from urllib.parse import quote

MAX_LENGTH = 120
_PUNCTUATION = re.compile(r"([\\`*_\[\]|~$])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKS = re.compile(r"://|(?<=www)\.", re.IGNORECASE)
# GitHub makes a link of every mail address, even if it is escaped; an invisible joiner after the @ prevents that.
_MAIL = re.compile(r"(?<=[\w.+-])@(?=[\w\\-]+\.)")
_JOINER = "&#8288;"
_NO_ADDRESS = re.compile(r"[^!-~]|[<>\\`|]")
_CLOSING = re.compile(r"(?<=\s)#+$")


def clean(text: object, longest: int = MAX_LENGTH) -> str:
    """One line of at most `longest` visible characters: spaces for line breaks, � for invisible characters."""
    line = " ".join(str(text).split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def text(value: object, longest: int = MAX_LENGTH) -> str:
    """Markdown that shows exactly this text, also in a table cell."""
    line = clean(value, longest)
    line = "".join(_HTML.get(letter, letter) for letter in line)
    line = _LINKS.sub(lambda found: r":\/\/" if "/" in found[0] else r"\.", _PUNCTUATION.sub(r"\\\1", line))
    line = _CLOSING.sub(r"\\\g<0>", _MAIL.sub(rf"\g<0>{_JOINER}", line))
    return re.sub(r"^(\d+)([.)])(?=\s|$)|^([-+=#:])", _first, line)


def address(url: str) -> str:
    """An address as a Markdown link; characters that could end it early are percent-encoded."""
    return f"<{_NO_ADDRESS.sub(lambda found: quote(found[0], errors='replace'), url)}>"


def code(value: object, longest: int = MAX_LENGTH) -> str:
    """A name as inline code, between more backticks than it holds in a row. Not for table cells."""
    line = clean(value, longest)
    if not line:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    edge = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{fence}{edge}{line}{edge}{fence}"


def _first(found: re.Match[str]) -> str:
    """Escapes what would begin a list, a rule or a heading."""
    return f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}"
