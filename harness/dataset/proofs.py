"""The proof that a task is fit to be used, as it is stored beside the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

PROOF_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Tally:
    """How the tests of one run ended. Expected failures count as skipped: neither says that something works."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        named = [f"{number} {name}" for name, number in asdict(self).items() if number]
        return ", ".join(named) or "no test"


@dataclass(frozen=True, slots=True)
class Strength:
    """What the tests still pass when the code is taken away; see `harness.admission.test_strength`.

    `files` are those of the reference patch that were taken away. `vacuous` tests pass without them, `static` ones with
    their text alone; None where that was not looked for, and then `note` says why.
    """

    files: tuple[str, ...]
    vacuous: tuple[str, ...] | None
    static: tuple[str, ...] | None
    note: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """What a proof holds under `strength`. Another object raises TypeError or AttributeError."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
        }
        return cls(**values)

    def sentences(self, total: int) -> list[str]:
        """What is known of a task's `total` tests, without full stops: `2 of 34 tests are vacuous`."""
        known = [
            f"{len(tests) or 'none'} of {total} tests {'is' if len(tests) == 1 else 'are'} {word}"
            for word, tests in (("vacuous", self.vacuous), ("static", self.static))
            if tests is not None
        ]
        return [*known, *([self.note] if self.note else [])]


@dataclass(frozen=True, slots=True)
class Proof:
    """What admission measured in containers, and the manifest that grades a run.

    `digest` is the task's digest at the time; a proof for another digest proves nothing.
    `fail_to_pass` fail untouched and pass with the reference patch; `pass_to_pass` pass both times. `null` and `oracle`
    are how the tests ended then, and `strength` what they are worth. `closing`: the shape of the last line that the
    script printed whenever all tests passed (see `harness.grading.closing`), '' where none told of tests. Older proofs
    have none of these four.
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

    @property
    def tests(self) -> tuple[str, ...]:
        """Every test id that has to be present and to pass, fail-to-pass first."""
        return self.fail_to_pass + self.pass_to_pass

    def to_json(self) -> dict[str, Any]:
        """The object that `proof.json` holds."""
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
        for name in ("null", "oracle", "strength"):
            value = getattr(self, name)
            if value is not None:
                stored[name] = asdict(value)
        if self.closing:
            stored["closing"] = self.closing
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The proof in an object of this schema. Another raises TypeError, KeyError or AttributeError."""
        values = {name: value for name, value in stored.items() if name != "schema_version"}
        for name in ("fail_to_pass", "pass_to_pass"):
            values[name] = tuple(values[name])
        for name in ("null", "oracle"):
            if name in values:
                values[name] = Tally(**values[name])
        if "strength" in values:
            values["strength"] = Strength.from_json(values["strength"])
        return cls(**values)
