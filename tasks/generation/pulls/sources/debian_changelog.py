"""What a Debian changelog says about a vulnerability: often more than the patch that repairs it."""

from __future__ import annotations

import re
from collections.abc import Iterator

CVE = re.compile(r"\bCVE-\d{4}-\d{4,7}\b")
MAX_CHANGELOG_BYTES = 4 << 20
_ITEM = re.compile(r"^ {1,3}\* ", re.MULTILINE)
_CLOSES = re.compile(r"\s*\(?\bCloses:(?:,?\s*#\d{1,9})+\)?", re.IGNORECASE)
_BEGINNING = re.compile(
    r"(?:Add (?:a )?patch for|Fix(?:es|ed)?(?: for)?)?:?\s*CVE-[\d-]+\s*(?::|$|\s-\s)", re.IGNORECASE
)


def told_of(changelog: bytes, names: str) -> str:
    """The items of a changelog about the vulnerabilities that `names` mentions, without their numbers at the beginning.

    Of each vulnerability the longest item counts. '' if nothing but numbers is there.
    """
    wanted = dict.fromkeys(CVE.findall(names))
    items = list(_items(changelog[:MAX_CHANGELOG_BYTES].decode("utf-8", "replace"))) if wanted else []
    found = (max((item for item in items if cve in item), key=len, default="") for cve in wanted)
    return "\n\n".join(dict.fromkeys(filter(None, map(_plain, found))))


def _items(changelog: str) -> Iterator[str]:
    """Each item, on as many lines as it has; the signature below an entry ends its last one."""
    for text in _ITEM.split(changelog)[1:]:
        lines: list[str] = []
        for line in text.split("\n"):
            if lines and not line.startswith("    "):
                break
            lines.append(line.strip())
        yield "\n".join(lines).strip()


def _plain(item: str) -> str:
    text = _CLOSES.sub("", item).strip()
    if found := _BEGINNING.match(text):
        text = text[found.end() :].strip()
    return "" if CVE.fullmatch(text.rstrip(".")) else text[:1].upper() + text[1:]
