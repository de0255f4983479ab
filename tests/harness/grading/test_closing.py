from __future__ import annotations

import pytest

from harness.grading.closing import closes, closing_of, mentions_tests, printed_failures, shape

PYTEST = "....\n19 passed in 12.48s\n"
TINY = "8 tests, 0 failures, 0 errors"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("19 passed in 12.48s", "# passed in #"),
        ("=== 19 passed, 3 warnings in 75.20s (0:01:15) ===", "# passed in #"),
        (TINY, "# tests, 0 failures, 0 errors"),
        ("Ran 7 tests in 0.002s", "Ran # tests in #"),
        ("100% tests passed, 0 tests failed out of 12", "#% tests passed, 0 tests failed out of #"),
    ],
)
def test_the_shape_of_a_line_leaves_out_what_varies_between_runs(line: str, expected: str) -> None:
    assert shape(line) == expected


class TestTheClosingLine:
    def test_is_the_last_line_that_mentions_tests_in_every_run(self) -> None:
        outputs = [PYTEST + "bye 7\n", "x\n20 passed in 1.2s\nbye 8\n", "19 passed, 1 warning in 3s"]
        assert closing_of(outputs) == "# passed in #"

    @pytest.mark.parametrize("outputs", [[], [""], ["done\n"], [PYTEST, "OK\n"]])
    def test_is_none_where_no_line_is_shared(self, outputs: list[str]) -> None:
        assert closing_of(outputs) == ""

    @pytest.mark.parametrize(
        "output", [PYTEST, "half a line19 passed in 2s\n", f"{PYTEST}\nResourceWarning: unclosed\n"]
    )
    def test_is_found_again(self, output: str) -> None:
        assert closes(output, "# passed in #")

    @pytest.mark.parametrize("output", ["", "3 failed, 5 passed in 2s\n", "19 passed", PYTEST + "x\n" * 20])
    def test_is_missed(self, output: str) -> None:
        assert not closes(output, "# passed in #")


@pytest.mark.parametrize(
    ("output", "closing", "count"),
    [
        ("5 failed, 1 error, 3 passed in 2s\n", "", 6),
        ("5 failed in 2s\n3 passed in 1s\n", "", 0),
        ("Ran 8 tests in 0.1s\n\nFAILED (failures=2, errors=3)\n", "", 5),
        ("Ran 8 tests in 0.1s\n\nFAILED (errors=3)\n", "", 3),
        ("Tests:       2 failed, 3 passed, 5 total\nTime: 1 s\n", "", 2),
        ("8 tests, 1 failures, 5 errors\n", shape(TINY), 6),
        ("8 tests, 1 failures, 5 errors\n", "", 0),
        (f"{TINY}\n", shape(TINY), 0),
        ("5 failed in 2s\n" + "x\n" * 6, "", 0),
        ("the code under test: 5 failed\n", "", 0),
    ],
)
def test_failures_are_counted_as_the_runner_printed_them_last(output: str, closing: str, count: int) -> None:
    assert printed_failures(output, closing) == count


@pytest.mark.parametrize(("output", "expected"), [("", False), ("Traceback\n", False), (PYTEST, True)])
def test_whether_an_output_mentions_tests(output: str, expected: bool) -> None:
    assert mentions_tests(output) is expected
