"""Reads JSON and YAML files that other tools wrote. They are untrusted: size, values and depth have limits."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from runs.intake.reported.reported_result import ResultsRefused

MAX_BYTES = 256 * 1024**2
MAX_VALUES = 5_000_000  # about 500 MB of memory
MAX_FILES = 500_000
MAX_YAML_BYTES = 1024**2  # libyaml reads 1 MB in less than a second
MAX_YAML_DEPTH = 20
YAML_SUFFIXES = frozenset({".yml", ".yaml"})


_YamlLoader = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
_BEGIN = (
    yaml.BlockMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.FlowSequenceStartToken,
)
_END = (yaml.BlockEndToken, yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """The content of one file. `place` is its name for messages: below the directory that is imported.

    `whole` False: of a large file or JSON lines, `content` is only the beginning (`JsonPart.outline`).
    """

    path: Path
    place: str
    content: Any
    whole: bool = True


class PrintedFloat(float):
    """A number of a JSON file, which knows its digits there."""

    printed: str

    def __new__(cls, text: str) -> PrintedFloat:
        """From the text in the file."""
        number = super().__new__(cls, text)
        number.printed = text
        return number


# `json.loads` with these arguments makes such a decoder for each line.
_DECODER = json.JSONDecoder(parse_float=PrintedFloat, parse_constant=lambda _: None)


def printed(value: object) -> str | None:
    """A number as its file prints it; None if the value is no number."""
    if isinstance(value, PrintedFloat):
        return value.printed
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def read_json(path: Path, place: str) -> Any:
    """The value of a JSON file. Raises ResultsRefused."""
    return parse_json(_bytes_of(path, place, MAX_BYTES), place)


def _bytes_of(path: Path, place: str, most: int) -> bytes:
    """The content of a file. Raises ResultsRefused if it is longer, or no file that can be read."""
    if path.exists() and not path.is_file():  # opening a pipe would wait for ever
        raise ResultsRefused(place, "it is not a file")
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise ResultsRefused(place, f"unreadable: {error.strerror}") from error
    if len(data) > most:
        raise ResultsRefused(place, f"it has more than {most:,} bytes")
    return data


def parse_json(data: bytes, place: str) -> Any:
    """The value of these bytes. NaN and Infinity, which Python writes for what it does not know, are None."""
    if len(data) > MAX_BYTES:
        raise ResultsRefused(place, f"it has more than {MAX_BYTES:,} bytes")
    if sum(map(data.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ResultsRefused(place, f"it has more than {MAX_VALUES:,} values")
    try:
        return _DECODER.decode(data.decode(json.detect_encoding(data), "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ResultsRefused(place, f"it is not JSON: {error}") from error


def read_yaml(path: Path, place: str) -> Any:
    """The value of a YAML file, in which every number is a text, as it is printed. Raises ResultsRefused.

    Aliases are refused: with them a small file has any number of values.
    """
    data = _bytes_of(path, place, MAX_YAML_BYTES)
    depth = 0
    try:
        for token in yaml.scan(data, _YamlLoader):
            depth += isinstance(token, _BEGIN) - isinstance(token, _END)
            if depth > MAX_YAML_DEPTH or isinstance(token, yaml.AliasToken):
                where = f"line {token.start_mark.line + 1}"
                raise ResultsRefused(
                    place, f"{where}: aliases, and more than {MAX_YAML_DEPTH} levels, are not read"
                )
        return yaml.load(data, _YamlLoader)  # noqa: S506 - it makes texts, lists and mappings only
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise ResultsRefused(place, f"it is not YAML: {' '.join(str(error).split())[:300]}") from error


def pick(value: Any, *names: str) -> Any:
    """The value at these names in nested objects; None if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def pick_text(value: Any, *names: str) -> str:
    """The text at these names in nested objects; '' for anything else."""
    text = pick(value, *names)
    return text if isinstance(text, str) else ""


def pick_list(value: Any, *names: str) -> list[Any]:
    """The list at these names in nested objects; an empty one for anything else."""
    listed = pick(value, *names)
    return listed if isinstance(listed, list) else []


def pick_objects(value: Any, *names: str) -> list[dict[str, Any]]:
    """The objects in the list at these names in nested objects."""
    return [element for element in pick_list(value, *names) if isinstance(element, dict)]


def pick_values(value: Any, *names: str) -> list[Any]:
    """The values of the object at these names in nested objects; none for anything else."""
    found = pick(value, *names)
    return list(found.values()) if isinstance(found, dict) else []


def pick_first(value: Any, *names: str) -> Any:
    """The first element of the list at these names in nested objects; None if there is none."""
    return next(iter(pick_list(value, *names)), None)


def json_in(value: Any) -> Any:
    """The value of a text of JSON, None if it is none; what is no text, as it is."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def text_of(value: Any) -> str:
    """A value as a text: a text itself, others as JSON."""
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[nested too deeply to be written]"


def objects(place: str, name: str, value: Any) -> Sequence[dict[str, Any]]:
    """A list of objects. Raises ResultsRefused for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ResultsRefused(place, f"{name!r} is not a list of objects")
    return value


def texts(place: str, name: str, value: Any) -> Sequence[str]:
    """A list of texts; none if the file does not have it. Raises ResultsRefused for anything else."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ResultsRefused(place, f"{name!r} is not a list of texts")
    return value


def places_below(directory: Path) -> Iterator[str]:
    """The places of all files below a directory in the order of their names. Links are not followed.

    Raises ResultsRefused if there are too many, or if a directory is unreadable.
    """
    count, waiting = 0, [""]
    while waiting:
        home = waiting.pop()
        try:
            with os.scandir(directory / home) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            raise ResultsRefused(directory / home, f"unreadable: {error.strerror}") from error
        below = [f"{home}{entry.name}/" for entry in entries if entry.is_dir(follow_symlinks=False)]
        count += len(entries) - len(below)
        if count > MAX_FILES:
            raise ResultsRefused(directory, f"it has more than {MAX_FILES:,} files")
        yield from (f"{home}{entry.name}" for entry in entries if entry.is_file(follow_symlinks=False))
        waiting += reversed(below)


def is_plain_file(path: Path) -> bool:
    """Whether there is a file at a path, and no link to one."""
    return stat.S_ISREG(_mode(path))


def is_plain_directory(path: Path) -> bool:
    """Whether there is a directory at a path, and no link to one."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """What is at a path; 0 if nothing is, or if there is no such path."""
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return 0


def is_name_in_directory(value: Any) -> bool:
    """Whether this is the name of something in a directory, which can be shown, and leads to no other one."""
    return (
        isinstance(value, str)
        and value.isprintable()
        and value not in ("", "..")
        and Path(value).name == value
    )
