"""Converts bytes and text, limits what a model reads, and checks Python syntax."""

from __future__ import annotations

import ast
import json
import re
import warnings

RESULT_LIMIT = 30_000
_SEAM = 2_000
BYTE_ORDER_MARK = "\ufeff"
# Escape sequences of terminals: colours and cursor movements (CSI), titles and links (OSC), and others.
_ORDERS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\`a-~])"
)


class ToolError(Exception):
    """A tool refuses or fails. The message is for the model: what is wrong and what to do instead."""


def clip(text: str, remedy: str, limit: int = RESULT_LIMIT) -> str:
    """`text`, or its head and tail with a sentence between them: how much is missing, and how to see it.

    Cuts between lines if a line ends near the middle. The sentence is added to the `limit` characters.
    """
    if len(text) <= limit:
        return text
    head = limit // 2
    tail = len(text) - (limit - head)
    seam = min(_SEAM, limit // 4)  # at least half of each part stays
    border = text.rfind("\n", head - seam, head)
    if border >= 0:
        head = border + 1
    border = text.find("\n", tail, tail + seam)
    if border >= 0:
        tail = border + 1
    return "{}\n[... {:,} characters left out here: {} ...]\n\n{}".format(
        text[:head], tail - head, remedy, text[tail:]
    )


def presentable(text: str) -> str:
    """`text` with what UTF-8 cannot carry (lone surrogates) shown as replacement characters, and zeros as ␀.

    Databases and some providers refuse a text with a zero in it.
    """
    text = text.replace("\0", "\N{SYMBOL FOR NULL}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text


def on_screen(output: str) -> str:
    """A program's output as a terminal would show it: without colours, and only the last state of redrawn lines."""
    output = _ORDERS.sub("", output)
    return "\n".join(map(_last_state, output.split("\n"))) if "\r" in output else output


def _last_state(line: str) -> str:
    states = [state for state in line.split("\r") if state.strip()]
    if len(states) < 2:
        return line
    end = "\r" if line.endswith("\r") else ""
    return f"[drawn over {count(len(states) - 1, 'time')}] {states[-1]}{end}"


def shown_name(name: str) -> str:
    """A path in a list with one path a line: as a JSON string when it holds line breaks or the like."""
    return json.dumps(name, ensure_ascii=False) if any(c < " " or c == "\x7f" for c in name) else name


def is_binary(data: bytes) -> bool:
    """Whether this is no text: there is a zero byte near its beginning."""
    return b"\0" in data[:8192]


def decode_exactly(data: bytes) -> str:
    """Text from which `encode_exactly` makes the same bytes again, valid UTF-8 or not."""
    return data.decode("utf-8", "surrogateescape")


def encode_exactly(text: str) -> bytes:
    """The bytes of a text. Raises ToolError for what no encoding has: lone surrogates."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ToolError(
            "the text was not written: character {} is half of a surrogate pair ({!r})".format(
                error.start, text[error.start]
            )
        ) from None


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 match`, `1,200 matches`: a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def syntax_error(source: bytes) -> str | None:
    """What is wrong with `source` and where; None when it parses, or is in an encoding that is not loaded here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        if "encoding" in str(error.msg):
            return None
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return None
