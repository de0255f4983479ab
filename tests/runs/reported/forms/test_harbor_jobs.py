"""Jobs of Harbor. That in tests/data/reported was written by models of Harbor (version 0.26.0)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runs.reported.reading import read_results
from runs.reported.reported_result import ReportedAgent, ResultsRefused

DATA = Path(__file__).parents[3] / "data/reported/harbor"
JOB = DATA / "2026-01-31__10-00-00"
GIVEN = {"reported_by": "Ada"}


def changed(directory: Path, **values: Any) -> Path:
    """A job of one trial with other values."""
    content = json.loads((JOB / "hello-world__AAAA111/result.json").read_text())
    path = directory / "job/trial/result.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**content, **values}))
    return directory


def test_a_job_names_its_dataset_and_agent() -> None:
    found = read_results(JOB, GIVEN)
    assert (found.source.slug, found.source.version) == ("terminal-bench", "2026-01-31__10-00-00")
    assert found.agents == (
        ReportedAgent(
            "terminus-2 with claude-sonnet-4-5", "claude-sonnet-4-5", "anthropic", None, "Version 2.0.0"
        ),
    )
    # A directory of jobs, too.
    assert read_results(DATA, GIVEN).results == found.results


def test_trials_have_the_outcomes_that_harbor_counts() -> None:
    found = read_results(JOB, GIVEN).results
    assert [(one.task, one.attempt, one.outcome, one.ending, one.detail) for one in found] == [
        ("fix-git", 1, "infrastructure_failed", "infrastructure", "EnvironmentStartTimeoutError"),
        ("fix-git", 2, "unresolved", "completed", "reward 0.5"),
        ("hello-world", 1, "resolved", "completed", ""),
        ("hello-world", 2, "unresolved", "time_limit", "AgentTimeoutError"),
        ("two-steps", 1, "resolved", "completed", ""),
    ]
    assert {one.seconds for one in found} == {120.5}


def test_tokens_and_dollars_are_those_that_harbor_adds_up() -> None:
    found = read_results(JOB, GIVEN).results
    stats = json.loads((JOB / "result.json").read_text())["stats"]
    for name, ours in (
        ("n_input_tokens", "prompt_tokens"),
        ("n_cache_tokens", "cached_tokens"),
        ("n_output_tokens", "completion_tokens"),
        ("cost_usd", "cost_usd"),
    ):
        assert sum(getattr(one, ours) or 0 for one in found) == stats[name]
    assert found[1].prompt_tokens is found[1].cost_usd is None
    # Of a trial in steps, their sum.
    assert (found[4].prompt_tokens, found[4].cached_tokens, found[4].cost_usd) == (30, 10, 0.75)


@pytest.mark.parametrize(
    ("error", "reward", "expected"),
    [
        ("ApiRateLimitError", 0.0, "infrastructure_failed"),
        ("EnvironmentStartTimeoutError", None, "infrastructure_failed"),
        ("CancelledError", None, "infrastructure_failed"),
        ("VerifierTimeoutError", None, "unresolved"),
        ("RewardFileNotFoundError", None, "unresolved"),
        ("AgentTimeoutError", 1.0, "resolved"),
        ("SomeError", 0.0, "unresolved"),
    ],
)
def test_the_infrastructure_is_blamed_for_errors_of_environments_and_providers_only(
    error: str, reward: float | None, expected: str, tmp_path: Path
) -> None:
    rewards = None if reward is None else {"rewards": {"reward": reward}}
    path = changed(tmp_path, exception_info={"exception_type": error}, verifier_result=rewards)
    assert [one.outcome for one in read_results(path, GIVEN).results] == [expected]


@pytest.mark.parametrize(
    ("rewards", "outcome"), [({"score": 1}, "resolved"), ({"a": 0, "reward": 1}, "resolved")]
)
def test_the_reward_is_the_one_of_this_name_or_the_only_one(
    rewards: dict[str, float], outcome: str, tmp_path: Path
) -> None:
    path = changed(tmp_path, verifier_result={"rewards": rewards})
    assert [one.outcome for one in read_results(path, GIVEN).results] == [outcome]


def test_trials_that_have_not_ended_are_left_out(tmp_path: Path) -> None:
    changed(tmp_path / "a")
    changed(tmp_path / "b", finished_at=None)
    found = read_results(tmp_path, GIVEN)
    assert len(found.results) == 1
    assert "1 trials had not ended." in found.source.unknown


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"verifier_result": None}, "job/trial/result.json: the trial has neither a reward nor an exception"),
        (
            {"verifier_result": {"rewards": {"a": 1, "b": 0}}},
            "it has several rewards and none is named 'reward'",
        ),
        ({"verifier_result": {"rewards": {"reward": True}}}, "the reward is not a number"),
        (
            {"agent_result": {"n_input_tokens": 1, "n_cache_tokens": 2}},
            "'cached_tokens': more than 'prompt_tokens'",
        ),
        ({"agent_execution": {"started_at": "x", "finished_at": "y"}}, "a time is invalid"),
        ({"started_at": "x"}, "job/trial/result.json, column 'started_at': 'x' is invalid"),
    ],
)
def test_an_invalid_trial_is_refused_with_the_place(
    values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ResultsRefused, match=message):
        read_results(changed(tmp_path, **values), GIVEN)


def test_trials_of_different_datasets_are_not_mixed(tmp_path: Path) -> None:
    changed(tmp_path / "a")
    changed(tmp_path / "b", source="other")
    with pytest.raises(ResultsRefused, match=r"its trials are of several datasets: other, terminal-bench"):
        read_results(tmp_path, GIVEN)
