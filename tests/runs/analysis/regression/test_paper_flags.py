"""The flags of AgentLens, against every flag that its appendix B prints."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.regression.paper_flags import (
    PaperFlags,
    ToolSuccess,
    dimension_flags,
    formal_flags,
    judged_flags,
    ratio_flags,
    termination_flags,
    tool_flags,
    unpaired_p,
)
from runs.data.published.tables import AGENT_LENS, table

NONE, WARNING, BOTH = PaperFlags(False, False), PaperFlags(True, False), PaperFlags(True, True)
PRINTED = {
    "price": "price",
    "time": "seconds",
    "gen tokens to seconds ratio": "tokens_per_second",
    "tools calls total": "tool_calls",
    "generation tokens": "completion_tokens",
    "cache hit mean ratio": "cache_hits",
    "tool calls in parallel mean": "parallel_calls",
}


def rows(part: str) -> list[dict[str, str]]:
    """The rows of a list of appendix B, by column."""
    found = table(AGENT_LENS, f"appendix B, {part}")
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def printed(row: dict[str, str]) -> PaperFlags:
    """The flags that the paper prints."""
    return PaperFlags(row["warning"] == "YES", row["alert"] == "YES")


def test_all_seven_printed_rows_of_inference_have_their_flags() -> None:
    found = [
        (
            row["metric"],
            ratio_flags(
                PRINTED[row["metric"]],
                float(row["run_1"]),
                float(row["run_2"]),
                None if row["p_value"] == "–" else float(row["p_value"]),
            ),
        )
        for row in rows("inference")
    ]
    assert found == [(row["metric"], printed(row)) for row in rows("inference")]
    assert len(found) == 7
    assert sum(flags.alert for _, flags in found) == 3


def test_all_24_printed_tools_have_their_flags() -> None:
    found = []
    for row in rows("tools"):
        tools = [
            ToolSuccess(round(float(row[f"run_{run}_success"]) * calls), calls)
            for run in (1, 2)
            for calls in (int(row[f"run_{run}_total"]),)
        ]
        found.append((row["tool"], tool_flags(*tools)))
    assert found == [(row["tool"], printed(row)) for row in rows("tools")]
    assert (len(found), sum(flags.warning for _, flags in found)) == (24, 5)


def test_all_five_printed_dimensions_have_their_flags() -> None:
    found = [
        dimension_flags(
            float(row["metrics_value"]), float(row["p_value"]), judge_alert=row["judge_alert"] == "YES"
        )
        for row in rows("judges")
    ]
    assert found == [printed(row) for row in rows("judges")] == [WARNING] * 5
    # Of 32 scores from −5 to 5: the sums are whole numbers.
    sums = [round(float(row["metrics_value"]) * 160, 1) for row in rows("judges")]
    assert sums == [22, -3, -20, -14, -2]


def test_formal_verification_and_endings_have_their_printed_flags() -> None:
    assert formal_flags(28, 28, 32) == (NONE, Estimate(1.0, 64))
    first = {"finished": 26, "response timed out": 2, "provider": 1, "scenario timed out": 3}
    # |26 − 31| + |2 − 1| + 1 + 3 = 10; the union counts 31 + 2 + 1 + 3 = 37: 37 ÷ 5 + 2 = 9.4, 37 ÷ 4 + 3 = 12.25
    assert termination_flags(first, {"finished": 31, "response timed out": 1}) == WARNING
    assert (
        termination_flags({"finished": 32}, {"finished": 26, "timed out": 6}) == WARNING
    )  # 12, of 9.6 and 12.5
    assert (
        termination_flags({"finished": 32}, {"finished": 25, "timed out": 7}) == BOTH
    )  # 14, of 9.8 and 12.75
    assert termination_flags({}, {}) == NONE


def test_a_ratio_within_its_limits_is_flagged_if_p_is_small() -> None:
    assert ratio_flags("seconds", 100, 129, 0.06) == NONE
    assert ratio_flags("seconds", 100, 131, 0.06) == WARNING
    assert ratio_flags("seconds", 100, 151, 0.06) == BOTH
    assert ratio_flags("seconds", 100, 101, 0.049) == BOTH
    assert ratio_flags("parallel_calls", 0, 0, None) == NONE


def test_an_improvement_is_flagged_too() -> None:
    assert ratio_flags("price", 100, 65, None) == BOTH
    # 20 ÷ 32 = 0.63 times 32 of 32; Fisher's p is 0.00013
    flags, p = formal_flags(20, 32, 32)
    assert flags == BOTH
    assert p.value == pytest.approx(0.000130, abs=1e-5)
    assert judged_flags([1, 1, 1, 1, 1, 1], judge_alert=True).flags == BOTH


def test_a_tool_is_measured_against_more_lenient_limits_if_it_is_rare() -> None:
    assert tool_flags(ToolSuccess(30, 30), ToolSuccess(0, 3)) == NONE
    assert tool_flags(ToolSuccess(0, 0), ToolSuccess(0, 30)) == NONE
    # 5 of 8 after 8 of 8: 0.625 is below 0.7, and not below 0.4
    assert tool_flags(ToolSuccess(8, 8), ToolSuccess(5, 8)) == WARNING
    assert tool_flags(ToolSuccess(15, 15), ToolSuccess(10, 15)) == WARNING  # 0.67, of 0.8 and 0.6
    assert tool_flags(ToolSuccess(20, 20), ToolSuccess(15, 20)) == BOTH  # 0.75 < 0.8
    assert tool_flags(ToolSuccess(0, 5), ToolSuccess(0, 5)) == BOTH


def test_scores_of_pairs_give_value_and_p_by_counting_patterns() -> None:
    found = judged_flags([5, 5, 5, 5, 5, -5], judge_alert=False)
    # 20 ÷ 6 ÷ 5; at most one of six signs differs: 2 · 7 ÷ 64
    assert found.value.value == pytest.approx(2 / 3)
    assert found.p.value == pytest.approx(14 / 64)
    assert (found.score_alert, found.flags) == (True, WARNING)
    thousands = judged_flags([5, -5] * 20_000, judge_alert=False)
    assert (thousands.value.value, thousands.p.value) == (0, 1)
    assert judged_flags([], judge_alert=False).flags == NONE
    assert judged_flags([], judge_alert=False).p.reason == "no conversation was compared"


def test_p_of_a_quantity_ignores_the_pairs() -> None:
    assert unpaired_p([1, 2, 3], [1, 2, 3]).value == 1
    # All of four values below all of four others: 2 ÷ C(8, 4)
    assert unpaired_p([1, 2, 3, 4], [5, 6, 7, 8]).value == pytest.approx(2 / 70)
    assert unpaired_p([], [1.0]).reason == "a run has no value"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ratio_flags("price", -1, 1, None), "price of a run is -1"),
        (lambda: ratio_flags("price", float("nan"), 1, None), "price of a run is nan"),
        (lambda: formal_flags(33, 1, 32), "33 and 1 passed of 32"),
        (lambda: tool_flags(ToolSuccess(2, 1), ToolSuccess(1, 1)), "2 of 1 calls succeeded"),
        (lambda: judged_flags([6], judge_alert=False), "expected −5 to 5"),
        (lambda: termination_flags({"finished": -1}, {}), "negative"),
    ],
)
def test_impossible_values_are_refused(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
