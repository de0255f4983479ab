"""Reads what precedes the patches of Debian packages: fields of DEP-3, headers of git, and free text.

Source of the fields: https://dep-team.pages.debian.net/deps/dep3/
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import parsedate_to_datetime

MAX_HEADER_BYTES = 64 << 10
_FIELD = re.compile(
    r"(From|Author|Date|Subject|Description|Origin|Bug|Bug-[A-Za-z-]{1,40}|Forwarded|Applied-Upstream|Last-Update"
    r"|Reviewed-by|Acked-by|Signed-off-by|Co-authored-by|Cc|Message-Id|MIME-Version|Content-[\w-]{1,40}"
    r"|X-[\w-]{1,40}):[ \t]*(.*)",
    re.IGNORECASE,
)
_BEGINS_PATCH = (b"diff ", b"--- ", b"Index: ")
_COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
_URL = re.compile(r"https?://[^\s<>\"']{1,500}")
_TAGS = re.compile(r"^(?:\[[^\]]{0,40}\]\s{0,3})+")
_DIFFSTAT = re.compile(r"\s\S.{0,300}\|\s{1,10}(?:\d|Bin)|\s\d{1,6} files? changed")


@dataclass(frozen=True, slots=True)
class PatchHeader:
    """What a patch says of itself; a text is empty if it says nothing.

    `commit`: the upstream commit that it was taken from. `bugs`: addresses of reports, in order. `date`: ISO 8601.
    """

    title: str = ""
    text: str = ""
    author: str = ""
    date: str = ""
    commit: str = ""
    origin: str = ""
    bugs: tuple[str, ...] = ()


def read_header(patch: bytes) -> PatchHeader:
    """The header of a patch. Never fails: what is not understood is part of the text."""
    fields: dict[str, list[str]] = {}
    free: list[str] = []
    whole = _before_patch(patch)
    current: list[str] | None = None
    for line in whole.split("\n"):
        if line.rstrip() == "---":
            current = None
        elif found := _FIELD.fullmatch(line.rstrip()):
            current = fields.setdefault(found[1].lower(), [])
            current.append(found[2].strip())
        elif current is not None and line[:1] in " \t" and line.strip():
            continued = line.strip()
            current[-1] += "\n" + ("" if continued == "." else continued)
        else:
            current = None
            free.append(line)
    described = _decoded(_first(fields, "subject") or _first(fields, "description"))
    title, _, more = described.partition("\n")
    if "subject" in fields:  # git folds long subjects
        title, more = " ".join(described.split()), ""
    written = _free_text(free)
    if not title:
        title, end, rest = written.partition("\n")
        written = rest if not end or rest.startswith("\n") else written
    text = "\n\n".join(filter(None, (more.strip(), written.strip())))
    commit = _COMMIT.search(
        "\n".join((*fields.get("origin", ()), *fields.get("applied-upstream", ()), whole))
    )
    return PatchHeader(
        title=_TAGS.sub("", title).strip(),
        text=text,
        author=_decoded(_first(fields, "author") or _first(fields, "from")),
        date=_date(_first(fields, "date") or _first(fields, "last-update")),
        commit=commit[0] if commit else "",
        origin=_address(_first(fields, "origin") or _first(fields, "applied-upstream")),
        bugs=tuple(
            address
            for name, values in fields.items()
            if name.startswith("bug")
            for value in values
            if (address := _address(value))
        ),
    )


def _before_patch(patch: bytes) -> str:
    lines = []
    size = 0
    for line in patch[: MAX_HEADER_BYTES * 2].split(b"\n"):
        size += len(line) + 1
        if line.startswith(_BEGINS_PATCH) or size > MAX_HEADER_BYTES:
            break
        lines.append(line)
    return b"\n".join(lines).decode("utf-8", "replace")


def _free_text(lines: list[str]) -> str:
    """The text between the fields, without lines that git and quilt add."""
    kept = [
        line.rstrip()
        for line in lines
        if not _DIFFSTAT.match(line)
        and not re.match(
            r"From [0-9a-f]{40} |Commit [0-9a-f]{40} upstream|This patch header follows DEP-3", line
        )
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _first(fields: dict[str, list[str]], name: str) -> str:
    return fields.get(name, [""])[0]


def _decoded(text: str) -> str:
    """A header of mail in plain text."""
    try:
        return str(make_header(decode_header(text))) if "=?" in text else text
    except (HeaderParseError, LookupError, ValueError):
        return text


def _date(text: str) -> str:
    """The date in ISO 8601, with seconds in UTC if the time is known; '' if it is none."""
    try:
        return parsedate_to_datetime(text).astimezone(UTC).isoformat()
    except (ValueError, TypeError, OverflowError):
        pass
    try:
        return datetime.strptime(text.strip(), "%Y-%m-%d").date().isoformat()  # noqa: DTZ007
    except ValueError:
        return ""


def _address(text: str) -> str:
    found = _URL.search(text)
    return found[0].rstrip(".,);") if found else ""
