"""The marks of a person's run as a file: `sessions/person.json` in its directory, signed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from harness.agents.person import KIND
from harness.errors import HarnessError
from harness.records import write_json
from runs.judging.raters.rater_names import accounts_by_name
from runs.models import PlaySession, Run
from runs.work.execution.run_signature import is_signed, sign_file

SESSIONS = "sessions"
MAX_FILE_BYTES = 4096
_NAME = "person.json"


class SessionFileError(HarnessError):
    """The file of a session is not valid. The message names the file and the field."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """The content of the file; the fields are those of PlaySession. `run_id`: the key of the run."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    run_id: Annotated[str, Field(min_length=1, max_length=1000)]
    pseudonym: Annotated[str, Field(min_length=1, max_length=40)]
    consent: bool
    used_assistant: bool | None
    not_blind: bool
    schema_version: Literal[1] = 1


def write_session(session: PlaySession) -> None:
    """Writes and signs the file, at once or not at all, if the run has a directory. Raises DiskFull and OSError.

    Its content is that of the database: a page may have changed the row meanwhile.
    """
    run = session.run
    row = PlaySession.objects.filter(pk=session.pk).first()
    if row is None or not (run.directory and run.path.is_dir()):
        return
    path = run.path / SESSIONS / _NAME
    stored = StoredSession(run.key, row.pseudonym, row.consent, row.used_assistant, row.not_blind)
    write_json(path, asdict(stored))
    sign_file(path)


def restore_session(run: Run, *, own: bool) -> bool:
    """Stores the session of a new run of a person, if its directory has one. Returns whether it has.

    Of a run from elsewhere, the file is taken as it is: it can only say what speaks against counting the run. The
    account is found by the pseudonym, for runs of this site. Raises SessionFileError.
    """
    path = run.path / SESSIONS / _NAME
    if not path.is_file():
        return False
    stored = _read(path)
    if stored.run_id != run.key or run.agent.kind != KIND:
        raise SessionFileError(f"{path}: is of another run, or this run is not a person's")
    account = accounts_by_name().get(stored.pseudonym) if own or is_signed(path) else None
    PlaySession.objects.create(
        run=run,
        user_id=account,
        pseudonym=stored.pseudonym,
        consent=stored.consent,
        used_assistant=stored.used_assistant,
        not_blind=stored.not_blind,
        created_at=run.started_at or run.queued_at,
        ended_at=run.finished_at,
    )
    return True


def _read(path: Path) -> StoredSession:
    if path.is_symlink() or path.parent.is_symlink():
        raise SessionFileError(f"{path}: must be a file, not a link")
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise SessionFileError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes")
    try:
        return TypeAdapter(StoredSession).validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise SessionFileError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
