"""How a report says things: text of strangers made harmless, numbers with what they rest on.

Names of agents, tasks, tests and tools are written by models and by whoever made a record: none of them may become
markup, a link, a column or a line of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote

from runs.reports.found import Figure, Interval

LONGEST = 120
SMALLEST_WRITTEN = 1e-7  # below, one counts zeros
ROUNDING = 1e-12
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


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a table: a value in Markdown, or a dash and the reason for it."""

    shown: str
    reason: str = ""


def percent(figure: Figure) -> Cell:
    """A share from 0 to 1, with its interval and n."""
    return _cell(figure, 100, 1, " %")


def number(figure: Figure, digits: int = 2, unit: str = "") -> Cell:
    """Any quantity, with its interval and n."""
    return _cell(figure, 1, digits, unit)


def _cell(figure: Figure, factor: float, digits: int, unit: str) -> Cell:
    if figure.value is None:
        return Cell("—", f"{figure.reason} (n = {figure.n:,})")
    rests = [] if figure.interval is None else [span(figure.interval, factor, digits)]
    return Cell(f"{decimal(figure.value * factor, digits)}{unit} ({'; '.join([*rests, f'n {figure.n:,}'])})")


def dollars(figure: Figure) -> Cell:
    """US dollars: cents, and more digits below one dollar."""
    return number(figure, 4 if figure.value is not None and abs(figure.value) < 1 else 2)


def span(interval: Interval, factor: float = 1, digits: int = 2) -> str:
    """From low to high."""
    low, high = (0.0 if abs(end) < ROUNDING else end * factor for end in (interval.low, interval.high))
    return f"{decimal(low, digits)} to {decimal(high, digits)}"


def decimal(value: float, digits: int = 2) -> str:
    """With so many decimals, thousands apart; what is too small for them has two digits that tell. There is no −0."""
    shown = f"{value or 0.0:,.{digits}f}"
    if not value or float(shown.replace(",", "")):
        return shown
    short = f"{value:.1e}"
    return f"{Decimal(short):f}" if abs(value) >= SMALLEST_WRITTEN else short


def share(value: float) -> str:
    """A share without an n of its own, in percent."""
    return f"{decimal(value * 100, 1)} %"


def some(names: list[str], most: int, rest: str = "more") -> str:
    """A list in a sentence, cut with how many there are beyond."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} {rest}"


def counted(count: int, one: str, several: str = "") -> str:
    """1 run, 2 runs."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
