"""Analyses Dockerfiles: their base images, and the instructions that need BuildKit.

Images are built through the engine's API, which only offers the classic builder. BuildKit options that only make builds
faster (`RUN --mount=type=cache`, `COPY --link`) are removed; options that change the result are reported as problems.
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
    rf"^(?P<start>[ \t]*(?:RUN|COPY|ADD){_GAP}+(?:--\S+{_GAP}+)*?)(?:{_EXTRA.pattern}){_GAP}+",
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
    "chmod": "leave it out, and RUN chmod after it",
    "exclude": "name what is to be left out in .dockerignore",
}
_STAGE = re.compile(r"(?:--\S+\s+)*(?P<base>\S+)(?:\s+AS\s+(?P<name>\S+))?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: the number of its first line, its keyword in capitals, and its arguments on one line."""

    line: int
    word: str
    rest: str


def instructions(dockerfile: str) -> Iterator[Instruction]:
    """The instructions in order, without comments (also not those between continued lines)."""
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
    """The Dockerfile with the images in FROM and COPY --from replaced as `replacements` says.

    A name may contain build arguments with a default before the first FROM. It may end in a digest that the keys of
    `replacements` leave out.
    """
    expand = _expansion(dockerfile)

    def replaced(found: re.Match[str]) -> str:
        name = expand(found["name"])
        known = next((known for known in (name, name.partition("@")[0]) if known in replacements), None)
        return found["head"] + (found["name"] if known is None else replacements[known])

    return _COPIED_FROM.sub(replaced, _BASE.sub(replaced, dockerfile))


def expanded(dockerfile: str, name: str) -> str:
    """The name of an image, with its build arguments replaced by their defaults from before the first FROM."""
    return _expansion(dockerfile)(name)


def without_extras(dockerfile: str) -> str:
    """The Dockerfile without the BuildKit options that only make builds faster."""
    while (shorter := _FASTER.sub(r"\g<start>", dockerfile)) != dockerfile:
        dockerfile = shorter
    return dockerfile


def obstacles(dockerfile: str) -> Iterator[tuple[int, str]]:
    """Each line that the classic builder does not support, with a message that names an alternative."""
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
    """The final WORKDIR of the last stage; None if it has none, or if it depends on a build argument."""
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
    """The options of an instruction, without those that `without_extras` removes."""
    rest = found.rest if found.word in _KNOWN_FLAGS else ""
    while flag := _FLAG.match(rest):
        if not _EXTRA.fullmatch(flag[0].strip()):
            yield flag["name"]
        rest = rest[flag.end() :]


def _expansion(dockerfile: str) -> Callable[[str], str]:
    """A function that replaces build arguments by their defaults from before the first FROM."""
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
