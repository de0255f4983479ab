"""The results of an admission, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.admission.admit import AdmissionRefused
from harness.admission.report import Report, findings
from harness.dataset import Proof, Repository, Strength, Tally, Task, Trap, Traps
from tests.harness.arena import tiny_proof
from tests.harness.worlds import tiny_dataset


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Repository, Task]:
    return next(tiny_dataset(tmp_path).tasks())


@pytest.fixture
def proof(tiny: tuple[Repository, Task]) -> Proof:
    """A proof with everything that may be in one."""
    return replace(
        tiny_proof(tiny[1]),
        digest="0123456789abcdef" * 4,
        null=Tally(passed=3, failed=1, errors=4),
        oracle=Tally(passed=8),
        strength=Strength(("a.py",), ("t::one",), ("t::two", "t::three")),
        traps=Traps(tuple(Trap("t.py", f"{number}/1", "") for number in range(3)), 1),
    )


def test_without_tasks_nothing_is_refused() -> None:
    report = Report()
    assert report.all_admitted
    assert report.text(".md") == "# Admission\n\n0 of 0 tasks are admitted.\n"
    assert json.loads(report.text(".json")) == {"schema_version": 1, "tasks": []}


def test_tasks_are_reported_in_order_with_their_findings(tiny: tuple[Repository, Task], proof: Proof) -> None:
    report = Report()
    report.add("calc/b", proof)
    assert report.all_admitted
    report.add("calc/a", AdmissionRefused(*tiny, "the tests\n  are flaky\n", Tally(passed=2), None))
    report.add("calc/c", replace(proof, null=None, oracle=None, strength=None, traps=None), "suggestion")
    assert not report.all_admitted
    assert report.text(".md") == (
        "# Admission\n\n2 of 3 tasks are admitted.\n"
        "\n## calc/b\n\n"
        "- admitted, digest 0123456789abcdef, 1 repeats\n"
        "- null: 3 passed, 1 failed, 4 errors; oracle: 8 passed\n"
        "- traps: 3\n"
        "- 1 of 8 tests is vacuous\n"
        "- 2 of 8 tests are static\n"
        "  - vacuous: `t::one`\n"
        "  - static: `t::two`\n"
        "  - static: `t::three`\n"
        "\n## calc/a\n\n"
        "- refused: the tests are flaky\n"
        "- null: 2 passed; oracle: not run\n"
        "\n## calc/c\n\n"
        "- admitted, digest 0123456789abcdef, 1 repeats\n"
        "- suggestion\n"
    )


def test_programs_get_whole_proofs_and_counts(tiny: tuple[Repository, Task], proof: Proof) -> None:
    report = Report()
    report.add("calc/b", proof)
    report.add("calc/a", AdmissionRefused(*tiny, "the tests\nare flaky", Tally(passed=2), None), "suggestion")
    admitted, refused = json.loads(report.text(".json"))["tasks"]
    assert Proof.from_json(admitted.pop("proof")) == proof
    assert admitted == {"task": "calc/b", "admitted": True, "reason": "", "note": ""}
    assert refused == {
        "task": "calc/a",
        "admitted": False,
        "reason": "the tests\nare flaky",
        "null": {"passed": 2, "failed": 0, "errors": 0, "skipped": 0},
        "oracle": None,
        "note": "suggestion",
    }


def test_a_proof_without_measurements_has_no_findings(proof: Proof) -> None:
    assert findings(replace(proof, null=None, strength=None, traps=None)) == []
    counts = "null: 3 passed, 1 failed, 4 errors; oracle: 8 passed"
    assert findings(replace(proof, strength=None)) == [counts, "traps: 3"]


def test_a_refusal_names_its_task(tiny: tuple[Repository, Task]) -> None:
    assert str(AdmissionRefused(*tiny, "the tests are flaky", None, None)) == (
        "calc/add-negatives: the tests are flaky"
    )


def test_a_proof_without_traps_says_what_tools_need(proof: Proof) -> None:
    (_, note) = findings(replace(proof, strength=None, traps=None))
    assert note.startswith("no traps: ")
    assert "runs all tests after one has failed" in note
