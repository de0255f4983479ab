"""Checks of what a model says as the user. All are deterministic, and none needs another model.

Rules cannot find a new requirement that is in plain words: such a message stays in the record, for readers and judges.
A new name they can: a file or a function that is neither in what the user knows nor in what it was shown.
"""

from __future__ import annotations

import re

MAX_SENTENCES = 5
MAX_CHARACTERS = 4_000
MAX_NAMED = 5
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)")
_WORD = re.compile(r"[A-Za-z0-9_./-]+(?:\(\))?")
_FILE = re.compile(r"[A-Za-z0-9_-]{2,}\.[a-z][a-z0-9]{0,4}")


def sentences(text: str) -> int:
    """The number of sentences: ends of sentences, and a rest without an end."""
    parts = _SENTENCE_END.split(text)
    return len(parts) - 1 + bool(parts[-1].strip())


def new_names(message: str, known: str) -> tuple[str, ...]:
    """The names in a message that do not occur in `known`: files (`a.py`), names with `_`, and calls (`f()`)."""
    lowered = known.lower()
    found = (word.strip("./-") for word in _WORD.findall(message))
    return tuple(
        dict.fromkeys(
            name for name in found if _is_name(name) and name.removesuffix("()").lower() not in lowered
        )
    )


def fault_of(message: str, known: str) -> str:
    """What is wrong with the user's message, as a sentence to the model; '' if nothing is."""
    if not message.strip():
        return "Your message was empty."
    if (number := sentences(message)) > MAX_SENTENCES:
        return f"Your message had {number} sentences; {MAX_SENTENCES} are allowed."
    if len(message) > MAX_CHARACTERS:
        return f"Your message had {len(message):,} characters; {MAX_CHARACTERS:,} are allowed."
    if names := new_names(message, known):
        named = ", ".join(names[:MAX_NAMED])
        return f"Your message named what you do not know and were not shown: {named}."
    return ""


def _is_name(word: str) -> bool:
    plain = word.removesuffix("()")
    last = plain.rpartition("/")[2]
    is_call = word != plain and plain.replace("_", "a").isalnum()
    return is_call or "_" in plain.strip("_") or _FILE.fullmatch(last) is not None
