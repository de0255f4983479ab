"""Whether a quote is what the trajectory says. Quotes are looked up in the text that the judge was shown."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from harness.judges.answer import EvidenceLine
from harness.judges.lookup import Found, plain
from harness.judges.rendering import Rendered
from harness.judges.review_file import Evidence, Status

MIN_QUOTE_LENGTH = 8  # characters
MIN_LETTERS = 4  # letters and digits: a row of dashes is no evidence
_PREFIX = re.compile(r"^[ \t]*\| ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """The status of a quote, and where it stands; see `review_file.Evidence`."""

    status: Status
    found_step: int | None = None
    part: str = ""
    start: int | None = None
    end: int | None = None


def look_up(rendered: Rendered, quote: str, step: int) -> Found | None:
    """Where a quote stands in what the judge was shown; in `step` if it is there, else in the nearest step.

    White space of any kind and length counts as one space, characters without width are ignored, and texts are compared
    in composed form (NFC). The marks at the beginning of lines may be copied with them. None if it is nowhere, is
    shorter than 8 characters, or has fewer than 4 letters and digits. Parts that were left out are not searched, and no
    quote joins two places.
    """
    for text in (quote, _PREFIX.sub("", quote)):
        wanted = plain(text)
        if len(wanted) < MIN_QUOTE_LENGTH or sum(map(str.isalnum, wanted)) < MIN_LETTERS:
            continue
        if found := rendered.index.find(wanted, step):
            return found
    return None


def check_quote(rendered: Rendered, line: EvidenceLine) -> Evidence:
    """The line with the status of its quote: verified, relocated to another step, or unverified."""
    return Evidence(**line.model_dump(), **asdict(place_of(rendered, line.quote, line.step)))


def place_of(rendered: Rendered, quote: str, step: int) -> Place:
    """The status of a quote and where it stands. `found_step` is None for the final changes: they are no step."""
    found = look_up(rendered, quote, step)
    if found is None:
        return Place("unverified")
    return Place(
        "verified" if found.step == step else "relocated",
        None if found.step == rendered.last_step else found.step,
        found.part,
        found.start,
        found.end,
    )
