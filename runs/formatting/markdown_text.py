"""Text of strangers in Markdown and LaTeX, made harmless.

Names of agents, tasks, tests and tools are written by models and by whoever made a record: none of them may become
markup, a link, a column or a line of its own.
"""

from __future__ import annotations

import re
from urllib.parse import quote

LONGEST = 120
_PUNCTUATION = re.compile(r"([\\`*_\[\]|~$])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKS = re.compile(r"://|(?<=www)\.", re.IGNORECASE)
# GitHub makes a link of any address, however it is escaped: an invisible joiner behind its @ makes it none.
_MAIL = re.compile(r"(?<=[\w.+-])@(?=[\w\\-]+\.)")
_JOINER = "&#8288;"
_NO_ADDRESS = re.compile(r"[^!-~]|[<>\\`|]")
_CLOSING = re.compile(r"(?<=\s)#+$")


def clean(text: object, longest: int = LONGEST) -> str:
    """One line of visible characters: blanks for breaks, � for what cannot be seen or turns text around, and cut."""
    line = " ".join(str(text).split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def text(told: object, longest: int = LONGEST) -> str:
    """Any text as Markdown that shows exactly this text, in a table's cell, too."""
    line = clean(told, longest)
    line = "".join(_HTML.get(letter, letter) for letter in line)
    line = _LINKS.sub(lambda found: r":\/\/" if "/" in found[0] else r"\.", _PUNCTUATION.sub(r"\\\1", line))
    line = _CLOSING.sub(r"\\\g<0>", _MAIL.sub(rf"\g<0>{_JOINER}", line))
    return re.sub(r"^(\d+)([.)])(?=\s|$)|^([-+=#:])", _first, line)


def address(told: str) -> str:
    """An address as Markdown that shows it as it is and leads there; what could end it early is percent-encoded."""
    return f"<{_NO_ADDRESS.sub(lambda found: quote(found[0], errors='replace'), told)}>"


def code(told: object, longest: int = LONGEST) -> str:
    """A name as code in a sentence: between more backticks than it holds in a row. Not for a table's cell."""
    line = clean(told, longest)
    if not line:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    edge = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{fence}{edge}{line}{edge}{fence}"


def _first(found: re.Match[str]) -> str:
    """What would begin a list, a rule or a heading at the start of a line."""
    return f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}"
