"""Merged changes from the patches of a Debian source package of the format 3.0 (quilt).

Each patch of `debian/patches/series` is a change on top of the upstream source and the patches before it. Debian's
security patches are upstream's changes with their tests; the header names author, date and mostly the commit. What
they repair is often said in `debian/changelog` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import shorten

from debian.deb822 import Dsc

from harness.archive_stream import ArchiveRefused
from harness.errors import ConfigurationError
from harness.patches import PatchError, apply_patch, check_path
from tasks.generation.pulls.changes import Files, Issue, MergedChange, Reason, Refusal, says_nothing
from tasks.generation.pulls.sources.archives import digest_of_file, read_archive
from tasks.generation.pulls.sources.debian_changelog import told_of
from tasks.generation.pulls.sources.patch_headers import PatchHeader, read_header

MAX_DSC_BYTES = 1 << 20
MAX_PATCHES = 1_000
MAX_TITLE = 120
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~_-]{0,250}")
_ORIG = re.compile(r".+\.orig\.tar\.(?:gz|bz2|xz)")
_DEBIAN = re.compile(r".+\.debian\.tar\.(?:gz|bz2|xz)")


@dataclass(frozen=True, slots=True)
class DebianPackage:
    """A source package in memory. `files`: upstream's; `debian`: those of its directory `debian`.

    `digest`: SHA-256 of the upstream archive.
    """

    name: str
    version: str
    files: Files
    debian: Files
    digest: str


def read_package(dsc: Path) -> DebianPackage:
    """The package that a .dsc file describes, with its archives beside it.

    Raises ConfigurationError if the format is another one, a file is missing, or its SHA-256 differs; signatures are
    not checked.
    """
    if dsc.stat().st_size > MAX_DSC_BYTES:
        raise ConfigurationError(f"{dsc} is longer than {MAX_DSC_BYTES >> 20} MB: it is no .dsc file")
    with dsc.open("rb") as file:
        control = Dsc(file)
    name, version, form = (str(control.get(field, "")) for field in ("Source", "Version", "Format"))
    if not name or form != "3.0 (quilt)":
        raise ConfigurationError(f"{dsc}: the format is {form!r}, and only '3.0 (quilt)' is read")
    digests = {str(row["name"]): str(row["sha256"]) for row in control.get("Checksums-Sha256", ())}
    origs = [one for one in digests if _ORIG.fullmatch(one)]
    debians = [one for one in digests if _DEBIAN.fullmatch(one)]
    if len(origs) != 1 or len(debians) != 1:
        raise ConfigurationError(f"{dsc}: Checksums-Sha256 must name one .orig.tar and one .debian.tar")
    for one in (*origs, *debians):
        _check_file(dsc, one, digests[one])
    try:
        files = read_archive(dsc.parent / origs[0])
        packaging = read_archive(dsc.parent / debians[0], top=False)
    except ArchiveRefused as error:
        raise ConfigurationError(f"{dsc}: {error}") from error
    debian = {
        path.removeprefix("debian/"): file for path, file in packaging.items() if path.startswith("debian/")
    }
    return DebianPackage(name, version, files, debian, digests[origs[0]])


def changes_of_package(package: DebianPackage) -> Iterator[MergedChange | Refusal]:
    """Each patch of the series, in order. One that does not apply is refused, and the next one goes without it."""
    files: Files = package.files
    log = package.debian.get("changelog")
    changelog = (log.content if log else None) or b""
    for number, (name, options) in enumerate(_series(package.debian)):
        patch = package.debian.get(f"patches/{name}")
        if number >= MAX_PATCHES:
            yield Refusal(name, "", Reason.UNREADABLE, f"is behind the first {MAX_PATCHES} patches")
            return
        if patch is None or patch.content is None or patch.link:
            yield Refusal(name, "", Reason.UNREADABLE, "the series names it, but debian/patches lacks it")
            continue
        header = read_header(patch.content)
        title = header.title or name
        if options:
            yield Refusal(
                name, title, Reason.UNREADABLE, f"has the options {' '.join(options)}; only -p1 is read"
            )
            continue
        try:
            changed = apply_patch(patch.content, files.get)
        except PatchError as error:
            yield Refusal(name, title, Reason.NOT_APPLYING, str(error))
            continue
        base = f"{package.name} {package.version}, before patch {number + 1} of its series"
        told = told_of(changelog, " ".join((name, header.title, header.text, *header.bugs)))
        yield _change(name, patch.content, _completed(header, told), files, base)
        gone = {state.path for state in changed if state.content is None}
        files = {
            **{path: file for path, file in files.items() if path not in gone},
            **{state.path: state for state in changed if state.path not in gone},
        }


def _completed(header: PatchHeader, told: str) -> PatchHeader:
    """The header with what the changelog says, if it says little itself: its title is the first sentence then."""
    silent = says_nothing(header.title)
    if not told or (header.text and not silent):
        return header
    sentence = re.split(r"\.(?:\s|$)|\n\n", told, maxsplit=1)[0]
    title = shorten(sentence, MAX_TITLE, placeholder=" …") if silent else header.title
    more = "" if " ".join(told.split()).rstrip(".") == title else told
    return replace(header, title=title, text="\n\n".join(filter(None, (header.text, more))))


def _change(name: str, patch: bytes, header: PatchHeader, files: Files, base: str) -> MergedChange:
    return MergedChange(
        identifier=name,
        title=header.title or name,
        diff=patch,
        base=base,
        files=lambda: files,
        text=header.text,
        issue=Issue(0, url=header.bugs[0]) if header.bugs else None,
        author=header.author,
        date=header.date,
        url=header.origin or header.commit,
    )


def _series(debian: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    """The names of the patches, each with its options other than -p1."""
    series = debian.get("patches/series")
    content = getattr(series, "content", None) or b""
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split("#", 1)[0].split()
        if words:
            check_path(words[0])
            yield words[0], [word for word in words[1:] if word not in {"-p1", "-p", "1"}]


def _check_file(dsc: Path, name: str, digest: str) -> None:
    path = dsc.parent / name
    if not _PLAIN_NAME.fullmatch(name):
        raise ConfigurationError(f"{dsc}: {name!r} is no plain file name")
    if not path.is_file():
        raise ConfigurationError(f"{path} is missing: put the archives of the package beside {dsc.name}")
    if digest_of_file(path) != digest:
        raise ConfigurationError(f"{path} has another SHA-256 than {dsc.name} says: fetch it again")
