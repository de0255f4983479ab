"""Removes secrets from every line of the log."""

from __future__ import annotations

import logging
import os
import re
from functools import lru_cache

from harness.redaction import MARK, Redactor

# The password of an address like redis://user:password@host. In the records of a run, such a password is a test's and
# stays; in the log it is the site's.
_PASSWORD = re.compile(r"(?<=://)[^\s/@]*:[^\s/@]+(?=@)")


class RedactingFormatter(logging.Formatter):
    """Replaces every secret in a line, including its traceback, by a mark."""

    def format(self, record: logging.LogRecord) -> str:
        """The formatted line without secrets."""
        return redacted(super().format(record))


def redacted(text: str) -> str:
    """`text` without passwords in addresses, values of secret environment variables, and keys by their format."""
    return _PASSWORD.sub(MARK, _redactor(tuple(os.environ.items())).text(text))


@lru_cache(maxsize=2)
def _redactor(variables: tuple[tuple[str, str], ...]) -> Redactor:
    return Redactor.from_environment(dict(variables))
