"""What counts as a sentence in the text of a judge."""

from __future__ import annotations

import re

# A full stop inside a name (`a.py`), a number (0.5) or before a small letter ("e.g. the") ends no sentence.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]`*]*+ (?=[^a-z])|[。\uff01\uff1f]++ ?")
_WORD = re.compile(r"\w")


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    A sentence ends with `.`, `!`, `?` or `…`, perhaps with closing quotes or brackets, if white space follows and then
    anything but a small Latin letter; with the full-width marks of Chinese and Japanese; or with the text. A part
    without a letter or digit is no sentence.
    """
    return [part.strip() for part in _END.split(" ".join(text.split())) if _WORD.search(part)]
