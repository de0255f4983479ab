"""Reviews and comparisons as files in the run directory."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.judges.dimensions import dimension_named
from harness.judges.panel import JudgeParameters, JudgeSpec
from harness.judges.questions import dimension_digest
from harness.judges.review_file import (
    Comparison,
    Review,
    ReviewFileError,
    ReviewState,
    all_stored,
    read_stored,
    review_key,
    write_stored,
)
from harness.llm.spec import ModelSpec
from tests.harness.judges.made import COMPARISON, KEY, REVIEW

OTHER = "f" * 32


def test_a_written_review_is_read_back_the_same(tmp_path: Path) -> None:
    path = write_stored(tmp_path, REVIEW)
    assert path == tmp_path / "reviews" / f"{KEY}.json"
    assert read_stored(tmp_path, KEY, Review) == REVIEW
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_written_comparison_is_read_back_the_same(tmp_path: Path) -> None:
    path = write_stored(tmp_path, COMPARISON)
    assert path == tmp_path / "comparisons" / f"{KEY}.json"
    assert read_stored(tmp_path, KEY, Comparison) == COMPARISON
    assert list(all_stored(tmp_path, Comparison)) == [COMPARISON]


def test_the_file_has_the_documented_fields(tmp_path: Path) -> None:
    stored = json.loads(write_stored(tmp_path, REVIEW).read_text())
    assert stored["schema_version"] == 1
    assert stored["judge"] == {
        "name": "Strict judge",
        "model": "openai/judge",
        "family": "gpt",
        "parameters": {"temperature": 0.0},
    }
    assert stored["evidence"][1] == {
        "aspect": "Invented",
        "severity": "low",
        "quote": "No such text.",
        "step": 3,
        "status": "unverified",
        "found_step": None,
        "part": "",
        "start": None,
        "end": None,
        "frequency": None,
        "category": None,
        "mechanism": None,
    }
    assert (stored["state"], stored["score"], stored["cost_usd"]) == ("done", 0.5, None)


def test_a_review_with_the_same_key_is_replaced_and_others_stay(tmp_path: Path) -> None:
    missing = replace(REVIEW, state=ReviewState.UNPAID, score=None, reason="the budget is used up")
    write_stored(tmp_path, missing)
    write_stored(tmp_path, replace(REVIEW, key=OTHER))
    write_stored(tmp_path, REVIEW)
    assert list(all_stored(tmp_path, Review)) == [REVIEW, replace(REVIEW, key=OTHER)]


def test_a_run_without_reviews_has_none(tmp_path: Path) -> None:
    assert read_stored(tmp_path, KEY, Review) is None
    assert list(all_stored(tmp_path, Review)) == []


def test_a_lone_surrogate_is_replaced(tmp_path: Path) -> None:
    write_stored(tmp_path, replace(REVIEW, text="\ud800!"))
    found = read_stored(tmp_path, KEY, Review)
    assert found is not None
    assert found.text == "?!"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 0.75}, "score: must be exactly 0, 0.5 or 1, as a number"),
        ({"score": True}, "score: must be exactly 0, 0.5 or 1, as a number"),
        ({"score": "1"}, "score: must be exactly 0, 0.5 or 1, as a number"),
        ({"score": None}, "score must be set if state is done, and only then"),
        ({"state": "refused", "reason": "no"}, "score must be set if state is done, and only then"),
        ({"state": "refused", "score": None}, "reason must be set unless state is done"),
        ({"state": "lost"}, "state: "),
        ({"schema_version": 2}, "schema_version: "),
        ({"shown_share": 1.5}, "shown_share: "),
        ({"cost_usd": float("nan")}, "cost_usd: "),
        ({"burden": -1}, "burden: "),
        ({"more": 1}, "more: "),
        ({"key": OTHER}, f"holds the key {OTHER}"),
        ({"evidence": [{"aspect": "a"}]}, "evidence.0.severity: "),
    ],
)
def test_an_invalid_file_is_refused_with_its_name_and_field(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    path = write_stored(tmp_path, REVIEW)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ReviewFileError) as caught:
        read_stored(tmp_path, KEY, Review)
    assert str(caught.value).startswith(f"{path}: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"null", b"[" * 100_000, b" " * ((1 << 20) + 1), b"\xff"]
)
def test_a_file_that_is_no_review_is_refused(tmp_path: Path, content: bytes) -> None:
    path = write_stored(tmp_path, REVIEW)
    path.write_bytes(content)
    with pytest.raises(ReviewFileError):
        read_stored(tmp_path, KEY, Review)


def test_links_and_other_names_are_refused(tmp_path: Path) -> None:
    path = write_stored(tmp_path / "", REVIEW)
    (path.parent / f"{OTHER}.json").symlink_to(path)
    with pytest.raises(ReviewFileError, match="must be a file"):
        read_stored(tmp_path, OTHER, Review)
    with pytest.raises(ReviewFileError, match="is not a key"):
        read_stored(tmp_path, "../" + KEY, Review)


def _judge(name: str = "A", litellm_id: str = "openai/x", api_base: str = "", **parameters: Any) -> JudgeSpec:
    return JudgeSpec(name, ModelSpec("X", litellm_id, api_base), "", JudgeParameters(**parameters))


KeyOf = Callable[..., str]


def _key(
    judge: JudgeSpec | None = None, dimension: str = "pitfalls", version: int = 1, sample: int = 1
) -> str:
    return review_key(
        judge or _judge(), dimension_digest(dimension_named(dimension)), version, "a" * 64, sample
    )


def test_a_key_changes_with_everything_that_decides_the_answer() -> None:
    keys = {
        _key(),
        _key(_judge(litellm_id="openai/y")),
        _key(_judge(api_base="http://localhost")),
        _key(_judge(temperature=1.0)),
        _key(_judge(most_characters=30_000)),
        _key(dimension="pleasantness"),
        _key(version=2),
        _key(sample=2),
    }
    assert len(keys) == 8
    assert {len(key) for key in keys} == {32}


def test_a_key_does_not_change_with_the_judges_name() -> None:
    assert _key(_judge(name="B")) == _key(_judge(name="A"))
