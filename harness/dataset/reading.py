"""Reads dataset files and collects all problems, each with file, field and reason, instead of raising the first."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from harness.dataset.dockerfiles import obstacles
from harness.dataset.model import SLUG, Dataset, Problem
from harness.dataset.proofs import PROOF_SCHEMA, Proof
from harness.dataset.trees import Tree, digest_of, files_below, is_utf8
from harness.patches import PatchError, check_applies

MAX_FILE_BYTES = 64 << 20
# Stands for the name of the test that a trap adds: `benchbench_trap`, `benchbenchTrap` or `benchbench trap`.
TRAP_NAME = re.compile(rb"benchbench(_t|T| t)rap")
MAX_TREE_BYTES = 256 << 20

_Member = TypeVar("_Member", bound=StrEnum)


class Reader:
    """Reads files below the dataset's `directory` and collects their problems in `problems`.

    `only`: the slugs of one repository and one of its tasks. Then nothing else is read, and the checks that the task's
    digest makes unnecessary are skipped.
    """

    def __init__(self, directory: Path, *, only: tuple[str, str] | None = None) -> None:
        self.directory = directory
        self.problems: list[Problem] = []
        self.only = only

    def name_of(self, directory: Path) -> str:
        """The name of the repository or the task in `directory`."""
        return directory.name

    def repositories_of(self, found: Iterable[Path]) -> list[Path]:
        """The directories of repositories to read."""
        return [path for path in found if self.only is None or self.name_of(path) == self.only[0]]

    def tasks_of(self, found: Iterable[Path]) -> list[Path]:
        """The directories of tasks to read."""
        return [path for path in found if self.only is None or self.name_of(path) == self.only[1]]

    def proof(self, path: Path) -> Proof | None:
        """The stored proof, also if it is not for the current files; None if there is none."""
        if not path.exists():
            return None
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored["schema_version"] != PROOF_SCHEMA:
                self.problem(path, "schema_version", f"must be {PROOF_SCHEMA}")
                return None
            proof = Proof.from_json(stored)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self.problem(path, "", f"is not a proof of admission: {error!r}")
            return None
        if not proof.fail_to_pass:
            self.problem(path, "fail_to_pass", "is empty: an untouched workspace would resolve the task")
        if len(set(proof.tests)) != len(proof.tests):
            self.problem(path, "fail_to_pass, pass_to_pass", "name a test twice")
        return proof

    def check_patch(self, reference: Path, source: Tree) -> None:
        """Reports a reference patch that does not apply to the source."""
        if self.only:
            return
        diff = reference.read_bytes()
        try:
            check_applies(diff, source.read)
        except PatchError as error:
            self.problem(reference, error.where, f"{error.reason}{_oddity(diff)}")

    def traps(self, directory: Path, tests: Tree) -> tuple[Path, ...]:
        """The author's traps of a task; reports those that do not apply to its hidden tests or add no named test."""
        found = tuple(sorted(directory.glob("traps/*.diff")))
        for path in found:
            if not TRAP_NAME.search(path.read_bytes()):
                self.problem(path, "", "does not name the test that it adds benchbench_trap")
            self.check_patch(path, tests)
        return found

    def check_canary(self, dataset: Dataset) -> None:
        """Reports hidden parts without the canary, and visible files with it."""
        needle = dataset.canary.encode()
        for repository, task in dataset.tasks():
            if needle not in task.reference_diff.read_bytes():
                self.problem(task.reference_diff, "", "does not contain the dataset's canary")
            if not any(needle in path.read_bytes() for path in task.tests.paths() if path.is_file()):
                self.problem(task.tests.root, "", "no file contains the dataset's canary")
            for path in [repository.dockerfile, *repository.source.paths()]:
                if path.is_file() and needle in path.read_bytes():
                    self.problem(path, "", "contains the canary, which belongs to the hidden parts only")

    def check_dockerfile(self, path: Path) -> None:
        """Reports a missing Dockerfile, and instructions that the classic builder does not support."""
        if not self.require(path, "the environment is built from it") or self.only:
            return
        for line, reason in obstacles(self.read(path)):
            self.problem(path, f"line {line}", reason)

    def check_tree(self, tree: Tree) -> bool:
        """Whether `tree` is readable: no link leads out of the dataset, all names are UTF-8, and it is not too big.

        Sizes are checked before anything is read, because each run holds the tree in memory.
        """
        before, total, biggest = len(self.problems), 0, (0, tree.root)
        for path in tree.paths():
            if not is_utf8(path.name):
                self.problem(Path(_shown(path)), "name", "is not UTF-8")
            elif path.is_symlink():
                if not path.resolve().is_relative_to(self.directory):
                    self.problem(path, "", "leads out of the dataset")
            else:
                size = path.stat().st_size
                total, biggest = total + size, max(biggest, (size, path))
        if total > MAX_TREE_BYTES:
            self.problem(
                biggest[1],
                "",
                f"is too big: with its {_megabytes(biggest[0])} the tree {tree.root} holds {_megabytes(total)}, and "
                f"at most {_megabytes(MAX_TREE_BYTES)} are read. Let the Dockerfile fetch or make what is big",
            )
        return len(self.problems) == before

    def require(self, path: Path, why: str, *, tree: bool = False) -> bool:
        """Whether `path` is a file with content (or a tree with files), inside the dataset."""
        if not (path.is_dir() if tree else path.is_file()):
            self.problem(path, "", f"is missing: {why}")
        elif not (files_below(path) if tree else path.stat().st_size):
            self.problem(path, "", f"is empty: {why}")
        elif not tree and path.stat().st_size > MAX_FILE_BYTES:
            size = _megabytes(path.stat().st_size)
            self.problem(path, "", f"is too big: {size}, at most {_megabytes(MAX_FILE_BYTES)} are read")
        else:
            outside = [
                link
                for link in (files_below(path) if tree else [path])
                if not link.resolve().is_relative_to(self.directory)
            ]
            for link in outside:
                self.problem(link, "", "leads out of the dataset")
            return not outside
        return False

    def read(self, path: Path) -> str:
        """The text of a file; empty if it is not UTF-8."""
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            self.problem(path, f"byte {error.start}", "is not UTF-8")
            return ""

    def digest(self, *roots: Path | bool, extra: str) -> str:
        """The digest of `extra` and those of `roots` that exist."""
        there = [root for root in roots if isinstance(root, Path) and root.exists()]
        return hashlib.sha256(f"{digest_of(*there)} {extra}".encode()).hexdigest()

    def slug(self, directory: Path) -> str:
        """The name of a directory; reports a name that is not a slug."""
        if not SLUG.fullmatch(directory.name):
            rule = "must be lower-case letters and digits, joined by '-', '_' or '.'"
            self.problem(directory, "name", rule)
        return directory.name

    def problem(self, path: Path, where: str, reason: str) -> None:
        """Adds a problem."""
        self.problems.append(Problem(path, where, reason))


def _megabytes(size: int) -> str:
    return f"{-(-size >> 20)} MB"


def _shown(path: Path) -> str:
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _oddity(diff: bytes) -> str:
    """An unusual property of a rejected patch that may be the reason, or ''."""
    if b"\r\n" in diff:
        return " (lines of the patch end in CR LF)"
    if diff.strip() and not diff.endswith(b"\n"):
        return " (the last line of the patch has no end)"
    return ""


class Table:
    """One TOML file, read field by field. `close` reports the fields that were not read.

    If an `optional` file is missing, neither the file nor its fields are reported.
    """

    def __init__(self, reader: Reader, path: Path, *, optional: bool = False) -> None:
        self.reader = reader
        self.path = path
        self.readable = False
        self.values: Mapping[str, Any] = {}
        self.known: set[str] = set()
        try:
            self.values = tomllib.loads(path.read_text(encoding="utf-8"))
            self.readable = True
        except FileNotFoundError:
            if not optional:
                self.problem("", "is missing")
        except UnicodeDecodeError as error:
            self.problem(f"byte {error.start}", "is not UTF-8")
        except tomllib.TOMLDecodeError as error:
            self.problem("", f"is not TOML: {error}")

    def text(self, name: str, default: str | None = None) -> str:
        """A non-empty string."""
        value = self.get(name, default)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.problem(name, f"must be a non-empty string, not {value!r}")
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A non-empty list of strings."""
        value = self.get(name, None)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return tuple(value)
        if value is not None:
            self.problem(name, f"must be a non-empty list of strings, not {value!r}")
        return ()

    def members(self, name: str, known: Sequence[str]) -> tuple[str, ...]:
        """A list of some of the `known` names, each once; optional."""
        value = self.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.problem(name, f"must be a list of strings, not {value!r}")
            return ()
        if unknown := [item for item in value if item not in known]:
            self.problem(name, f"names {', '.join(map(repr, unknown))}; known are: {', '.join(known)}")
        elif len(set(value)) != len(value):
            self.problem(name, f"names one twice: {', '.join(value)}")
        return tuple(value)

    def seconds(self, name: str, default: float) -> float:
        """A positive number of seconds."""
        value = self.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
        self.problem(name, f"must be a positive number of seconds, not {value!r}")
        return default

    def member(self, name: str, kind: type[_Member]) -> _Member:
        """One of the values of an enumeration."""
        value = self.get(name, None)
        try:
            return kind(value)
        except ValueError:
            if value is not None:
                self.problem(name, f"must be one of {', '.join(kind)}; not {value!r}")
            return next(iter(kind))

    def choice(self, name: str, known: Iterable[str], default: str) -> str:
        """One of a few names."""
        value = self.get(name, default)
        if value in known:
            return str(value)
        self.problem(name, f"must be one of {', '.join(known)}; not {value!r}")
        return default

    def get(self, name: str, default: Any) -> Any:
        """The value of a field. With `default` None, the field is required."""
        self.known.add(name)
        if name not in self.values and default is None and self.readable:
            self.problem(name, "is missing")
        return self.values.get(name, default)

    def close(self) -> None:
        """Reports every field that was not read."""
        for name in sorted(self.values.keys() - self.known):
            self.problem(name, f"is unknown; known are: {', '.join(sorted(self.known))}")

    def problem(self, where: str, reason: str) -> None:
        """Adds a problem of this file."""
        self.reader.problem(self.path, where, reason)
