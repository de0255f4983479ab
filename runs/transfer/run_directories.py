"""Finds complete run directories, and checks them: this site's own as written, external ones in every detail."""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from harness.archive_stream import ArchiveRefused
from harness.limits import Ending
from harness.records import (
    ARTIFACTS,
    MAX_ARTIFACTS,
    SUMMARY,
    Identity,
    Outcome,
    RunRecord,
    RunSummary,
    TestStatus,
)
from runs.transfer.record_checks import read_summary
from runs.transfer.record_files import (
    FILES,
    MAX_FILE_BYTES,
    MAX_JUDGED_BYTES,
    MAX_JUDGED_FILES,
    judged_files,
)
from runs.transfer.record_reading import RecordRefused
from runs.transfer.unpacking import MAX_BYTES, check_size
from runs.work.execution.run_signature import Proof, check_signature

MAX_SUMMARIES = 32 << 20  # bytes of all summaries together: they are in memory at the same time


class ImportRefused(Exception):
    """Nothing was imported. The message is one line; it names the path and the reason."""

    def __init__(self, path: Path | str, reason: str) -> None:
        self.path = path
        self.reason = reason
        line = f"{path}: {reason}"
        super().__init__("".join(letter if letter.isprintable() else " " for letter in line)[:1000])


@dataclass(frozen=True, slots=True)
class CompleteRun:
    """One complete run directory. `own`: this site executed the run."""

    directory: Path
    summary: RunSummary
    own: bool

    @property
    def identity(self) -> Identity:
        """The run that it belongs to."""
        return self.summary.identity


def find_runs(directory: Path, *, in_place: bool, without: Collection[Path] = ()) -> Iterator[CompleteRun]:
    """The complete run directories below a directory.

    `in_place`: it is this site's directory of runs, so runs there without a signature are its own, too. All others are
    external unless this site signed them. `without`: directories that are left out. Raises ImportRefused.
    """
    size = 0
    for path in sorted(directory.rglob(SUMMARY)):
        where = path.parent
        if any(map(where.is_relative_to, without)):
            continue
        check_files(where)
        size += path.stat().st_size
        if size > MAX_SUMMARIES and not in_place:
            raise ImportRefused(directory, f"its run summaries have more than {MAX_SUMMARIES} bytes together")
        proof = check_signature(where)
        if proof is Proof.BROKEN:
            raise ImportRefused(where, proof.value)
        own = in_place or proof is Proof.VALID
        summary = _own_summary(where) if own else _foreign_summary(where)
        if own and proof is not Proof.VALID:
            _check_verdict(where, summary)
        yield CompleteRun(where, summary, own)


def check_files(directory: Path) -> None:
    """Raises ImportRefused unless the files of a run are regular ones, and its artifacts are pictures of a run."""
    for name in FILES:
        file = directory / name
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise ImportRefused(file, "is not a regular file")
    artifacts = directory / ARTIFACTS
    if artifacts.is_symlink() or (artifacts.exists() and not artifacts.is_dir()):
        raise ImportRefused(artifacts, "is not a directory")
    record = RunRecord(directory)
    for count, path in enumerate(sorted(artifacts.iterdir()) if artifacts.is_dir() else (), 1):
        if record.artifact(path.name) is None:
            raise ImportRefused(path, "is not a picture of a run")
        if count > MAX_ARTIFACTS:
            raise ImportRefused(artifacts, f"holds more than {MAX_ARTIFACTS} pictures")
    _check_judged(directory)


def _check_judged(directory: Path) -> None:
    """Raises ImportRefused unless the files that judges made are regular ones, and not too many."""
    for folder in MAX_JUDGED_BYTES:
        if (directory / folder).is_symlink():
            raise ImportRefused(directory / folder, "is not a directory")
    for count, name in enumerate(judged_files(directory), 1):
        if not stat.S_ISREG((directory / name).lstat().st_mode):
            raise ImportRefused(directory / name, "is not a regular file")
        if count > MAX_JUDGED_FILES:
            raise ImportRefused(directory, f"holds more than {MAX_JUDGED_FILES} reviews")


def time_of(found: CompleteRun, text: str) -> datetime:
    """A time in a run's summary. Raises ImportRefused."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ImportRefused(found.directory / SUMMARY, f"{text!r} is not a time") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def copy_runs(source: Path, target: Path) -> None:
    """Copies the files of complete run directories, never through a link. Raises ImportRefused, ArchiveRefused."""
    size = 0
    for path in sorted(source.rglob(SUMMARY)):
        check_files(path.parent)
        pictures = sorted((path.parent / ARTIFACTS).glob("*"))
        judged = [path.parent / name for name in judged_files(path.parent)]
        for file in (*(path.parent / name for name in FILES), *pictures, *judged):
            if file.is_file():
                size += file.stat().st_size
                if size > MAX_BYTES:
                    raise ArchiveRefused(f"its runs have more than {MAX_BYTES} bytes")
                _copy(file, target / file.relative_to(source))


def tries_by_run(found: Iterable[CompleteRun]) -> Mapping[str, Sequence[CompleteRun]]:
    """The tries of each run, the last one last. Raises ImportRefused where they do not fit together."""
    tries: dict[str, dict[int, CompleteRun]] = defaultdict(dict)
    for one in found:
        numbers = tries[one.identity.run_id]
        twin = numbers.setdefault(one.identity.try_number, one)
        if twin is not one:
            raise ImportRefused(one.directory, f"is the same try of the same run as {twin.directory}")
    ordered = {key: [numbers[number] for number in sorted(numbers)] for key, numbers in tries.items()}
    attempts: dict[tuple[object, ...], str] = {}
    for key, several in ordered.items():
        _check_tries(several)
        run = several[-1].identity
        attempt = (run.evaluation, run.agent, run.dataset, run.repository, run.task, run.attempt)
        if (other := attempts.setdefault(attempt, key)) != key:
            raise ImportRefused(several[-1].directory, f"is the same attempt as the run {other}")
    return ordered


def _check_tries(tries: Sequence[CompleteRun]) -> None:
    last = tries[-1]
    for one in tries[:-1]:
        same = replace(one.identity, try_number=last.identity.try_number, effective=last.identity.effective)
        if same != last.identity or one.own != last.own:
            raise ImportRefused(one.directory, f"is not a try of the same run as {last.directory}")
        if not one.own and one.summary.outcome is not Outcome.INFRASTRUCTURE_FAILED:
            raise ImportRefused(one.directory, "is an earlier try, but the infrastructure did not fail")


def _copy(source: Path, target: Path) -> None:
    name = source.name
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        most = MAX_JUDGED_BYTES.get(source.parent.name) or MAX_FILE_BYTES.get(name, MAX_BYTES)
        check_size(str(source), os.fstat(file.fileno()).st_size, most)
        target.parent.mkdir(parents=True, exist_ok=True)
        written = 0
        with target.open("xb") as copy:
            while part := file.read(1 << 20):
                written += len(part)
                check_size(str(source), written, most)
                copy.write(part)


def _foreign_summary(where: Path) -> RunSummary:
    try:
        # What no table stores would fill the memory: there may be thousands of summaries.
        return replace(read_summary(where), environment={})
    except RecordRefused as error:
        raise ImportRefused(where, str(error)) from error


def _own_summary(directory: Path) -> RunSummary:
    try:
        record = RunRecord(directory)
        summary = record.summary()
        assert summary is not None
        for part in (record.steps, record.edits_by_step, record.tests):
            for _ in part():
                pass  # one by one: a record may be longer than memory
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportRefused(directory, f"is broken: {error!r}") from error
    return summary


def _check_verdict(directory: Path, summary: RunSummary) -> None:
    """A directory without a signature may be old, but its verdict has to agree with its tests."""
    tests = RunRecord(directory).tests()
    if not tests or summary.ending in (Ending.CANCELLED, Ending.INFRASTRUCTURE):
        return
    passed = sum(test.status is TestStatus.PASSED for test in tests)
    if summary.tests_passed != passed:
        reason = f"tests_passed is {summary.tests_passed}, but tests.json gives {passed}"
        raise ImportRefused(directory / SUMMARY, reason)
    if summary.outcome is Outcome.RESOLVED and passed < len(tests):
        reason = f"outcome is 'resolved', but tests.json gives {passed} of {len(tests)} tests"
        raise ImportRefused(directory / SUMMARY, reason)
