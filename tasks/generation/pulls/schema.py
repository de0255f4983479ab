"""The published forms of tasks from merged changes, read and written.

- *paper*: one JSON object a task (Coding Agent Evaluation Framework, §2.1.1): id, repo, base_commit, issue_number,
  issue_title, issue_body, pr_number, gold_patch, fail_to_pass, pass_to_pass, relevant_files and difficulty. Its files
  also have pr_title, created_at, pr_url and issue_url.
- *swe-bench*: one JSON object a line, with instance_id, repo, base_commit, patch, test_patch, problem_statement,
  hints_text, created_at, version, FAIL_TO_PASS, PASS_TO_PASS and environment_setup_commit. The two lists are lists, or
  texts that hold a JSON list.

An instance keeps the values as they were read, unknown fields too, so that writing it gives the same JSON again.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from harness.errors import HarnessError

MAX_RECORD_BYTES = 16 << 20
MAX_FILE_BYTES = 1 << 30
MAX_LIST = 200_000
MAX_NAME = 2_000  # characters
MAX_FIELDS = 200
_MAX_NUMBER = 10**12


class Form(StrEnum):
    """A published form."""

    PAPER = "paper"
    SWE_BENCH = "swe-bench"


class Kind(StrEnum):
    """The type of a field. LIST: a list of texts; PACKED: such a list, or a text with one in JSON."""

    TEXT = "a text"
    NUMBER = "a whole number of at least 0"
    LIST = "a list of texts"
    PACKED = "a list of texts, or a text that holds one in JSON"


REQUIRED: Mapping[Form, Mapping[str, Kind]] = {
    Form.PAPER: {
        "id": Kind.TEXT,
        "repo": Kind.TEXT,
        "base_commit": Kind.TEXT,
        "issue_number": Kind.NUMBER,
        "issue_title": Kind.TEXT,
        "issue_body": Kind.TEXT,
        "pr_number": Kind.NUMBER,
        "gold_patch": Kind.TEXT,
        "fail_to_pass": Kind.LIST,
        "pass_to_pass": Kind.LIST,
        "relevant_files": Kind.LIST,
        "difficulty": Kind.TEXT,
    },
    Form.SWE_BENCH: {
        "instance_id": Kind.TEXT,
        "repo": Kind.TEXT,
        "base_commit": Kind.TEXT,
        "patch": Kind.TEXT,
        "test_patch": Kind.TEXT,
        "problem_statement": Kind.TEXT,
        "FAIL_TO_PASS": Kind.PACKED,
        "PASS_TO_PASS": Kind.PACKED,
    },
}
OPTIONAL: Mapping[Form, Mapping[str, Kind]] = {
    Form.PAPER: dict.fromkeys(("pr_title", "created_at", "pr_url", "issue_url"), Kind.TEXT),
    Form.SWE_BENCH: dict.fromkeys(
        ("hints_text", "created_at", "version", "environment_setup_commit"), Kind.TEXT
    ),
}
# May be null or empty: an issue without a text, a change without hints.
_MAY_BE_NULL = frozenset({"issue_body", *OPTIONAL[Form.PAPER], *OPTIONAL[Form.SWE_BENCH]})
_NEVER_EMPTY = frozenset({"id", "instance_id", "repo", "base_commit"})
_ADVICE = {
    Kind.TEXT: "write it in quotes",
    Kind.NUMBER: "write the number without quotes",
    Kind.LIST: 'write ["name", "name"]',
    Kind.PACKED: 'write ["name", "name"], or the same in quotes',
}


class SchemaError(HarnessError):
    """A record that cannot be read. `where`: its line or number in the file and its field, as far as they are known."""

    def __init__(self, path: Path, where: str, reason: str) -> None:
        self.path = path
        self.where = where
        self.reason = reason
        super().__init__(f"{path}{f', {where}' if where else ''}: {reason}")


@dataclass(frozen=True, slots=True)
class Instance:
    """One task as it is published. `values`: all fields as they were read, in their order.

    `path` and `where` say where it stands; both are empty for one that was made here.
    """

    form: Form
    values: Mapping[str, Any]
    path: Path = Path()
    where: str = ""

    @property
    def identifier(self) -> str:
        """The name of the task, unique in its collection."""
        return self._text("id" if self.form is Form.PAPER else "instance_id")

    @property
    def repo(self) -> str:
        """`owner/name`."""
        return self._text("repo")

    @property
    def base_commit(self) -> str:
        """The commit before the change."""
        return self._text("base_commit")

    @property
    def title(self) -> str:
        """The first line of what is asked for."""
        if self.form is Form.PAPER:
            return self._text("issue_title")
        return self._text("problem_statement").strip().split("\n", 1)[0].strip()

    @property
    def description(self) -> str:
        """The text of the issue, without a patch."""
        return self._text("issue_body" if self.form is Form.PAPER else "problem_statement")

    @property
    def patch(self) -> bytes:
        """The whole change, with its tests."""
        parts = ("gold_patch",) if self.form is Form.PAPER else ("patch", "test_patch")
        return b"".join(_ended(self._text(name).encode()) for name in parts)

    @property
    def fail_to_pass(self) -> tuple[str, ...]:
        """Tests that the change makes pass, as the file names them."""
        return self._names("fail_to_pass")

    @property
    def pass_to_pass(self) -> tuple[str, ...]:
        """Tests that pass before and after the change, as the file names them."""
        return self._names("pass_to_pass")

    @property
    def created_at(self) -> str:
        """When the change was proposed; empty if the file does not say it."""
        return self._text("created_at")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields that the form does not have. They are kept."""
        return tuple(
            name for name in self.values if name not in {**REQUIRED[self.form], **OPTIONAL[self.form]}
        )

    def line(self) -> str:
        """The instance as one line of JSON."""
        return json.dumps(self.values, ensure_ascii=False) + "\n"

    def text(self) -> str:
        """The instance as JSON for a file of its own."""
        return json.dumps(self.values, ensure_ascii=False, indent=2) + "\n"

    def _text(self, name: str) -> str:
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def _names(self, name: str) -> tuple[str, ...]:
        value = self.values[name if self.form is Form.PAPER else name.upper()]
        return tuple(json.loads(value) if isinstance(value, str) else value)


def read_instances(path: Path) -> Iterator[Instance | SchemaError]:
    """The instances of a file (JSON, or JSON lines if it ends in .jsonl) or of all such files below a directory.

    A record that cannot be read is yielded as an error, and the next one is read. A path that does not exist, or a
    directory without such files, is one error. Memory is that of one record, or of one JSON file.
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix in {".json", ".jsonl"})
        if not files:
            yield SchemaError(path, "", "holds no *.json or *.jsonl file")
        for file in files:
            yield from read_instances(file)
    elif not path.is_file():
        yield SchemaError(path, "", "is no file: name a JSON file, a JSON-lines file, or a directory of them")
    elif path.stat().st_size > MAX_FILE_BYTES:
        yield SchemaError(path, "", f"is longer than {MAX_FILE_BYTES >> 20} MB: split it")
    elif path.suffix == ".jsonl":
        yield from _read_lines(path)
    else:
        yield from _read_whole(path)


def read_record(values: object, path: Path = Path(), where: str = "") -> Instance:
    """The instance in an object that was read from JSON. Raises SchemaError with the field and a remedy."""
    if not isinstance(values, dict):
        raise SchemaError(path, where, f"must be an object with fields, not {_shown(values)}")
    if len(values) > MAX_FIELDS:
        raise SchemaError(path, where, f"has more than {MAX_FIELDS} fields")
    form = Form.SWE_BENCH if "instance_id" in values else Form.PAPER
    for name, kind in {**REQUIRED[form], **OPTIONAL[form]}.items():
        place = ", ".join(filter(None, (where, name)))
        if name in values:
            _check(values[name], name, kind, path, place)
        elif name in REQUIRED[form]:
            raise SchemaError(path, place, f"is missing: the form {form} needs {', '.join(REQUIRED[form])}")
    return Instance(form, values, path, where)


def _read_lines(path: Path) -> Iterator[Instance | SchemaError]:
    number = 0
    with path.open("rb") as file:
        while line := file.readline(MAX_RECORD_BYTES + 1):
            number += 1
            if len(line) > MAX_RECORD_BYTES:
                yield SchemaError(
                    path,
                    f"line {number}",
                    f"is longer than {MAX_RECORD_BYTES >> 20} MB; what follows is not read",
                )
                return
            if line.strip():
                yield from _parsed(line, path, f"line {number}")


def _read_whole(path: Path) -> Iterator[Instance | SchemaError]:
    if path.stat().st_size > MAX_RECORD_BYTES:
        yield SchemaError(
            path,
            "",
            f"is longer than {MAX_RECORD_BYTES >> 20} MB: write one record a line into a .jsonl file",
        )
        return
    yield from _parsed(path.read_bytes(), path, "")


def _parsed(data: bytes, path: Path, where: str) -> Iterator[Instance | SchemaError]:
    """The records in one JSON text: an object, or a list of them."""
    try:
        found = json.loads(
            data.decode(), object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
        )
    except UnicodeDecodeError as error:
        yield SchemaError(path, where, f"is not UTF-8 at byte {error.start}")
        return
    except RecursionError:
        yield SchemaError(path, where, "is nested too deeply")
        return
    except ValueError as error:
        yield SchemaError(path, where, f"is not JSON: {error}")
        return
    records = found if isinstance(found, list) else [found]
    for number, record in enumerate(records, 1):
        place = f"record {number}" if isinstance(found, list) else where
        try:
            yield read_record(record, path, place)
        except SchemaError as error:
            yield error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the field {_shown(twice)} is there twice")
    return values


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:30]} is too large a number")
    return number


def _check(value: object, name: str, kind: Kind, path: Path, where: str) -> None:
    """Raises SchemaError unless the value of the field is of its kind."""
    if value is None and name in _MAY_BE_NULL:
        return
    wrong = SchemaError(path, where, f"must be {kind}, not {_shown(value)}: {_ADVICE[kind]}")
    if kind is Kind.PACKED and isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise wrong from None
    if kind is Kind.NUMBER:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MAX_NUMBER:
            raise wrong
    elif kind is Kind.TEXT:
        if not isinstance(value, str):
            raise wrong
        _check_text(value, path, where)
        if name in _NEVER_EMPTY and not (value.strip() and len(value) <= MAX_NAME):
            raise SchemaError(path, where, f"must have 1 to {MAX_NAME} characters, and more than spaces")
    elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise wrong
    elif len(value) > MAX_LIST or any(len(item) > MAX_NAME for item in value):
        raise SchemaError(path, where, f"at most {MAX_LIST} names of {MAX_NAME} characters are read")
    else:
        _check_text("".join(value), path, where)


def _check_text(value: str, path: Path, where: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise SchemaError(
            path,
            where,
            f"holds half of a character at place {error.start}, which no file can hold: remove it",
        ) from None


def _shown(value: object) -> str:
    """A value for a message: cut, on one line."""
    text = ascii(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _ended(text: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + b"\n"
