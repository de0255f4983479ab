"""Success by the number of corrupted functions."""

from __future__ import annotations

from runs.analysis.difficulty.corrupted_functions import success_by_corruptions
from tests.runs.analysis.difficulty.generated_runs import generated


def test_success_is_shown_for_1_2_and_4_functions_of_each_agent() -> None:
    runs = [
        *generated("alice", "pier/one", "++-", "corrupted", 1),
        *generated("alice", "pier/two", "+-", "multiple", 11),
        *generated("alice", "quay/four", "--", "multiple", 21),
        *generated("bob", "pier/one", "-", "corrupted", 31),
        *generated("bob", "pier/removed", "+", "removed", 41),
        *generated("bob", "pier/unknown", "+", "multiple", 51),
    ]
    measures = {"pier/two": {"targets": 2.0}, "quay/four": {"targets": 4.0}, "pier/unknown": {"targets": 1.0}}

    found = success_by_corruptions(runs, measures)

    assert [(one.agent, one.functions, one.rate.value, one.rate.n, one.runs) for one in found.rows] == [
        ("alice", 1, 2 / 3, 1, 3),
        ("alice", 2, 0.5, 1, 2),
        ("alice", 4, 0, 1, 2),
        ("bob", 1, 0, 1, 1),
    ]
    assert [(one.reason, one.runs) for one in found.excluded] == [
        ("its task has no corrupted function", (41,)),
        ("how many functions were corrupted is unknown", (51,)),
    ]
