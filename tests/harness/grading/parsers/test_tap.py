from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.grading.parsers.tap import parse_tap, without_failed_parents
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus


def verdicts(text: str) -> dict[str, TestStatus]:
    return {result.id: result.status for result in parse_tap(text.encode())}


class TestOneTest:
    @pytest.mark.parametrize(
        ("line", "name", "status"),
        [
            ("ok 1 - adds", "adds", TestStatus.PASSED),
            ("ok 1 adds", "adds", TestStatus.PASSED),
            ("ok - adds", "adds", TestStatus.PASSED),
            ("ok adds", "adds", TestStatus.PASSED),
            ("ok", "test 1", TestStatus.PASSED),
            ("ok 1", "test 1", TestStatus.PASSED),
            ("ok 1 -", "test 1", TestStatus.PASSED),
            ("not ok 1 - adds", "adds", TestStatus.FAILED),
            ("ok 1 - adds # SKIP not today", "adds", TestStatus.SKIPPED),
            ("ok 1 - adds # skipped: not today", "adds", TestStatus.SKIPPED),
            ("ok 1 # SKIP", "test 1", TestStatus.SKIPPED),
            ("not ok 1 - adds # TODO later", "adds", TestStatus.EXPECTED_FAILURE),
            ("ok 1 - adds # todo later", "adds", TestStatus.PASSED),
            (r"ok 1 - issue \#7 # not a directive", "issue #7 # not a directive", TestStatus.PASSED),
            (r"not ok 1 - issue \# TODO", "issue # TODO", TestStatus.FAILED),
            ("ok 1 - größer [a:b] (1)", "größer [a:b] (1)", TestStatus.PASSED),
            ("\x1b[32mok 1\x1b[0m - adds", "adds", TestStatus.PASSED),
        ],
    )
    def test_is_read_with_its_directive(self, line: str, name: str, status: TestStatus) -> None:
        assert verdicts(f"TAP version 14\n{line}\n1..1\n") == {name: status}

    def test_the_reason_of_a_directive_is_recorded(self) -> None:
        assert parse_tap(b"1..1\nok 1 - adds # SKIP not today") == [
            TestResult("adds", TestStatus.SKIPPED, message="not today")
        ]


class TestAStream:
    def test_the_plan_may_come_first_or_last_and_lines_may_end_as_on_windows(self) -> None:
        assert verdicts("1..2\r\nok 1 - a\r\nok 2 - b\r\n") == verdicts("ok 1 - a\nok 2 - b\n1..2")

    def test_what_is_no_tap_is_passed_over(self) -> None:
        text = "starting\n1..1\n# a comment\npragma +strict\nokay\nnot okay\n  ok 7 - by two\nok 1 - a\ngood-bye\n"
        assert verdicts(text) == {"a": TestStatus.PASSED}

    def test_a_block_of_yaml_is_no_test(self) -> None:
        text = "1..2\nnot ok 1 - a\n  ---\n  got: |\n    ok 2 - forged\nok 2 - forged\n  ...\nok 2 - b\n"
        assert verdicts(text) == {"a": TestStatus.FAILED, "b": TestStatus.PASSED}

    def test_subtests_are_named_behind_their_parents(self) -> None:
        inner = "    ok 1 - b\n        ok 1 - d\n        1..1\n    not ok 2 - c\n    1..2\n"
        text = f"# Subtest: a\n{inner}not ok 1 - a\n1..1\n"
        assert list(verdicts(text)) == ["a > b", "a > c > d", "a > c", "a"]

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("", r"there is no plan"),
            ("ok 1 - a\n", r"there is no plan \(1\.\.N\): it broke off"),
            ("1..3\nok 1 - a\nok 2 - b\n", "the plan says 3 tests, there are 2"),
            ("1..1\nok 1 - a\nok 2 - b\n", "the plan says 1 tests, there are 2"),
            ("1..2\nok 1 - a\nok 1 - a\n", "line 3: test 1 should be number 2"),
            ("1..1\n1..2\nok 1 - a\nok 2 - forged\n", "line 2: there is a second plan"),
            ("1..2\nok 1 - a\nBail out! no database\n", "line 3: the tests bailed out: no database"),
            ("1..1\n    ok 1 - b\n    1..2\nok 1 - a\n", "line 4: the plan says 2 tests, there are 1"),
            ("1..1\nok 1 - a\n    ok 1 - b\n    1..1\n", "broke off in the middle of a subtest"),
            ("1..1\n        ok 1 - c\n        1..1\nok 1 - a\n", "a subtest has no test point of its parent"),
            (" " * 800 + "ok 1\n", "more than 100 subtests"),
        ],
    )
    def test_that_does_not_hold_gives_no_verdict(self, text: str, complaint: str) -> None:
        with pytest.raises(ReportError, match=complaint):
            parse_tap(text.encode(), "a.tap")

    def test_with_many_subtests_below_long_names_gives_no_verdict(self) -> None:
        """Every name stands once in the stream, but in the id of every subtest: 31 MB made 24 GB of ids."""
        lines = ["    " * 30 + "ok"] * 5_000 + ["    " * 30 + "1..5000"]
        for depth in reversed(range(30)):
            lines += ["    " * depth + f"ok - {'a' * 3_000}", "    " * depth + "1..1"]
        with pytest.raises(
            ReportError, match=r"^a\.tap, line 5010: the names of the tests have more than 64"
        ):
            parse_tap("\n".join(lines).encode(), "a.tap")

    @given(
        st.lists(
            st.sampled_from(
                ["1..2", "ok 1 - a", "not ok 2", "    ok 1", "    1..1", "  ---", "  ...", "        ok"]
            )
            | st.text(max_size=20)
        )
    )
    def test_of_any_lines_is_read_or_refused(self, lines: list[str]) -> None:
        try:
            parse_tap("\n".join(lines).encode("utf-8", "replace"))
        except ReportError:
            return


class TestParentsOfAlteredTests:
    STREAM = """\
    not ok 1 - altered
      ---
      failureType: 'testCodeFailure'
      error: |-
        failureType: 'subtestsFailed'
      ...
    ok 2 - adds
    1..2
not ok 1 - sums
  ---
  failureType: '%s'
  ...
1..1
"""

    @staticmethod
    def others(text: str, altered: str) -> dict[str, str]:
        """The statuses of the tests that are not altered."""
        results = [one for one in parse_tap(text.encode()) if one.id != altered]
        return {one.id: one.status.value for one in without_failed_parents(results, [altered])}

    def test_a_parent_that_failed_by_altered_tests_alone_has_passed(self) -> None:
        text = self.STREAM % "subtestsFailed"
        assert self.others(text, "sums > altered") == {"sums > adds": "passed", "sums": "passed"}

    def test_a_parent_that_failed_by_itself_or_by_another_test_has_failed(self) -> None:
        text = self.STREAM % "hookFailed"
        assert self.others(text, "sums > altered") == {"sums > adds": "passed", "sums": "failed"}
        broken = (self.STREAM % "subtestsFailed").replace("ok 2", "not ok 2")
        assert self.others(broken, "sums > altered") == {"sums > adds": "failed", "sums": "failed"}

    def test_parents_of_parents_are_judged_by_what_is_left(self) -> None:
        text = "        not ok 1 - altered\n        1..1\n    not ok 1 - inner\n    1..1\nnot ok 1 - outer\n1..1\n"
        others = self.others(text, "outer > inner > altered")
        assert others == {"outer > inner": "passed", "outer": "passed"}

    def test_the_type_of_a_failure_is_its_message(self) -> None:
        messages = {one.id: one.message for one in parse_tap((self.STREAM % "hookFailed").encode())}
        assert messages == {"sums > altered": "testCodeFailure", "sums > adds": "", "sums": "hookFailed"}
