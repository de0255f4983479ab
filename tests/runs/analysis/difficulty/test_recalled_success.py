"""Success by how well the agent's model recalls the functions, by hand."""

from __future__ import annotations

import pytest

from runs.analysis.difficulty.recalled_success import BANDS, Recalled, success_by_recall
from tests.runs.analysis.difficulty.generated_runs import generated

RECALL = {
    "m": {
        "pier/a": Recalled(0.49, False),
        "pier/b": Recalled(0.3, False),
        "quay/b": Recalled(0.0, False),
        "pier/c": Recalled(0.5, False),
        "quay/c": Recalled(0.8, False),
        "quay/d": Recalled(1.0, False),
        "quay/e": Recalled(0.2, True),  # a body without tokens
    },
    "n": {"pier/a": Recalled(0.9, False)},
}
MODELS = {"alice": "m", "alice-2": "m", "bob": "n"}


def test_each_band_is_the_mean_over_tasks_of_all_agents_of_the_model() -> None:
    runs = [
        *generated("alice", "pier/a", "+-", start=1),
        *generated("alice-2", "pier/a", "-", start=3),
        *generated("alice", "pier/b", "+", start=4),
        *generated("alice", "quay/b", "-", start=5),
        *generated("alice", "quay/c", "+", start=6),
        *generated("alice-2", "quay/d", "-", start=7),
        *generated("alice", "quay/e", "++", start=8),
        *generated("bob", "pier/a", "+", start=10),
        *generated("bob", "pier/b", "+", start=11),
        *generated("oracle", "pier/a", "+", start=12),
        *generated("alice", "pier/f", "+", "corrupted", 13),
    ]

    found = success_by_recall(runs, RECALL, MODELS)

    assert [
        (one.model, one.band, one.rate.value, one.rate.n, one.runs, one.repositories) for one in found.rows
    ] == [
        ("m", "0 to 0.5", pytest.approx((1 / 3 + 1 + 0) / 3), 3, 5, 2),
        ("m", "0.5 to 0.8", None, 0, 0, 0),
        ("m", "0.8 to 1", 0.5, 2, 2, 1),
        ("m", "equal", 1.0, 1, 2, 1),
        ("n", "0 to 0.5", None, 0, 0, 0),
        ("n", "0.5 to 0.8", None, 0, 0, 0),
        ("n", "0.8 to 1", 1.0, 1, 1, 1),
        ("n", "equal", None, 0, 0, 0),
    ]
    assert found.rows[1].rate.reason == "no run"
    assert [(one.reason, one.runs) for one in found.excluded] == [
        ("its task is not a removed function", (13,)),
        ("what its model recalls is unknown", (11, 12)),
    ]


@pytest.mark.parametrize(
    ("similarity", "equal", "band"),
    [
        (0.0, False, "0 to 0.5"),
        (0.4999, False, "0 to 0.5"),
        (0.5, False, "0.5 to 0.8"),
        (0.7999, False, "0.5 to 0.8"),
        (0.8, False, "0.8 to 1"),
        (1.0, False, "0.8 to 1"),
        (1.0, True, "equal"),
    ],
)
def test_each_answer_is_in_one_band(similarity: float, equal: bool, band: str) -> None:
    assert [name for name, fits in BANDS.items() if fits(Recalled(similarity, equal))] == [band]
