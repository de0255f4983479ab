"""After a loss of the database, imported trajectories come back as they were."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.restoring_trajectories import restore_trajectories
from runs.intake.reported.storing import store
from runs.judging.reviews.comparison_pairs import agent_pairs, runs_of
from runs.models import (
    Agent,
    Evaluation,
    JudgeReview,
    JudgeSummary,
    JudgingPass,
    Rating,
    ReviewEvidence,
    Run,
    RunComparison,
)
from runs.transfer.run_directories import ImportRefused
from tasks.models import Task
from tests.runs.intake.reported.forms.test_inspect_logs import log
from tests.runs.intake.reported.growing.test_storing_longer_states import DONE
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    claude_code_session,
    codex_counts_first,
    lines_file,
    text,
)
from tests.runs.intake.reported.step_readers.session_logs.session_files import said as said_later
from tests.runs.intake.reported.step_readers.tool_files import mini_swe_agent_2, swe_agent, written
from tests.runs.intake.reported.test_staged_records import places
from tests.runs.judging.judge_summaries.summarised import stand_ins, start, work
from tests.runs.judging.raters.test_saving_ratings import save
from tests.runs.roles import rater

pytestmark = pytest.mark.django_db


def facts() -> list[tuple[Any, ...]]:
    """What is known of all runs."""
    names = (
        *(
            "key",
            "agent__name",
            "agent__model__name",
            "task__title",
            "task__description",
            "attempt",
            "outcome",
        ),
        *("steps", "iterations", "prompt_tokens", "cost_usd", "directory", "started_at", "counts__behaviour"),
        *("evaluation__slug", "evaluation__title", "evaluation__attempts", "evaluation__report__version"),
        *("trajectory_source__digest", "trajectory_source__file", "trajectory_source__session"),
    )
    return sorted(Run.objects.order_by().values_list(*names))


def lose_the_database() -> None:
    """Deletes all that imports stored."""
    Run.objects.all().delete()
    Evaluation.objects.all().delete()
    Task.objects.all().delete()
    Agent.objects.all().delete()


def test_they_are_stored_again_as_they_were(tmp_path: Path, settings: Any) -> None:
    written(tmp_path / "in/a.traj.json", mini_swe_agent_2())
    store(read_trajectories(tmp_path / "in", {"agent": "mini", "slug": "lab", "version": "7"}))
    store(read_trajectories(written(tmp_path / "b.traj", swe_agent()), {}))
    before = facts()
    lose_the_database()

    said = StringIO()
    call_command("import_runs", str(settings.RUNS_ROOT), stdout=said)
    assert said.getvalue().endswith(": 2 trajectories of other tools restored\n")
    assert facts() == before
    assert all(run.path.is_dir() for run in Run.objects.all())
    assert restore_trajectories() == 0


@pytest.mark.parametrize("versions", [("1", "2", "3"), ("3", "1", "2"), ("10", "1", "1")])
def test_runs_that_have_grown_and_copies_return_as_they_were_whatever_the_order(
    tmp_path: Path, versions: tuple[str, ...], django_capture_on_commit_callbacks: Any, settings: Any
) -> None:
    fork = [{**line, "sessionId": "fork"} for line in claude_code_session()]
    later = said_later("m9", text("More."), (1, 0, 0, 9), "later", timestamp="2026-02-01T12:00:00Z")
    states = (
        {"a": claude_code_session()[:8], "log": [*codex_counts_first()[:10]]},
        {"a": claude_code_session(), "b": [*fork, {**later, "sessionId": "fork"}]},
        {"a": [*claude_code_session(), {**later, "uuid": "z"}], "log": codex_counts_first()},
    )
    for version, files in zip(versions, states, strict=True):
        for name, lines in files.items():
            lines_file(tmp_path / f"in/{name}.jsonl", lines)
        with django_capture_on_commit_callbacks(execute=True):
            store(read_trajectories(tmp_path / "in", {"version": version}))
    before, stored = facts(), places(settings.RUNS_ROOT)
    assert len(before) == 3
    lose_the_database()

    assert restore_trajectories() == 3
    assert facts() == before
    assert places(settings.RUNS_ROOT) == stored
    assert store(read_trajectories(tmp_path / "in", {"version": "4"})).known == 3


def test_of_two_states_that_a_stopped_import_left_the_longer_one_returns(tmp_path: Path) -> None:
    """The older directory is removed after the commit, which the test never reaches."""
    for end in (8, 12):
        path = lines_file(tmp_path / "a.jsonl", claude_code_session()[:end])
        store(read_trajectories(path, {}))
    before = facts()
    lose_the_database()
    assert restore_trajectories() == 1
    assert facts() == before


def test_an_import_without_a_list_is_read_again_from_its_files(tmp_path: Path, settings: Any) -> None:
    """Earlier versions wrote none."""
    store(read_trajectories(written(tmp_path / "b.traj", swe_agent()), {"slug": "lab"}))
    before = facts()
    lose_the_database()
    (path,) = (settings.RUNS_ROOT / "imported").glob("*/runs.json")
    path.unlink()
    assert restore_trajectories() == 1
    assert [row[1:] for row in facts()] == [row[1:] for row in before]  # the key of the run is new


def test_beside_a_run_that_has_grown_since_the_others_without_a_list_return(
    tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    lines_file(tmp_path / "in/a.jsonl", claude_code_session()[:8])
    lines_file(tmp_path / "in/b.jsonl", [{**line, "sessionId": "b"} for line in claude_code_session()])
    store(read_trajectories(tmp_path / "in", {}))
    (path,) = (settings.RUNS_ROOT / "imported").glob("*/runs.json")
    path.unlink()
    lines_file(tmp_path / "in/a.jsonl", claude_code_session())
    with django_capture_on_commit_callbacks(execute=True):
        assert store(read_trajectories(tmp_path / "in", {})).grown == 1
    before = set(Run.objects.values_list("task__title", "steps"))
    lose_the_database()
    assert restore_trajectories() == 2
    assert set(Run.objects.values_list("task__title", "steps")) == before
    assert restore_trajectories() == 0


def test_options_that_are_unreadable_are_named(settings: Any) -> None:
    home = settings.RUNS_ROOT / "imported/lost"
    home.mkdir(parents=True)
    (home / "import.json").write_text("[")
    with pytest.raises(ResultsRefused, match=r"imported/lost/import\.json: unreadable: "):
        restore_trajectories()


ANSWERS: Mapping[type[Model], tuple[str, ...]] = {
    JudgingPass: ("slug", "title", "panel__slug", "kind"),
    JudgeReview: ("judging_pass__slug", "run__key", "dimension", "state", "key", "run_try", "score"),
    ReviewEvidence: ("review__run__key", "review__dimension", "place", "quote", "status", "found_step"),
    RunComparison: ("judging_pass__slug", "run_one__key", "run_two__key", "dimension", "key", "score"),
    JudgeSummary: ("judging_pass__slug", "dimension", "text", "key"),
    Rating: ("run__key", "run_try", "dimension", "score"),
}


def answers() -> dict[str, list[tuple[Any, ...]]]:
    """What judges and people said, without the numbers of rows."""
    return {
        model.__name__: sorted(model._default_manager.order_by().values_list(*names), key=repr)
        for model, names in ANSWERS.items()
    }


@pytest.mark.django_db(transaction=True)
def test_what_judges_and_people_said_returns_with_the_runs(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("one", "two"):
        log(tmp_path / f"in/{name}.json", DONE, DONE, DONE, model=f"openai/{name}", run_id=name)
    store(read_trajectories(tmp_path / "in", {}))
    save(rater("ada"), Run.objects.order_by("pk")[0])
    one, two = Agent.objects.order_by("pk")
    pairs = agent_pairs(one, two, Run.objects.all())
    with stand_ins() as server:
        work(start(runs_of(pairs), server, "first", pairs=pairs))
    before = answers()
    assert {name: len(rows) > 0 for name, rows in before.items()} == dict.fromkeys(before, True)
    lose_the_database()
    JudgingPass.objects.all().delete()
    assert not any(answers().values())

    assert restore_trajectories() == 6
    assert answers() == before


@pytest.mark.django_db(transaction=True)
def test_a_review_of_the_state_before_a_run_has_grown_returns_as_such(tmp_path: Path) -> None:
    path = lines_file(tmp_path / "a.jsonl", claude_code_session()[:8])
    store(read_trajectories(path, {}))
    with stand_ins() as server:
        work(start(list(Run.objects.all()), server))
        lines_file(path, claude_code_session())
        assert store(read_trajectories(path, {})).grown == 1
        work(start(list(Run.objects.all()), server, title="Day watch"))
    before = facts(), answers()
    assert set(JudgeReview.objects.values_list("judging_pass__title", "run_try")) == {
        ("Night watch", 1),
        ("Day watch", 2),
    }
    lose_the_database()
    JudgingPass.objects.all().delete()

    assert restore_trajectories() == 1
    assert (facts(), answers()) == before


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_unreadable_is_named_and_nothing_returns(tmp_path: Path) -> None:
    store(read_trajectories(written(tmp_path / "a.traj.json", mini_swe_agent_2()), {}))
    with stand_ins() as server:
        work(start(list(Run.objects.all()), server))
    (path, *_) = sorted((Run.objects.get().path / "reviews").glob("*.json"))
    path.write_text("[")
    lose_the_database()
    JudgingPass.objects.all().delete()
    with pytest.raises(ImportRefused, match=path.name):
        restore_trajectories()
    assert not Run.objects.exists()
