"""Dockerfiles as text: which images they stand on, and what in them the engine's own builder cannot do.

Images are built over the engine's API, which knows the classic builder alone. What BuildKit adds to make builds faster
(`RUN --mount=type=cache`, `COPY --link`) changes no result and is left out; what changes the result is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

_CACHE_MOUNT = r"--mount=(?=\S*\btype=cache\b)\S+"
_EXTRA = re.compile(rf"{_CACHE_MOUNT}|--link(?:=\w+)?", re.IGNORECASE)
_GAP = r"(?:[ \t]|\\[ \t\r]*\n)"
_FASTER = re.compile(
    rf"^(?P<kept>[ \t]*(?:RUN|COPY|ADD){_GAP}+(?:--\S+{_GAP}+)*?)(?:{_EXTRA.pattern}){_GAP}+",
    re.IGNORECASE | re.MULTILINE,
)
_BASE = re.compile(
    r"^(?P<head>\s*FROM(?:\s+--\S+)*\s+|\s*ARG\s+BASE_IMAGE=)(?P<name>\S+)", re.IGNORECASE | re.MULTILINE
)
_COPIED_FROM = re.compile(
    r"^(?P<head>\s*COPY\s+(?:--\S+\s+)*?--from=)(?P<name>\S+)", re.IGNORECASE | re.MULTILINE
)
_ARGUMENT = re.compile(r"(?P<name>\w+)=(?P<quote>[\"']?)(?P<value>[^\"'\s]*)(?P=quote)")
_VARIABLE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)(?::-(?P<default>[^}]*))?\})")
_HEREDOC = re.compile(r"(?<!<)<<-?[ \t]*([\"']?)(?P<end>[A-Za-z_]\w*)\1")
_FLAG = re.compile(r"--(?P<name>[a-z-]+)(?:=(?P<value>\S*))?\s*")
_KNOWN_FLAGS = {"RUN": frozenset[str](), "COPY": frozenset({"from", "chown"}), "ADD": frozenset({"chown"})}
_INSTEAD = {
    "mount": "COPY what it mounts; a mount of type=cache may stay",
    "chmod": "leave it out, and RUN chmod behind it",
    "exclude": "name what is to be left out in .dockerignore",
}
_STAGE = re.compile(r"(?:--\S+\s+)*(?P<base>\S+)(?:\s+AS\s+(?P<name>\S+))?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: the number of its first line, its word in capitals, what stands behind that, in one line."""

    line: int
    word: str
    rest: str


def instructions(dockerfile: str) -> Iterator[Instruction]:
    """The instructions in order; comments are left out, also those between continued lines."""
    start, parts = 0, list[str]()
    for number, line in enumerate(dockerfile.splitlines(), 1):
        if line.lstrip().startswith("#") or not (line.strip() or parts):
            continue
        start = start if parts else number
        parts.append(line.rstrip().removesuffix("\\").strip())
        if not line.rstrip().endswith("\\"):
            word, _, rest = " ".join(filter(None, parts)).partition(" ")
            yield Instruction(start, word.upper(), rest.strip())
            parts = []


def with_base_images(dockerfile: str, replacements: Mapping[str, str]) -> str:
    """The Dockerfile with the images it stands on, or copies from, replaced where the map has them.

    A name may hold arguments that have a default in front of the first FROM, and end in a digest that the map leaves
    out.
    """
    expand = _expansion(dockerfile)

    def replaced(found: re.Match[str]) -> str:
        name = expand(found["name"])
        known = next((known for known in (name, name.partition("@")[0]) if known in replacements), None)
        return found["head"] + (found["name"] if known is None else replacements[known])

    return _COPIED_FROM.sub(replaced, _BASE.sub(replaced, dockerfile))


def expanded(dockerfile: str, name: str) -> str:
    """The name of an image, with the arguments in it that have a default in front of the first FROM."""
    return _expansion(dockerfile)(name)


def without_extras(dockerfile: str) -> str:
    """The Dockerfile without what only makes BuildKit's builds faster."""
    while (shorter := _FASTER.sub(r"\g<kept>", dockerfile)) != dockerfile:
        dockerfile = shorter
    return dockerfile


def obstacles(dockerfile: str) -> Iterator[tuple[int, str]]:
    """What the builder cannot do, by line, with what can be written in its place."""
    lines = dockerfile.splitlines()
    for found in instructions(dockerfile):
        here = _HEREDOC.search(found.rest) if found.word in _KNOWN_FLAGS else None
        if here and here["end"] in map(str.strip, lines[found.line :]):
            yield (
                found.line,
                f"{found.word} <<{here['end']} needs BuildKit: write the lines with && and \\, or copy a file",
            )
        for flag in _flags(found):
            if flag not in _KNOWN_FLAGS[found.word]:
                yield (
                    found.line,
                    f"{found.word} --{flag} needs BuildKit: {_INSTEAD.get(flag, 'leave it out')}",
                )


def last_workdir(dockerfile: str) -> PurePosixPath | None:
    """The WORKDIR that the last stage ends with; None where it names none, or an argument decides."""
    workdir: PurePosixPath | None = None
    ended: dict[str, PurePosixPath | None] = {}
    stage = ""
    for found in instructions(dockerfile):
        if found.word == "FROM" and (parts := _STAGE.fullmatch(found.rest)):
            ended[stage] = workdir
            workdir, stage = ended.get(parts["base"].lower()), (parts["name"] or "").lower()
        elif found.word == "WORKDIR":
            path = PurePosixPath(found.rest.strip("\"'"))
            workdir = (
                None if "$" in found.rest else path if path.is_absolute() else workdir and workdir / path
            )
    return workdir


def _flags(found: Instruction) -> Iterator[str]:
    """The options of an instruction, but for those that are left out."""
    rest = found.rest if found.word in _KNOWN_FLAGS else ""
    while flag := _FLAG.match(rest):
        if not _EXTRA.fullmatch(flag[0].strip()):
            yield flag["name"]
        rest = rest[flag.end() :]


def _expansion(dockerfile: str) -> Callable[[str], str]:
    """Puts the defaults of the arguments in front of the first FROM in their places; what has none stays."""
    defaults: dict[str, str] = {}

    def value(found: re.Match[str]) -> str:
        name = found["plain"] or found["braced"]
        return defaults.get(name) or found["default"] or found[0]

    for found in instructions(dockerfile):
        if found.word == "FROM":
            break
        if found.word == "ARG":
            for argument in _ARGUMENT.finditer(found.rest):
                defaults[argument["name"]] = _VARIABLE.sub(value, argument["value"])
    return lambda name: _VARIABLE.sub(value, name)
