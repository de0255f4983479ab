"""Keeps secrets out of the log, whoever logged them."""

from __future__ import annotations

import logging
import os
import re

SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
# Keys as providers shape them, and the password of an address like redis://user:password@host.
SECRET_SHAPES = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|(?<=://)[^\s/@]*:[^\s/@]+(?=@)"
)
SHORTEST = 8


class RedactingFormatter(logging.Formatter):
    """Replaces every secret in the finished line, tracebacks included, by a mark."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be seen."""
        return redacted(super().format(record))


def redacted(text: str) -> str:
    """`text` without the values of environment variables that are named like secrets, and without key shapes."""
    for name, value in os.environ.items():
        if len(value) >= SHORTEST and SECRET_NAME.search(name):
            text = text.replace(value, f"[{name}]")
    return SECRET_SHAPES.sub("[redacted]", text)
