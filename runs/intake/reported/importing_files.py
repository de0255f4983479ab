"""Imports files with trajectories, and names or leaves out those of them that are broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from django.conf import settings

from harness.scratch import scratch
from runs.analysis.outcomes.stated_values import Comparison
from runs.intake.reported.forms import openhands_runs
from runs.intake.reported.joining.attaching import join
from runs.intake.reported.joining.board_rows import is_board
from runs.intake.reported.joining.stated_results import read_outcomes
from runs.intake.reported.reading import (
    OWNING,
    STREAMED,
    FilePlace,
    ReportForm,
    candidates,
    form_of,
    read_trajectories,
    results_of,
)
from runs.intake.reported.reported_result import ReportedSet, ResultsRefused
from runs.intake.reported.staged_records import Progress
from runs.intake.reported.step_readers.recording import record
from runs.intake.reported.storing import Stored, store_all
from runs.presentation.formatting.numbers import counted
from runs.presentation.formatting.text import one_line, tidy

MAX_LISTED = 20
OWNERS = frozenset({"result.json", "results.json"})  # what directories of Harbor and Terminal-Bench have
REMEDY = "Repair them, or leave them out: with `--skip-broken`, or with `broken=skip` in the API."


@dataclass(frozen=True, slots=True)
class ImportedFiles:
    """What an import did. `reported`: what it read; `broken`: why files were left out, one refusal for each.

    `stored`: what it stored, by dataset: one, but for logs of several tasks. `excluded`: the places that were left out
    with the broken files.
    """

    stored: Sequence[Stored]
    reported: ReportedSet
    broken: Sequence[ResultsRefused] = ()
    excluded: Set[str] = frozenset()

    @property
    def comparison(self) -> Comparison | None:
        """Where the board to which trajectories were attached says otherwise; None if they were attached to none."""
        return self.stored[0].comparison

    @property
    def unmatched(self) -> Sequence[str]:
        """Sentences on trajectories that are of no attempt of the board."""
        return self.stored[0].unmatched

    def left_out(self) -> str:
        """How many files, results and lines were left out, in words, and files that no form reads; '' if none were."""
        unread = self.reported.unread
        more = len(unread) - MAX_LISTED
        names = ", ".join([one_line(place) for place in unread[:MAX_LISTED]] + [f"{more} more"] * (more > 0))
        bare = 0 if self.comparison else len(self.reported.bare)
        kinds = (
            (self.reported.left_out, "without a response of a model"),
            (bare, "without a trajectory"),
            (self.reported.stray, "line that is no JSON", "lines that are no JSON"),
            (len(self.reported.beside), "recording beside trajectories", "recordings beside trajectories"),
            (len(unread), f"in no form of docs/trajectories.md ({names})"),
            (len(self.broken), "broken"),
        )
        said = [counted(number, words[0], words[-1]) for number, *words in kinds if number]
        return f"left out: {', '.join(said)}" if said else ""


@dataclass(frozen=True, slots=True)
class BrokenFile:
    """A file that refuses an import. `places`: what has to be left out with it."""

    refusal: ResultsRefused
    places: Set[str]


def import_files(
    path: Path,
    given: Mapping[str, str],
    progress: Progress | None = None,
    *,
    skip_broken: bool = False,
    outcomes: Path | None = None,
    rehearse: bool = False,
) -> ImportedFiles:
    """Imports the trajectories in a file or directory, all or none of them. Raises ResultsRefused.

    `given["board"]`: the dataset to whose attempts they are attached; empty: they are results of their own. `outcomes`:
    a file of outcomes that is compared with the board.
    If files of a directory are broken, the refusal names the first ones. With `skip_broken` they are left out, whole:
    with what belongs to them, as the sub-agents of a session. Of a run of Terminal-Bench, only the trial is.
    With `rehearse` nothing stays of what it does: the result, or the refusal, is that of such an import.
    """
    given, store_found = _destination(given, outcomes, rehearse=rehearse)
    try:
        found = read_trajectories(path, given)
        return ImportedFiles(store_found(found, progress), found)
    except ResultsRefused as error:
        if not _is_about_one_file(path, error):
            raise
        refused = error
    broken = _broken_files(path, given, None if skip_broken else MAX_LISTED)
    if not broken:
        raise refused
    refusals = [one.refusal for one in broken]
    if not skip_broken:
        raise _refusal(path, refusals) from refused
    found, excluded = _read_others(path, given, broken)
    return ImportedFiles(store_found(found, progress), found, refusals, excluded)


def _destination(
    given: Mapping[str, str], outcomes: Path | None, *, rehearse: bool
) -> tuple[Mapping[str, str], Callable[[ReportedSet, Progress | None], Sequence[Stored]]]:
    """With which options files are read, and what stores them: as results of their own, or on a board."""
    board = given.get("board", "")
    if not board:
        if outcomes is not None:
            raise ResultsRefused(outcomes, "outcomes are compared with a board: give --board")
        return given, partial(_store_apart, rehearse=rehearse)
    if others := given.keys() - {"board", "agent"}:
        problem = f"the board keeps its own: leave out {', '.join(sorted(others))}"
        raise ResultsRefused(board, problem)
    reports = read_outcomes(outcomes) if outcomes is not None else ()
    options = {"slug": "board", "title": "board"}  # what they attach to has names already

    def attach_all(found: ReportedSet, progress: Progress | None) -> Sequence[Stored]:
        results = [result for part in (found, *found.others) for result in part.results]
        agent = given.get("agent", "")
        joined = partial(join, slug=board, agent=agent, reports=reports, rehearse=rehearse)
        return [joined(replace(found, results=results), progress)]

    return options, attach_all


def _store_apart(found: ReportedSet, progress: Progress | None, *, rehearse: bool) -> Sequence[Stored]:
    """Stores trajectories as results of their own. Raises ResultsRefused for a board, to which none are added."""
    for slug in (part.source.slug for part in (found, *found.others)):
        if is_board(slug):
            problem = "its results are those of a board, to which nothing is added: attach trajectories with --board"
            raise ResultsRefused(slug, f"{problem} {slug}, or give another --slug")
    return store_all(found, progress, rehearse=rehearse)


def _is_about_one_file(path: Path, error: ResultsRefused) -> bool:
    """Whether a refusal is about one of several files below a directory."""
    files = list(candidates(path)) if path.is_dir() else []
    return len(files) > 1 and _concerns(error, path, files)


def _concerns(error: ResultsRefused, directory: Path, files: Sequence[FilePlace]) -> bool:
    """Whether a refusal is about one of these files or another one below a directory, and not about their source."""
    return (directory / error.place.partition(",")[0]).is_file() or any(
        error.place.startswith(place) or place.startswith(f"{error.place}/") for _, place in files
    )


def _refusal(path: Path, refusals: Sequence[ResultsRefused]) -> ResultsRefused:
    if len(refusals) == 1:
        return ResultsRefused(refusals[0].place, f"{refusals[0].problem}\n{REMEDY}")
    count = f"{len(refusals)} or more" if len(refusals) == MAX_LISTED else str(len(refusals))
    return ResultsRefused(
        path, "\n".join([f"{count} files are broken:", *(tidy(one) for one in refusals), REMEDY])
    )


def _read_others(
    path: Path, given: Mapping[str, str], broken: Sequence[BrokenFile]
) -> tuple[ReportedSet, Set[str]]:
    """The results in a directory without its broken files, and the places of these.

    Raises ResultsRefused, which names the first broken file if nothing else is there.
    """
    excluded = frozenset().union(*(one.places for one in broken))
    try:
        return read_trajectories(path, given, excluded), excluded
    except ResultsRefused as error:
        if error.place != str(path):
            raise
        first = broken[0].refusal
        raise ResultsRefused(first.place, f"{first.problem}; nothing is left without broken files") from error


def _broken_files(directory: Path, given: Mapping[str, str], most: int | None) -> Sequence[BrokenFile]:
    """The files that refuse an import, at most so many."""
    found: dict[str, BrokenFile] = {}
    for one in _all_broken(directory, given):
        name = str(one.refusal)  # a file of a trial may have a form of its own, and then refuses twice
        found[name] = BrokenFile(one.refusal, one.places | (found[name].places if name in found else set()))
        if len(found) == most:
            break
    return list(found.values())


def _all_broken(directory: Path, given: Mapping[str, str]) -> Iterator[BrokenFile]:
    """Each file is read as it is for an import, without the others."""
    options = {"slug": "x", "title": "x", "reported_by": "x", "version": "x", **given}
    units: dict[tuple[int, str], tuple[ReportForm, list[FilePlace]]] = {}
    for path, place in candidates(directory):
        try:
            form = form_of(path, place)
            if form is not None:
                units.setdefault((id(form), _unit(form, place)), (form, []))[1].append((path, place))
        except ResultsRefused as error:
            yield BrokenFile(error, _with_unreadable(place))
    for form, files in units.values():
        yield from _problems(form, directory, files, options)


def _unit(form: ReportForm, place: str) -> str:
    """What is read at once: files with the same unit."""
    if form is openhands_runs:
        return openhands_runs.conversation_of(place) or place
    return place if form in OWNING or form in STREAMED else ""


def _problems(
    form: ReportForm, directory: Path, files: Sequence[FilePlace], options: Mapping[str, str]
) -> Iterator[BrokenFile]:
    """Why these files are refused, with what has to be left out: all of them, or trials that have directories."""
    whole = _with_all(form, files)
    try:
        for result in results_of(form, files, options).results:
            if result.trajectory is None:
                continue
            place = result.trajectory.place
            try:
                with scratch("check", root=Path(settings.RUNS_ROOT).parent) as home:
                    record(result, result.trajectory, home / "run")
            except ResultsRefused as error:
                if form not in OWNING or not (directory / place).is_dir():
                    raise
                yield BrokenFile(error, {place})
    except ResultsRefused as error:
        if _concerns(error, directory, files):
            yield BrokenFile(error, whole)


def _with_all(form: ReportForm, files: Sequence[FilePlace]) -> Set[str]:
    """The places of these files, and of what belongs to them."""
    found = {place for _, place in files}
    if form in OWNING:
        found |= {str(PurePosixPath(place).parent) for place in found}
    return found | {place.removesuffix(".jsonl") for place in found}  # sub-agents of a session


def _with_unreadable(place: str) -> Set[str]:
    """The same of a file whose form is unknown, since it is unreadable."""
    found = {place, place.removesuffix(".jsonl")}
    if PurePosixPath(place).name in OWNERS:
        return found | {str(PurePosixPath(place).parent)}
    return found | {openhands_runs.conversation_of(place) or place}
