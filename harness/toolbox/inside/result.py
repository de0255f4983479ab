"""The result of a tool, and functions that limit its size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

RESULT_LIMIT = 30_000


class ToolError(Exception):
    """A tool refuses or fails. The message is for the model: what was wrong, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a call. `pictures` are PNG files."""

    content: str
    ok: bool = True
    pictures: tuple[bytes, ...] = ()


def clip(text: str, remedy: str, limit: int = RESULT_LIMIT) -> str:
    """`text`, or its head and tail with a sentence between them: how much is missing, and how to see it."""
    if len(text) <= limit:
        return text
    half = limit // 2
    missing = len(text) - 2 * half
    return f"{text[:half]}\n[... {missing:,} characters left out here: {remedy} ...]\n{text[-half:]}"


def cut(text: str, limit: int) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def pretty(value: Any) -> str:
    """A value as JSON that people can read."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def presentable(text: str) -> str:
    """`text` with what UTF-8 cannot carry (lone surrogates) shown as replacement characters, and zeros as ␀."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode("utf-8")
