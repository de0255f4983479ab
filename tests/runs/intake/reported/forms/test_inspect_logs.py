"""Logs of Inspect. Those in tests/data/reported were written by Inspect (version 0.3.285), without their messages."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_results, read_trajectories
from runs.intake.reported.reported_result import ReportedAgent, ReportedResult, ResultsRefused
from runs.intake.reported.step_readers import json_part
from tests.runs.intake.reported.step_readers.inspect_samples import whole_sample

DATA = Path(__file__).parents[4] / "data/reported/inspect"
GIVEN = {"reported_by": "Ada"}


def log(path: Path, *samples: dict[str, Any], **spec: Any) -> Path:
    """A log with these samples."""
    about = {
        "task": "ns/sums",
        "model": "openai/gpt-5",
        "created": "2026-01-31T10:00:00+00:00",
        "run_id": "r",
        **spec,
    }
    numbered = [{"id": number, "epoch": 1, **sample} for number, sample in enumerate(samples)]
    path.write_text(json.dumps({"eval": about, "samples": numbered}))
    return path


def scored(value: Any) -> dict[str, Any]:
    return {"scores": {"match": {"value": value}}}


def test_an_archive_and_json_say_the_same() -> None:
    one, other = (read_results(DATA / name, GIVEN) for name in ("sums.eval", "sums.json"))
    assert [(*a[:12], *a[12:15]) for a in sorted(one.results)] == [
        (*b[:12], *b[12:15]) for b in sorted(other.results)
    ]
    assert one.agents == other.agents == (ReportedAgent("model", "model", "mockllm"),)
    assert (one.source.slug, one.source.title, one.source.benchmark_version) == ("sums", "sums", "1-A")
    assert one.source.version == "ggZQk3QqD8E64xqXt66Kzi"
    assert one.source.reported_on == date(2026, 11, 26)


def test_outcomes_tokens_and_dollars_are_those_of_the_log() -> None:
    found = read_results(DATA / "sums.eval", GIVEN).results
    assert found[0] == ReportedResult(
        *("model", "1", 1, "resolved"),
        ending="completed",
        prompt_tokens=111,
        completion_tokens=5,
        cached_tokens=10,
        cost_usd=0.25,
        seconds=0.558,
        started_at=datetime(2026, 11, 26, 4, 29, 22, 394136, UTC),
        finished_at=datetime(2026, 11, 26, 4, 29, 22, 964789, UTC),
    )
    log = json.loads((DATA / "sums.json").read_text())
    (usage,) = log["stats"]["model_usage"].values()
    assert (
        sum(one.prompt_tokens or 0 for one in found)
        == usage["input_tokens"] + usage["input_tokens_cache_read"]
    )
    assert sum(one.completion_tokens or 0 for one in found) == usage["output_tokens"]
    assert sum(one.cost_usd or 0 for one in found) == usage["total_cost"]


def test_a_sample_that_ended_with_an_error_is_no_failure_of_the_agent() -> None:
    found = read_results(DATA / "sums.eval", GIVEN).results
    broken = [one for one in found if one.task == "broken"]
    assert [(one.attempt, one.outcome, one.detail) for one in broken] == [
        (1, "infrastructure_failed", "RuntimeError('the sandbox broke')"),
        (2, "unresolved", ""),
    ]
    assert broken[0].prompt_tokens is broken[0].cost_usd is None


@pytest.mark.parametrize(
    ("value", "outcome", "detail"),
    [
        *((value, "resolved", "") for value in ("C", 1, 1.0, True, "true", "yes", "1")),
        *((value, "unresolved", "") for value in ("I", "N", 0, 0.0, False, "no")),
        ("P", "unresolved", "score 0.5"),
        (0.75, "unresolved", "score 0.75"),
        (float("nan"), "", ""),
    ],
)
def test_a_score_of_1_is_resolved(value: object, outcome: str, detail: str, tmp_path: Path) -> None:
    (found,) = read_results(log(tmp_path / "a.json", scored(value)), GIVEN).results
    assert (found.task, found.outcome, found.detail) == ("0", outcome, detail)


@pytest.mark.parametrize(
    ("limit", "ending"),
    [
        ("token", "token_limit"),
        ({"type": "time", "limit": 5}, "time_limit"),
        ("custom", ""),
        (None, "completed"),
    ],
)
def test_a_limit_ends_a_sample(limit: object, ending: str, tmp_path: Path) -> None:
    (found,) = read_results(log(tmp_path / "a.json", {**scored("I"), "limit": limit}), GIVEN).results
    assert (found.outcome, found.ending) == ("unresolved", ending)


def test_names_of_scores_are_shown_in_characters_that_can_be_printed(tmp_path: Path) -> None:
    several = {"scores": {"a\x1b[2J": {"value": "C"}, "\ud800": {"value": "C"}, "\n": {"value": "C"}}}
    with pytest.raises(ResultsRefused) as refused:
        read_results(log(tmp_path / "a.json", several), GIVEN)
    assert refused.value.problem == "it has scores by a [2J, , : give one of them as --scorer"


def test_one_of_several_scores_is_chosen(tmp_path: Path) -> None:
    several = {"scores": {"match": {"value": "C"}, "judge": {"value": {"style": 0, "sense": 1}}}}
    path = log(tmp_path / "a.json", several)
    with pytest.raises(
        ResultsRefused, match=r"scores by match, judge/style, judge/sense: give one of them as --scorer"
    ):
        read_results(path, GIVEN)
    for name, outcome in (("match", "resolved"), ("judge/style", "unresolved")):
        assert read_results(path, {**GIVEN, "scorer": name}).results[0].outcome == outcome
    with pytest.raises(ResultsRefused, match=r"give one of them as --scorer"):
        read_results(path, {**GIVEN, "scorer": "other"})


@pytest.mark.parametrize(("status", "ending"), [("success", "completed"), ("cancelled", "")])
def test_without_a_score_the_outcome_is_unknown(tmp_path: Path, status: str, ending: str) -> None:
    path = log(tmp_path / "a.json", {}, {"error": {"message": "it broke"}}, {"limit": {"type": "token"}})
    path.write_text(json.dumps({**json.loads(path.read_text()), "status": status}))
    assert [(one.outcome, one.ending, one.detail) for one in read_results(path, GIVEN).results] == [
        ("", ending, ""),
        ("infrastructure_failed", "infrastructure", "it broke"),
        ("", "token_limit", "limit: token"),
    ]


@pytest.mark.parametrize(
    ("total", "sent"), [(1_100, 1_000), (1_700, 1_600), (1_130, 1_000), (None, 1_600), ("x", 1_600)]
)
def test_the_total_tells_whether_tokens_sent_include_the_cache(
    tmp_path: Path, total: object, sent: int
) -> None:
    cached = {"input_tokens_cache_read": 500, "input_tokens_cache_write": 100, "total_tokens": total}
    usage = {"input_tokens": 1_000, "output_tokens": 100, **cached}
    (found,) = read_results(
        log(tmp_path / "a.json", {**scored("C"), "model_usage": {"m": usage}}), GIVEN
    ).results
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens) == (sent, 100, 500)


def test_several_models_are_added_up_and_unknown_costs_stay_unknown(tmp_path: Path) -> None:
    usage = {
        "a": {"input_tokens": 5, "output_tokens": 1, "input_tokens_cache_write": 2, "total_cost": 0.5},
        "b": {"input_tokens": 7, "output_tokens": 2, "total_cost": None},
    }
    (found,) = read_results(log(tmp_path / "a.json", {**scored("C"), "model_usage": usage}), GIVEN).results
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens, found.cost_usd) == (
        14,
        3,
        None,
        None,
    )


def test_epochs_and_further_logs_are_attempts_and_a_sample_written_twice_counts_once(tmp_path: Path) -> None:
    log(
        tmp_path / "a.json",
        {**scored("C"), "epoch": 2},
        {**scored("I"), "id": 0},
        {**scored("C"), "id": 0},
        solver="s",
    )
    log(tmp_path / "b.json", scored("I"), solver="s", run_id="r2")
    found = read_results(tmp_path, GIVEN)
    assert [(one.agent, one.attempt, one.outcome) for one in found.results] == [
        ("s with gpt-5", 1, "resolved"),
        ("s with gpt-5", 2, "resolved"),
        ("s with gpt-5", 3, "unresolved"),
    ]
    assert found.source.version == "2026-01-31"


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (scored("good"), "sample '0', epoch 1: the score 'good' is not one from 0 to 1, nor C or I"),
        (scored(2), "the score '2' is not one from 0 to 1"),
        (scored([1]), r"the score '\[1\]' is not one from 0 to 1"),
        ({"epoch": "1"}, "sample '0': its epoch is no number"),
        ({**scored("C"), "working_time": -1}, "sample '0', epoch 1, column 'seconds': '-1' is invalid"),
    ],
)
def test_an_invalid_sample_is_refused_with_the_place(
    sample: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ResultsRefused, match=message):
        read_results(log(tmp_path / "a.json", sample), GIVEN)


def test_logs_of_different_tasks_are_not_mixed(tmp_path: Path) -> None:
    log(tmp_path / "a.json", scored("C"))
    log(tmp_path / "b.json", scored("C"), task="products")
    with pytest.raises(ResultsRefused, match=r"^b.json: its task differs"):
        read_results(tmp_path, GIVEN)


def whole_log(path: Path, **samples: Any) -> Path:
    """A log of two samples, one with messages, as JSON or as an archive; that may have further members."""
    fixed = json.loads(
        json.dumps(whole_sample().fields(("messages", "events", "attachments", "events_data")))
    )
    found = [
        {"id": "fix/it", "epoch": 2, **scored("C"), **fixed},
        {"id": "fix/it", "epoch": 1, **scored("I"), "messages": []},
    ]
    spec = {"task": "sums", "model": "m/x", "created": "2026-01-31", "packages": {"inspect_ai": "0.3.285"}}
    if path.suffix == ".json":
        path.write_text(json.dumps({"eval": spec, "samples": found}))
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps({"eval": spec}))
        summaries = [{name: one[name] for name in ("id", "epoch", "scores")} for one in found]
        file.writestr("summaries.json", json.dumps(summaries))
        for one in [*found, *samples.values()]:
            file.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
    return path


@pytest.mark.parametrize("name", ["a.eval", "a.json"])
def test_samples_have_their_trajectories(name: str, tmp_path: Path) -> None:
    path = whole_log(tmp_path / name)
    first, second = read_results(path, GIVEN).results
    assert (first.attempt, first.outcome, first.trajectory) == (1, "unresolved", None)
    found = second.trajectory
    assert found is not None
    assert (found.form, found.part, found.place, found.version) == (
        "Inspect",
        "fix/it, epoch 2",
        name,
        "inspect_ai 0.3.285",
    )
    assert found.files == {name: path}
    assert [each.step.source for each in found.steps()] == ["system", "user", "agent", "agent"]


def test_a_large_log_is_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_results(whole_log(tmp_path / "a.json"), GIVEN)
    monkeypatch.setattr(json_part, "SMALL", 100)
    streamed = read_results(tmp_path / "a.json", GIVEN)
    assert streamed == whole
    assert [list(one.trajectory.steps()) for one in streamed.results if one.trajectory] == [
        list(one.trajectory.steps()) for one in whole.results if one.trajectory
    ]


def test_a_sample_without_a_summary_counts_too(tmp_path: Path) -> None:
    """The run of a log may end before the summary of its last sample is written."""
    path = whole_log(tmp_path / "a.eval", late={"id": "late", "epoch": 1, **scored("C"), "messages": []})
    assert [(one.task, one.attempt, one.outcome) for one in read_results(path, GIVEN).results] == [
        ("fix/it", 1, "unresolved"),
        ("late", 1, "resolved"),
        ("fix/it", 2, "resolved"),
    ]


def used(sent: int, received: int, cost: float | None = None) -> dict[str, Any]:
    """What a model call used, or all calls of a model."""
    tokens = {"input_tokens": sent, "output_tokens": received, "total_tokens": sent + received}
    return {**tokens, "total_cost": cost}


def graded(agent: dict[str, Any], grader: dict[str, Any], model: str) -> list[dict[str, Any]]:
    """The events of a sample whose scorer calls a model."""
    return [
        {"event": "model", "model": "a", "span_id": "1", "output": {"usage": agent}},
        {"event": "span_begin", "id": "2", "type": "scorers", "name": "scorers"},
        {"event": "span_begin", "id": "3", "parent_id": "2", "type": "scorer", "name": "qa"},
        {"event": "model", "model": model, "span_id": "3", "output": {"usage": grader}},
    ]


AGENT, GRADER = used(100, 10, 0.25), used(1_000, 50, 0.5)


@pytest.mark.parametrize(
    ("models", "grader", "cost"),
    [
        ({"a": used(1_100, 60, 0.75)}, GRADER, 0.25),
        ({"a": AGENT, "b": GRADER}, GRADER, 0.25),
        ({"a": AGENT, "b": used(1_000, 50)}, used(1_000, 50), 0.25),
    ],
)
def test_tokens_and_dollars_of_scorers_are_not_those_of_the_agent(
    tmp_path: Path, models: dict[str, Any], grader: dict[str, Any], cost: float
) -> None:
    events = graded(AGENT, grader, list(models)[-1])
    path = log(tmp_path / "a.json", {**scored("C"), "model_usage": models, "events": events})
    (found,) = read_results(path, GIVEN).results
    assert (found.prompt_tokens, found.completion_tokens, found.cost_usd) == (100, 10, cost)


def test_unknown_dollars_of_calls_to_a_model_that_scores_too_stay_unknown(tmp_path: Path) -> None:
    events = graded(used(100, 10), used(1_000, 50), "a")
    sample = {**scored("C"), "model_usage": {"a": used(1_100, 60, 0.75)}, "events": events}
    (found,) = read_results(log(tmp_path / "a.json", sample), GIVEN).results
    assert (found.prompt_tokens, found.cost_usd) == (100, None)


def test_without_events_the_role_of_a_grader_tells_what_it_used(tmp_path: Path) -> None:
    models = {"a": AGENT, "b": GRADER}
    sample = {**scored("C"), "model_usage": models, "role_usage": {"grader": GRADER}}
    (found,) = read_results(log(tmp_path / "a.json", sample), GIVEN).results
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens) == (100, 10, None)
    assert found.cost_usd == 0.25


def test_a_log_whose_sums_are_other_ones_than_those_of_its_calls_is_believed(tmp_path: Path) -> None:
    events = graded(AGENT, GRADER, "a")
    sample = {**scored("C"), "model_usage": {"a": AGENT}, "events": events}  # it was scored again
    (found,) = read_results(log(tmp_path / "a.json", sample), GIVEN).results
    assert (found.prompt_tokens, found.completion_tokens, found.cost_usd) == (100, 10, 0.25)


def test_an_early_summary_is_completed_by_its_sample(tmp_path: Path) -> None:
    summary = {"id": "late", "epoch": 1, **scored("I")}
    usage = {"m/x": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}}
    sample = {**summary, "model_usage": usage, "limit": {"type": "token"}, "working_time": 2.5}
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as file:
        file.writestr("header.json", json.dumps({"eval": {"task": "sums", "model": "m/x"}}))
        file.writestr("summaries.json", json.dumps([summary]))
        file.writestr("samples/late_epoch_1.json", json.dumps(sample))
    (found,) = read_results(tmp_path / "a.eval", {**GIVEN, "version": "1"}).results
    assert (found.outcome, found.ending, found.seconds) == ("unresolved", "token_limit", 2.5)
    assert (found.prompt_tokens, found.completion_tokens) == (9, 4)


def test_a_log_without_samples_is_left_out(tmp_path: Path) -> None:
    log(tmp_path / "a.json", scored("C"))
    for name in ("b", "c"):
        log(tmp_path / f"{name}.json", task=name)
    (tmp_path / "chat.json").write_text(json.dumps([{"role": "assistant", "content": "Done."}]))
    found = read_trajectories(tmp_path, {})
    assert (len(found.results), found.left_out, len(found.bare)) == (1, 2, 1)
    with pytest.raises(ResultsRefused, match="no model responded"):
        read_trajectories(tmp_path / "b.json", {})


def test_a_task_without_letters_names_no_dataset(tmp_path: Path) -> None:
    assert read_results(log(tmp_path / "a.json", scored("C"), task="..."), GIVEN).source.slug == "inspect"


def test_a_log_without_messages_has_results_only() -> None:
    assert all(one.trajectory is None for one in read_results(DATA / "sums.eval", GIVEN).results)
    with pytest.raises(ResultsRefused, match=r"it has results but no trajectory: `import_results` reads it$"):
        read_trajectories(DATA / "sums.eval", GIVEN)
