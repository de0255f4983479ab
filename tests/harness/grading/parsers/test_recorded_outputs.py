"""All parsers of printed output, with recorded output of real runners. See tests/harness/outputs/README.md."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.reports import PRINTED_REPORTS, read_results
from harness.grading.results import ReportError
from harness.records import TestResult

OUTPUTS = Path(__file__).parents[2] / "outputs"
CASES = sorted(str(path.relative_to(OUTPUTS).with_suffix("")) for path in OUTPUTS.glob("*/*.json"))


def recorded(case: str) -> str:
    return (OUTPUTS / f"{case}.txt").read_bytes().decode("utf-8", "replace")


def read(case: str) -> tuple[TestResult, ...]:
    """Reads it like grading: from the output or, for file formats, from a file."""
    runner, _, name = case.partition("/")
    files = {} if runner in PRINTED_REPORTS else {f"{name}.{runner}": recorded(case).encode()}
    return read_results(runner, files, recorded(case))


@pytest.mark.parametrize("case", CASES)
def test_a_recorded_output_is_read_exactly(case: str) -> None:
    expected = json.loads((OUTPUTS / f"{case}.json").read_text(encoding="utf-8"))
    if "error" in expected:
        with pytest.raises(ReportError) as caught:
            read(case)
        assert expected["error"] in str(caught.value)
    else:
        assert {result.id: result.status.value for result in read(case)} == expected["tests"]


PRINTED = sorted(PRINTED_REPORTS)
MB = 1_000_000
LONG = MB // 5
BAD_TO_GOOD = (
    ("FAILED", "PASSED"), ("FAILED", "ok"), ("FAIL", "PASS"), ("FAILURE", "SUCCESS"), ("Failed", "Passed"),
    ("fail", "pass"), ("SKIP", "PASS"), ("✕", "✓"),
    ("✘", "✔"), ("[X]", "[OK]"), ("***Failed", "   Passed"), ("1", "0"), ("1", "2"),
)  # fmt: skip
UNITS = (
    "::a - [b] ", "--- FAIL: ", "PASS x.js (", "[gw0] [", "  ", "\t", "=", "\x1b[3", "\r", "test a ... ok", "1) ", "é\n"
)  # fmt: skip


@pytest.mark.parametrize("runner", PRINTED)
def test_every_parser_has_recorded_outputs(runner: str) -> None:
    cases = [case for case in CASES if case.startswith(f"{runner}/")]
    assert any("forged" in case for case in cases)
    assert any("empty" in case for case in cases)
    assert len(cases) >= 8


@pytest.mark.parametrize("runner", PRINTED)
class TestAnyOutput:
    """No reader may be talked into anything but a verdict or a ReportError."""

    @given(data=st.data())
    def test_made_of_pieces_of_real_ones(self, runner: str, data: st.DataObject) -> None:
        pieces = data.draw(st.lists(st.sampled_from(lines_of(runner)) | st.text(max_size=30), max_size=60))
        read_or_refuse(runner, "\n".join(pieces))

    @pytest.mark.parametrize(
        "output", ["", "\n", "\0", "\x1b[", "::", "{", "[" * 5000, "ok", "(" * 3000 + ")" * 3000]
    )
    def test_of_next_to_nothing_is_refused(self, runner: str, output: str) -> None:
        with pytest.raises(ReportError):
            read_results(runner, {}, output)

    def test_may_be_cut_anywhere(self, runner: str) -> None:
        """What is left over never shows a test as passed that was not."""
        for case in (case for case in CASES if case.startswith(f"{runner}/") and "forged" not in case):
            expected = json.loads((OUTPUTS / f"{case}.json").read_text(encoding="utf-8")).get("tests")
            whole = recorded(case)
            for place in range(0, len(whole) if expected else 0, max(1, len(whole) // 40)):
                found = read_or_refuse(runner, whole[:place])
                passed = [name for name, status in found.items() if status == "passed"]
                assert [name for name in passed if expected.get(name, "passed") != "passed"] == []

    @settings(max_examples=40, derandomize=True)
    @given(data=st.data())
    def test_with_a_printed_line_anywhere_shows_no_failed_test_as_passed(
        self, runner: str, data: st.DataObject
    ) -> None:
        """The code under test can print whole lines between the runner's, and half a line in front of one."""
        expected, lines = data.draw(st.sampled_from(failing_outputs(runner)))
        spoofed = list(lines)
        for _ in range(data.draw(st.integers(1, 3))):
            line = data.draw(st.sampled_from(lines))
            line = line.replace(*data.draw(st.sampled_from(BAD_TO_GOOD)))
            at = data.draw(st.integers(0, len(spoofed) - 1))
            spoofed[at : at + 1] = data.draw(st.sampled_from(([line, spoofed[at]], [line + spoofed[at]])))
        found = read_or_refuse(runner, "\n".join(spoofed))
        assert [name for name in expected if found.get(name) == "passed"] == []

    @pytest.mark.parametrize("unit", UNITS)
    def test_is_read_in_linear_time(self, runner: str, unit: str) -> None:
        """Not a promise about speed: what took quadratic time would run into the time-out."""
        for output in (unit * (LONG // len(unit)), (unit * (3000 // len(unit)) + "\n") * (LONG // 3000)):
            read_or_refuse(runner, output)

    def test_may_have_megabytes(self, runner: str) -> None:
        lines = "\n".join(lines_of(runner)) + "\n"
        read_or_refuse(runner, lines * (4 * MB // len(lines)))


@cache
def failing_outputs(runner: str) -> list[tuple[list[str], list[str]]]:
    """Of each honest output with failures: the tests that did not pass, and its lines."""
    found = []
    for case in (case for case in CASES if case.startswith(f"{runner}/") and "forged" not in case):
        tests = json.loads((OUTPUTS / f"{case}.json").read_text(encoding="utf-8")).get("tests", {})
        if failed := [name for name, status in tests.items() if status != "passed"]:
            found.append((failed, recorded(case).split("\n")))
    return found


@cache
def lines_of(runner: str) -> list[str]:
    texts = [recorded(case) for case in CASES if case.startswith(f"{runner}/")]
    return sorted({line for text in texts for line in text.split("\n")})


def read_or_refuse(runner: str, output: str) -> dict[str, str]:
    try:
        return {result.id: result.status.value for result in read_results(runner, {}, output)}
    except ReportError:
        return {}
