"""Pages without the indentation of their templates, so that tests can compare parts of them."""

from __future__ import annotations

import re

# White space beside these tags is not shown. Beside all others it is a space between two words.
BLOCKS = (
    "html|head|body|title|meta|link|script|style|main|section|div|p|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tr"
    "|th|td|form|fieldset|legend|nav|aside|header|footer|article|details|summary|figure|figcaption|pre|dialog|option"
    "|optgroup|select|label|svg|g|path|rect|circle|line|datalist|button"
)
PREFORMATTED = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
BESIDE_BLOCK = re.compile(rf"\s*(</?(?:{BLOCKS})\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>)\s*")


def compact(page: str) -> str:
    """The page with white space collapsed, and removed beside block elements. Other texts come back unchanged."""
    if not page.lstrip().startswith("<"):
        return page
    return "".join(
        _pre(part) if part.startswith("<pre") else _compact(part) for part in PREFORMATTED.split(page)
    )


def _pre(element: str) -> str:
    """Only the tag: text in `<pre>` is shown as it is."""
    tag, _, rest = element.partition(">")
    return f"{' '.join(tag.split())}>{rest}"


def _compact(part: str) -> str:
    closed = re.sub(r"[ \t]*\n\s*>", ">", part)  # of a tag that ends in the next line of its template
    return BESIDE_BLOCK.sub(r"\1", re.sub(r"[ \t]*\n\s*", " ", closed))
