"""The file with the marks of a person's run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from runs.data.queries.filters import marked_runs
from runs.models import Agent, Evaluation, PlaySession, Run
from runs.play.play_sessions import open_session, store_help
from runs.play.session_file import SESSIONS, SessionFileError, restore_session, write_session
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.run_signature import is_signed
from tests.runs.tiny import Tiny, claimed, summary_of, write_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(tmp_path: Path) -> PlaySession:
    """A session of an operator, which is not blind, with complete records."""
    ada = User.objects.create_superuser("ada")
    session = open_session(ada, Tiny(tmp_path).task, consent=True)
    run = claimed(session.run)
    write_run(run.path, summary_of(run))
    session.run = run
    write_session(session)
    return session


def file_of(session: PlaySession) -> Path:
    return session.run.path / SESSIONS / "person.json"


def test_the_marks_of_a_run_are_restored_after_the_loss_of_the_database(
    session: PlaySession, settings: Any
) -> None:
    store_help(session, used_assistant=True)
    assert is_signed(file_of(session))
    before = PlaySession.objects.values("user", "pseudonym", "consent", "used_assistant", "not_blind").get()
    Evaluation.objects.all().delete()

    import_runs(Path(settings.RUNS_ROOT))

    found = PlaySession.objects.values("user", "pseudonym", "consent", "used_assistant", "not_blind").get()
    assert found == before
    assert (found["used_assistant"], found["not_blind"]) == (True, True)
    rebuilt = Run.objects.get()
    assert rebuilt.play.ended_at == rebuilt.finished_at is not None
    assert list(marked_runs()) == [{"run": rebuilt.pk}]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"not_blind": 1}, "not_blind: Input should be a valid boolean"),
        ({"pseudonym": "x" * 41}, "pseudonym: "),
        ({"mood": "good"}, "mood: Unexpected keyword argument"),
        ({"run_id": "x/y/z/w/1"}, "is of another run"),
        ({"pseudonym": "x" * 5000}, "larger than 4,096 bytes"),
    ],
)
def test_a_wrong_value_refuses_the_import_and_is_named(
    session: PlaySession, settings: Any, change: dict[str, object], reason: str
) -> None:
    path = file_of(session)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    Evaluation.objects.all().delete()

    with pytest.raises(ImportRefused, match=reason):
        import_runs(Path(settings.RUNS_ROOT))
    assert not Run.objects.exists()


def test_a_link_is_not_followed(session: PlaySession, tmp_path: Path) -> None:
    path = file_of(session)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    session.delete()
    with pytest.raises(SessionFileError, match="must be a file, not a link"):
        restore_session(session.run, own=True)


def test_the_run_of_a_program_has_no_session(session: PlaySession) -> None:
    session.delete()
    Agent.objects.update(kind="scripted")
    with pytest.raises(SessionFileError, match="this run is not a person's"):
        restore_session(Run.objects.get(), own=True)


def test_a_run_without_a_directory_has_no_file(tmp_path: Path) -> None:
    session = open_session(User.objects.create_user("ada"), Tiny(tmp_path).task, consent=True)
    write_session(session)
    assert not restore_session(session.run, own=True)
