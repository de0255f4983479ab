"""The change between two consecutive releases: tests of release N + 1 on the source of release N.

This is all that happened in between, not one pull request, so it is labelled `release` everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from harness.archive_stream import ArchiveRefused
from harness.dataset import Origin
from harness.errors import ConfigurationError
from harness.patches import PatchError, added_lines, make_patch
from tasks.generation.pulls.changes import MergedChange, Reason, Refusal
from tasks.generation.pulls.sources.archives import digest_of_file, read_archive

MAX_NOTES = 10_000  # characters
_SUFFIX = re.compile(r"(?:\.tar(?:\.(?:gz|bz2|xz))?|\.tgz)$")
_CHANGELOG = re.compile(r"(?:change|history|news|release)", re.IGNORECASE)


def change_of_releases(before: Path, after: Path) -> MergedChange | Refusal:
    """The change from one source archive to the next. What it is about are the lines added to changelogs.

    Raises ConfigurationError if an archive cannot be read.
    """
    try:
        old, new = read_archive(before), read_archive(after)
    except (ArchiveRefused, OSError) as error:
        raise ConfigurationError(str(error)) from error
    names = [_SUFFIX.sub("", path.name) for path in (before, after)]
    identifier = "..".join(names)
    title = f"Changes from {names[0]} to {names[1]}"
    differing = {path for path in {*old, *new} if old.get(path) != new.get(path)}
    try:
        diff = make_patch(
            [old[path] for path in sorted(differing & set(old))],
            [new[path] for path in sorted(differing & set(new))],
        )
    except PatchError as error:
        return Refusal(identifier, title, Reason.UNREADABLE, str(error))
    lines = [line for path, line in added_lines(diff) if _CHANGELOG.match(PurePosixPath(path).name)]
    return MergedChange(
        identifier=identifier,
        title=title,
        diff=diff,
        base=f"{before.name} sha256:{digest_of_file(before)}",
        files=lambda: old,
        text="\n".join(lines).strip()[:MAX_NOTES],
        origin=Origin.RELEASE,
    )
