"""What admission measured, as it is stored beside a task."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.dataset import Proof, Strength, Tally, Traps

OLD = {
    "schema_version": 1,
    "digest": "abc",
    "proved_at": "2026-01-01T00:00:00.000Z",
    "harness_version": "0.1",
    "repeats": 3,
    "floor_passed": 1,
    "ceiling_seconds": 0.5,
    "fail_to_pass": ["new"],
    "pass_to_pass": ["old", "older"],
}
PROOF = Proof("abc", ("new",), ("old", "older"), 3, "2026-01-01T00:00:00.000Z", "0.1", 1, 0.5)


@pytest.mark.parametrize(
    ("tally", "text"),
    [
        (Tally(), "no test"),
        (Tally(passed=3), "3 passed"),
        (Tally(passed=1, failed=2, errors=3, skipped=4), "1 passed, 2 failed, 3 errors, 4 skipped"),
        (Tally(skipped=1), "1 skipped"),
    ],
)
def test_a_tally_names_what_it_counted(tally: Tally, text: str) -> None:
    assert str(tally) == text


@pytest.mark.parametrize(
    ("strength", "sentences"),
    [
        (Strength(("a",), (), ()), ["none of 9 tests are vacuous", "none of 9 tests are static"]),
        (Strength(("a",), ("t",), ("u", "v")), ["1 of 9 tests is vacuous", "2 of 9 tests are static"]),
        (Strength(("a",), ("t",), None, "no form"), ["1 of 9 tests is vacuous", "no form"]),
        (Strength((), None, None, "nothing to take"), ["nothing to take"]),
    ],
)
def test_strength_is_described_in_sentences(strength: Strength, sentences: list[str]) -> None:
    assert strength.sentences(9) == sentences


def test_a_proof_lists_what_has_to_pass_first() -> None:
    assert PROOF.tests == ("new", "old", "older")


def test_an_old_proof_is_read_and_stored_without_what_it_lacks() -> None:
    assert Proof.from_json(OLD) == PROOF
    assert PROOF.to_json() == OLD


def test_a_whole_proof_survives_as_json() -> None:
    proof = replace(
        PROOF,
        null=Tally(passed=1, errors=2),
        oracle=Tally(passed=3),
        strength=Strength(("a.py",), ("old",), None, "no inert form"),
        closing="# passed",
    )
    stored = json.loads(json.dumps(proof.to_json()))
    assert stored["null"] == {"passed": 1, "failed": 0, "errors": 2, "skipped": 0}
    assert stored["closing"] == "# passed"
    assert Proof.from_json(stored) == proof


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"extra": 1}, TypeError),
        ({"fail_to_pass": 3}, TypeError),
        ({"null": {"passed": 1, "lost": 2}}, TypeError),
        ({"strength": []}, AttributeError),
    ],
)
def test_another_schema_is_an_error(change: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Proof.from_json({**OLD, **change})


def test_a_proof_without_its_tests_is_an_error() -> None:
    with pytest.raises(KeyError, match="pass_to_pass"):
        Proof.from_json({name: value for name, value in OLD.items() if name != "pass_to_pass"})


def test_traps_of_an_older_proof_have_no_seconds_and_a_word_in_their_place_is_refused() -> None:
    trap = {"file": "t.py", "key": "test_a/1", "digest": "0"}
    stored = {"known": [trap, {**trap, "key": "test_b/1", "seconds": 2}], "exit_code": 1}
    assert [one.seconds for one in Traps.from_json(stored).known] == [0.0, 2.0]
    with pytest.raises(ValueError, match="quick"):
        Traps.from_json({**stored, "known": [{**trap, "seconds": "quick"}]})
