"""The signs that numbers are written with on pages. Files for programs have plain ones."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"  # between a number and its unit: they stand on one line
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=%|(?:ms|s|min|h|d|k|M)\b)")


def typeset(written: str) -> str:
    """A number as Python writes it, with a minus sign instead of a hyphen. Nothing is less than nothing: no `−0.0`."""
    if written.startswith("-") and not written.strip("-0.,"):
        return written[1:]
    return written.replace("-", "−")


def gigabytes(size: int) -> str:
    """Bytes as `63.4 GB`, of a thousand million each, as disks are sold and `df -H` counts them."""
    return f"{size / 1e9:,.1f}{NO_BREAK}GB"


def unbroken(sentence: str) -> str:
    """A sentence that breaks between none of its numbers and their units."""
    return _BEFORE_UNIT.sub(NO_BREAK, sentence)
