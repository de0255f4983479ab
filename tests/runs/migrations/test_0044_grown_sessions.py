"""Sessions that were imported before can grow, too."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from runs.models import Run, TrajectorySource
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.storing import store
from tests.runs.intake.reported.step_readers.session_logs.session_files import SESSION, claude_code_session, lines_file
from tests.runs.intake.reported.step_readers.tool_files import mini_swe_agent_2, written

pytestmark = pytest.mark.django_db
MIGRATION = import_module("runs.migrations.0044_grown_sessions")


def test_sessions_are_named_like_their_tasks(tmp_path: Path) -> None:
    store(read_trajectories(lines_file(tmp_path / "a.jsonl", claude_code_session()), {}))
    store(read_trajectories(written(tmp_path / "a.traj.json", mini_swe_agent_2()), {}))
    TrajectorySource.objects.update(session="")

    MIGRATION.name_sessions(apps)

    assert sorted(TrajectorySource.objects.values_list("form", "session")) == [
        ("Claude Code", SESSION),
        ("mini-swe-agent", ""),
    ]


def test_a_trajectory_is_the_first_try_of_its_run(tmp_path: Path) -> None:
    store(read_trajectories(written(tmp_path / "a.traj.json", mini_swe_agent_2()), {}))
    Run.objects.update(tries=0)
    MIGRATION.number_tries(apps)
    assert Run.objects.get().tries == 1
