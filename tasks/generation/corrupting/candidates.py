"""Candidates for tasks: one file each, with the change, and what became of it, also if it was refused."""

from __future__ import annotations

import fcntl
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from harness.errors import ConfigurationError, HarnessError
from harness.functions import contents
from harness.patches import FileState, make_patch
from harness.records.whole_file import write_json
from tasks.generation.corrupting.source_tree import Place, SourceTree, rank

CANDIDATE_SCHEMA = 1
# Increase the first number when candidates are made in another way, the second when an operator lists other sites.
GENERATOR_VERSION = "1.1"
KEY_LENGTH = 24
_KEY_NAME = re.compile(r"[0-9a-f]{24}\.json")


class CandidateError(HarnessError):
    """A file is no candidate of this version. The message names it, and what to do."""


class Kind(StrEnum):
    """How a candidate is made."""

    REMOVE = "remove"
    CORRUPT = "corrupt"
    MULTI = "multi"
    ADVERSARIAL = "adversarial"


class Reason(StrEnum):
    """Why a candidate became no task."""

    NO_SITE = "no_site"  # no operator finds a place, or the function has no body
    CLUE = "clue"  # every change that was found gives a clue
    NO_ANSWER = "no_answer"  # the model made no admissible change
    UNPAID = "unpaid"  # the budget, or another limit, ended the model's tries
    SURVIVED = "survived"  # no test fails
    TOO_FEW_FAILING = "too_few_failing"
    TESTS_MISSING = "tests_missing"  # tests did not run at all, as when a module cannot be imported
    SUITE_FAILS = "suite_fails"  # there is no report of the tests
    TOO_SLOW = "too_slow"
    FLAKY = "flaky"
    NOT_ADMITTED = "not_admitted"  # the proof of admission failed for another reason


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason, and what it was in this case."""

    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ChangedFunction:
    """A function that a candidate changes, and the digests of its code in the source and in the start."""

    path: str
    name: str
    occurrence: int
    operator: str
    digest_before: str
    digest_after: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One change of a repository that may become a task.

    `start`: the patch from the source to the tree that the agent gets; '' if there is none. `parts`: the keys of the
    candidates that it combines. `model`: the prompt and the replies, if a model made it. `screening`: what the tests
    showed. `task`: the name of the task that was made of it, '' before that. A candidate with a refusal is finished.
    """

    key: str
    kind: Kind
    source_digest: str
    seed: int
    targets: tuple[ChangedFunction, ...]
    start: str = ""
    parts: tuple[str, ...] = ()
    model: Mapping[str, Any] | None = None
    screening: Mapping[str, Any] | None = None
    refusal: Refusal | None = None
    task: str = ""
    generator: str = GENERATOR_VERSION

    def to_json(self) -> dict[str, Any]:
        """The content of its file."""
        return {"schema_version": CANDIDATE_SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, stored: Any) -> Self:
        """Raises KeyError, TypeError or ValueError for what is no candidate."""
        values = {name: value for name, value in dict(stored).items() if name != "canary"}
        if values.pop("schema_version") != CANDIDATE_SCHEMA:
            raise ValueError(f"schema_version must be {CANDIDATE_SCHEMA}")
        refusal = values["refusal"]
        return cls(**{
            **values,
            "kind": Kind(values["kind"]),
            "targets": tuple(ChangedFunction(**target) for target in values["targets"]),
            "parts": tuple(values["parts"]),
            "refusal": refusal and Refusal(Reason(refusal["reason"]), refusal["detail"]),
        })  # fmt: skip


def candidate_key(
    source_digest: str, places: Iterable[Place], operators: Iterable[str], seed: int, kind: Kind
) -> str:
    """The name of a candidate: the same change of the same source has the same name, in every run of the generator."""
    targets = [[place.path, place.function.name, place.function.occurrence] for place in places]
    return rank(source_digest, targets, list(operators), seed, kind, GENERATOR_VERSION)[:KEY_LENGTH]


Stored = Callable[[str], Candidate | None]
"""The candidate with this key if it was made before."""


def none_stored(_key: str) -> Candidate | None:
    """For making candidates without a store."""
    return None


def candidate(
    tree: SourceTree,
    place: Place,
    operator: str,
    after: str | Refusal,
    *,
    seed: int,
    kind: Kind,
    stored: Stored = none_stored,
) -> Candidate:
    """The candidate of one function. `after`: the changed file, or why there is none."""
    key = candidate_key(tree.digest, [place], [operator], seed, kind)
    if found := stored(key):
        return found
    if isinstance(after, Refusal):
        target = _target(place, operator, place.digest)
        return Candidate(key, kind, tree.digest, seed, (target,), refusal=after)
    changed = _target(place, operator, contents(place.path, after)[place.function.key])
    return Candidate(key, kind, tree.digest, seed, (changed,), start_patch(tree, {place.path: after}))


def _target(place: Place, operator: str, after: str) -> ChangedFunction:
    function = place.function
    return ChangedFunction(place.path, function.name, function.occurrence, operator, place.digest, after)


def start_patch(tree: SourceTree, changed: Mapping[str, str]) -> str:
    """The patch from the source to the source with these files."""
    before = [FileState(path, tree.texts[path].encode("utf-8")) for path in changed]
    after = [FileState(path, text.encode("utf-8")) for path, text in changed.items()]
    return make_patch(before, after).decode("utf-8")


class CandidateStore:
    """The candidates in a directory. Each is written as a whole or not at all, so a killed run loses none.

    `canary`: of the dataset; it is in each file.
    """

    def __init__(self, directory: Path, canary: str = "") -> None:
        self.directory = directory
        self._canary = canary

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Removes what a killed run left half-written. Raises ConfigurationError while another run has the lock."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / ".lock").open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ConfigurationError(
                    f"another run writes candidates into {self.directory}: wait for its end"
                ) from None
            for partial in self.directory.glob("*.partial"):
                partial.unlink()
            yield

    def get(self, key: str) -> Candidate | None:
        """The stored candidate, None if there is none. Raises CandidateError."""
        path = self._path(key)
        return _read(path) if path.exists() else None

    def put(self, one: Candidate) -> Candidate:
        """Stores a candidate in place of an older state of it."""
        write_json(self._path(one.key), {"canary": self._canary, **one.to_json()})
        return one

    def all(self) -> list[Candidate]:
        """All candidates, by name. Raises CandidateError."""
        return [
            _read(path) for path in sorted(self.directory.glob("*.json")) if _KEY_NAME.fullmatch(path.name)
        ]

    def _path(self, key: str) -> Path:
        return self.directory / f"{key}.json"


def _read(path: Path) -> Candidate:
    try:
        return Candidate.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CandidateError(f"{path} is no candidate: {error!r}. Remove it: it is made again") from error


@dataclass(frozen=True, slots=True)
class Yield:
    """How many candidates of one kind there are, became tasks, wait for a step, or were refused, by reason."""

    kind: Kind
    made: int
    tasks: int
    waiting: int
    refused: Mapping[Reason, int]


def yields(candidates: Iterable[Candidate]) -> list[Yield]:
    """The yield of each kind with candidates. The numbers of a line add up: made = tasks + waiting + refused."""
    by_kind: dict[Kind, list[Candidate]] = {}
    for one in candidates:
        by_kind.setdefault(one.kind, []).append(one)
    return [_yield(kind, by_kind[kind]) for kind in Kind if kind in by_kind]


def _yield(kind: Kind, found: list[Candidate]) -> Yield:
    refused = Counter(one.refusal.reason for one in found if one.refusal)
    tasks = sum(bool(one.task) and one.refusal is None for one in found)
    ordered = {reason: refused[reason] for reason in Reason if refused[reason]}
    return Yield(kind, len(found), tasks, len(found) - tasks - refused.total(), ordered)
