"""The proof of a task's admission, which is stored beside the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

PROOF_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Tally:
    """The test counts of one run by status. Expected failures count as skipped, because neither is a pass."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        named = [f"{number} {name}" for name, number in asdict(self).items() if number]
        return ", ".join(named) or "no test"


@dataclass(frozen=True, slots=True)
class Strength:
    """The tests that pass although the code is missing; see `harness.admission.strength`.

    `files` are the removed files, from the reference patch. `vacuous` tests pass without these files, `static` tests
    pass when only the text of the code is there; None if this was not measured, and then `note` says why.
    """

    files: tuple[str, ...]
    vacuous: tuple[str, ...] | None
    static: tuple[str, ...] | None
    note: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Reads the `strength` object of a proof. Raises TypeError or AttributeError for any other object."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
        }
        return cls(**values)

    def sentences(self, total: int) -> list[str]:
        """The results for a task with `total` tests, as sentences without full stops: `2 of 34 tests are vacuous`."""
        known = [
            f"{len(tests) or 'none'} of {total} tests {'is' if len(tests) == 1 else 'are'} {word}"
            for word, tests in (("vacuous", self.vacuous), ("static", self.static))
            if tests is not None
        ]
        return [*known, *([self.note] if self.note else [])]


@dataclass(frozen=True, slots=True)
class Trap:
    """An altered copy of a hidden test that every correct solution fails; see `harness.grading.traps`.

    `file`: the path of the hidden test file. `key`: which alteration of which test in it. `digest`: of the alteration;
    a version that alters the test in another way does not use this trap. `seconds`: what it adds to a test run, at
    most, with the reference patch or with the unchanged code; 0 in older proofs.
    """

    file: str
    key: str
    digest: str
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Traps:
    """The traps that the reference patch fails, and how the test script ends when some of them are added.

    `exit_code` and `closing` are those of the script; see `Proof`.
    """

    known: tuple[Trap, ...]
    exit_code: int
    closing: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Reads the `traps` object. Raises TypeError, ValueError, KeyError or AttributeError for any other object."""
        known = [Trap(**{**trap, "seconds": float(trap.get("seconds", 0))}) for trap in stored["known"]]
        return cls(**{**stored, "known": tuple(known)})


@dataclass(frozen=True, slots=True)
class Proof:
    """What admission measured in containers, and the manifest that grades a run.

    `digest` is the task's digest at the time of the proof; the proof is only valid for this digest.
    `fail_to_pass` tests fail without and pass with the reference patch; `pass_to_pass` tests pass both times. `null`
    and `oracle` are the test counts of these two runs. `closing`: the pattern of the last line that the script prints
    when all tests pass (see `harness.grading.closing`), '' if no such line mentions tests. `traps`: None if there are
    too few. Older proofs lack `null`, `oracle`, `strength`, `closing` and `traps`.
    """

    digest: str
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    repeats: int
    proved_at: str
    harness_version: str
    floor_passed: int
    ceiling_seconds: float
    null: Tally | None = None
    oracle: Tally | None = None
    strength: Strength | None = None
    closing: str = ""
    traps: Traps | None = None

    @property
    def tests(self) -> tuple[str, ...]:
        """The ids of all tests that must be present and pass, fail-to-pass first."""
        return self.fail_to_pass + self.pass_to_pass

    def to_json(self) -> dict[str, Any]:
        """The content of `proof.json`."""
        stored: dict[str, Any] = {
            "schema_version": PROOF_SCHEMA,
            "digest": self.digest,
            "proved_at": self.proved_at,
            "harness_version": self.harness_version,
            "repeats": self.repeats,
            "floor_passed": self.floor_passed,
            "ceiling_seconds": self.ceiling_seconds,
            "fail_to_pass": list(self.fail_to_pass),
            "pass_to_pass": list(self.pass_to_pass),
        }
        for name in ("null", "oracle", "strength", "traps"):
            value = getattr(self, name)
            if value is not None:
                stored[name] = asdict(value)
        if self.closing:
            stored["closing"] = self.closing
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The proof from a JSON object. Raises TypeError, KeyError or AttributeError for another schema."""
        values = {name: value for name, value in stored.items() if name != "schema_version"}
        for name in ("fail_to_pass", "pass_to_pass"):
            values[name] = tuple(values[name])
        for name in ("null", "oracle"):
            if name in values:
                values[name] = Tally(**values[name])
        for name, kind in (("strength", Strength), ("traps", Traps)):
            if name in values:
                values[name] = kind.from_json(values[name])
        return cls(**values)
