"""What an import would store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.checking_files import BESIDE, NO_FORM, NO_RESPONSE, NO_TRAJECTORY, check_files
from runs.intake.reported.importing_files import MAX_LISTED, import_files
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Agent, AuditEntry, Run
from tasks.models import Dataset
from tests.runs.intake.reported.made_results import reported, result
from tests.runs.intake.reported.made_trajectories import mini_trajectory, write_trajectories
from tests.runs.intake.reported.step_readers.conversations.conversation_files import CAST
from tests.runs.intake.reported.step_readers.session_logs.session_files import claude_code_session, lines_file
from tests.runs.intake.reported.step_readers.tool_files import written

pytestmark = pytest.mark.django_db(transaction=True)


def nothing_stored(settings: Any) -> bool:
    files = list(Path(settings.RUNS_ROOT).parent.rglob("trajectory.jsonl"))
    return not (files or Run.objects.exists() or Dataset.objects.exists() or Agent.objects.exists())


def test_each_trajectory_has_a_row_and_each_other_file_a_reason(tmp_path: Path, settings: Any) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1")
    written(home / "long.traj.json", mini_trajectory("a" * 60, info={}))
    (home / "cut.json").write_text("{")
    (home / "notes\x1b.txt").write_text("Hello.")
    written(home / "results.json", {"resolved": ["lab__one-1"], "no_logs": []})
    lines_file(home / "empty.jsonl", claude_code_session()[:3])
    (home / "screen.cast").write_text(CAST)
    found = check_files(home, {})

    assert [(str(one.place), one.problem.partition(": ")[0]) for one in found.left_out] == [
        ("cut.json", "it is not JSON"),
        ("empty.jsonl", NO_RESPONSE),
        ("notes\x1b.txt", NO_FORM),
        ("results.json", NO_TRAJECTORY.partition(": ")[0]),
        ("screen.cast", BESIDE),
    ]
    first, second = found.runs
    assert first.cells == (
        *("lab__one-1.traj.json", "mini-swe-agent", "mini-swe-agent", "lab__one-1", "-"),
        *("3", "1", "-", "0.2500", "outcome, tokens, times, failed calls, patch"),
    )
    assert second.dollars is None
    lines = list(found.lines())
    assert lines[0].split()[:4] == ["file", "form", "agent", "task"]
    assert f"{'a' * 24}…{'a' * 23}" in lines[2]
    assert lines[3] == "2 new trajectories; left out: 5 files; nothing was stored"
    assert lines[4].startswith("left out: cut.json: it is not JSON")
    assert all(line.isprintable() for line in lines)
    assert nothing_stored(settings)


def test_only_the_first_files_that_are_left_out_are_named(tmp_path: Path) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1")
    for number in range(MAX_LISTED + 2):
        (home / f"{number}.txt").write_text("Hello.")
    assert list(check_files(home, {}).lines())[-1] == "and 2 more"


def test_the_parts_of_a_trajectory_are_not_left_out(tmp_path: Path) -> None:
    assert (
        check_files(write_trajectories(tmp_path / "in", "lab__one-1") / "lab__one-1.traj.json", {}).left_out
        == []
    )


def test_what_an_import_refuses_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text("{")
    for path in (tmp_path, tmp_path / "cut.json"):
        with pytest.raises(ResultsRefused, match=r"cut\.json: it is not JSON"):
            check_files(path, {})


def test_what_the_site_has_is_known(tmp_path: Path) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1")
    import_files(home, {})
    write_trajectories(home, "lab__one-2")
    kept = set(Run.objects.values_list("pk", "directory"))
    found = check_files(home, {})
    assert [run.task for run in found.runs] == ["lab__one-2"]
    assert [(one.new, one.grown, one.known) for one in found.stored] == [(1, 0, 1)]
    assert set(Run.objects.values_list("pk", "directory")) == kept
    assert all(run.path.is_dir() for run in Run.objects.all())


def test_what_differs_from_a_board_is_said_and_the_board_stays(tmp_path: Path) -> None:
    store(reported([result("Ada", "lab__one-1", cost_usd=0.5), result("Ada", "lab__one-2", cost_usd=0.25)]))
    entries = AuditEntry.objects.count()
    revision = Dataset.objects.get().revision
    home = write_trajectories(tmp_path / "in", "lab__one-1", "lab__two-1")
    report = {"lab__one-1": {"resolved": True, "patch_exists": True}}
    written(home / "logs/ada/lab__one-1/report.json", report)

    found = check_files(home, {"board": "lab-bench", "agent": "Ada"})

    assert list(found.lines())[-4:] == [
        "1 new trajectory; nothing was stored",
        "compared with the board: outcomes equal in 1 of 1, dollars equal in 0 of 1",
        "differs: lab__one-1: cost_usd 0.5 on the board, 0.25 in the trajectory or its report",
        "left out: the board has no attempt at lab__two-1",
    ]
    assert not Run.objects.exclude(directory="").exists()
    assert Dataset.objects.get().revision == revision
    assert AuditEntry.objects.count() == entries


def test_what_only_storing_finds_is_refused(tmp_path: Path) -> None:
    store(reported([result("Ada", "lab__one-1")]))
    with pytest.raises(ResultsRefused, match="its results are those of a board, to which nothing is added"):
        check_files(write_trajectories(tmp_path / "in", "lab__one-1"), {"slug": "lab-bench"})


def test_a_session_that_went_on_is_named_as_such_and_its_run_stays(tmp_path: Path) -> None:
    home, session = tmp_path / "in", claude_code_session()
    lines_file(home / "session.jsonl", session[:5])
    import_files(home, {})
    run = Run.objects.get()
    lines_file(home / "session.jsonl", session)
    found = check_files(home, {})
    assert [(one.new, one.grown, one.known) for one in found.stored] == [(0, 1, 0)]
    assert found.runs[0].steps > (run.steps or 0)
    assert list(Run.objects.values_list("directory", "steps")) == [(run.directory, run.steps)]
    assert run.path.is_dir()
