"""Counts the matches of a pattern in texts. A program of its own, because a regular expression cannot be interrupted.

    search_program.py < REQUEST > ANSWER

The request is JSON: `pattern`, `texts` (pairs of a name and a text), `most` (matches that are counted), `whole` (only
texts that match as a whole count) and `uncommented` (comments are blanked first; the name of a text says which
language it is in). The answer is JSON: `count`, and `first`: name, line number and text of the first match, or null.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

MAX_EXCERPT = 200


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    pattern = re.compile(request["pattern"])
    count, first = 0, None
    for name, text in request["texts"]:
        searched = without_comments(name, text) if request["uncommented"] else text
        found = (
            filter(None, [pattern.fullmatch(searched)]) if request["whole"] else pattern.finditer(searched)
        )
        for match in found:
            count += 1
            if first is None:
                line = searched.count("\n", 0, match.start()) + 1
                first = [name, line, match[0][:MAX_EXCERPT]]
            if count >= request["most"]:
                return {"count": count, "first": first}
    return {"count": count, "first": first}


def without_comments(name: str, text: str) -> str:
    """The text with its comments replaced by spaces; unchanged if Pygments knows no language for the name.

    Lines keep their numbers. Preprocessor lines and `#!` are code; so are Python's docstrings, which are strings.
    """
    from pygments.lexers import get_lexer_for_filename  # noqa: PLC0415
    from pygments.token import Comment, is_token_subtype  # noqa: PLC0415
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        lexer = get_lexer_for_filename(name.rpartition("/")[2], stripnl=False, ensurenl=False)
    except ClassNotFound:
        return text
    code = (Comment.Preproc, Comment.PreprocFile, Comment.Hashbang)
    parts = []
    for kind, part in lexer.get_tokens(text):
        blank = is_token_subtype(kind, Comment) and not any(is_token_subtype(kind, one) for one in code)
        parts.append(re.sub(r"[^\n]", " ", part) if blank else part)
    return "".join(parts)


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
