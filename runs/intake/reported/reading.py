"""Reads a file of reported results, whatever its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from django.utils import timezone

from runs.intake.reported.forms import (
    atif_trajectories,
    chat_logs,
    claude_code_sessions,
    codex_sessions,
    hal_runs,
    harbor_jobs,
    inspect_logs,
    mini_swe_agent_runs,
    openhands_runs,
    swe_agent_runs,
    swe_bench_board,
    swe_bench_reports,
    terminal_bench_runs,
)
from runs.intake.reported.forms.conversation_forms import CONVERSATIONS
from runs.intake.reported.forms.eval_archive import is_archive, read_archive
from runs.intake.reported.forms.leaderboard_submissions import (
    aider_leaderboard,
    multi_swe_bench_reports,
    swe_bench_experiments,
    swe_bench_pro_results,
)
from runs.intake.reported.report_document import (
    YAML_SUFFIXES,
    ReportDocument,
    places_below,
    read_json,
    read_yaml,
)
from runs.intake.reported.reported_result import ReportedResult, ReportedSet, ResultsRefused, readable, shown
from runs.intake.reported.result_table import FIELD_NAMES
from runs.intake.reported.source_file import SOURCE, read_directory, source_of
from runs.intake.reported.step_readers.conversations.first_text import TEXT_SUFFIXES, first_text
from runs.intake.reported.step_readers.json_lines import first_lines, is_json_lines
from runs.intake.reported.step_readers.json_part import is_small, whole_file
from runs.intake.reported.table_files import csv_rows, is_table, read_table

OPERATOR = "an operator of this site"
UNKNOWN = "its form is unknown: a directory with source.toml, a table, or a form of docs/reported-results.md"
UNKNOWN_TRAJECTORY = (
    "its form is unknown: docs/trajectories.md lists the forms of trajectories that are read; a table of results is "
    "for `import_results`"
)
NO_TRAJECTORY = "it has results but no trajectory: `import_results` reads it"
SEVERAL = (
    "its logs are of several tasks, which are datasets of their own: leave --slug out, or import them apart"
)
CAST = ".cast"  # recordings of a terminal
_LINES = frozenset({".jsonl", ".ndjson"})


class ReportForm(Protocol):
    """A module of `forms`. `NAMES`: patterns of the names of its files in a directory."""

    NAMES: tuple[str, ...]

    def matches(self, content: Any) -> bool:
        """Whether the content of a file is of this form."""

    def read(self, documents: Iterator[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
        """The results of at least one document."""


FilePlace = tuple[Path, str]
"""A file, and its place below what is imported."""
STREAMED: tuple[ReportForm, ...] = (
    inspect_logs,
    atif_trajectories,
    *CONVERSATIONS,
    claude_code_sessions,
    codex_sessions,
    mini_swe_agent_runs,
    openhands_runs,
    swe_agent_runs,
    chat_logs,  # after the forms of tools that store such messages, too
)
"""Forms that read files of any size: the beginning of a large file is enough for them."""
FORMS: tuple[ReportForm, ...] = (
    harbor_jobs,  # before the forms of the files in their directories
    terminal_bench_runs,
    *STREAMED,
    swe_bench_board,
    hal_runs,
    multi_swe_bench_reports,  # before the reports that it resembles
    swe_bench_experiments,  # before the reports beside it, which only tasks whose tests ran have
    swe_bench_reports,
    swe_bench_pro_results,
    aider_leaderboard,
)


OWNING: tuple[ReportForm, ...] = (harbor_jobs, terminal_bench_runs)
"""Forms whose directories hold files of other forms, about the same attempts."""


_OF_JOBS = harbor_jobs.OF_JOB | terminal_bench_runs.OF_RUN
"""Names of files above the directories of results, which say nothing else."""


def read_results(path: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results in a file or directory. `given`: values of the source, which the file does not say or which differ.

    For forms whose files have several parts, it says which one is meant: 'board', 'scorer'.
    Raises ResultsRefused, which names the place in the file.
    """
    try:
        path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise ResultsRefused(path, f"there is no such file: {error}") from error
    if path.is_dir():
        return read_directory(path, given) if (path / SOURCE).is_file() else _read_tree(path, given)
    if not path.is_file():
        raise ResultsRefused(path, UNKNOWN)
    if is_table(path) and not _has_streamed_lines(path):
        if not _has_columns(path):
            raise ResultsRefused(path, UNKNOWN)
        return ReportedSet(source_of(given, "options"), read_table(path))
    form = _form_of(path, path.name, FORMS)
    if form is None:
        raise ResultsRefused(path, UNKNOWN)
    return results_of(form, [(path, path.name)], given)


def read_trajectories(path: Path, given: Mapping[str, str], excluded: Set[str] = frozenset()) -> ReportedSet:
    """The results in a file or directory that have trajectories; they add to those that were imported before.

    What only people know of them has a default: who reports them. Files of several forms below a directory are one
    set; logs of several tasks are datasets of their own, as if they were imported apart. `excluded`: places of files
    and directories that are left out. Of links, only `path` itself is followed. Raises ResultsRefused, also if there is
    none.
    """
    path = path.resolve() if path.is_symlink() and path.is_file() else path
    options = {"reported_by": OPERATOR, "version": timezone.now().date().isoformat(), **given}
    try:
        if path.is_dir() and not (path / SOURCE).is_file():
            below = _sets_below(path, options, excluded)
        else:
            below = _Below([(None, _set_of(path, options))])
    except ResultsRefused as error:
        if error.problem == UNKNOWN:
            raise ResultsRefused(error.place, UNKNOWN_TRAJECTORY) from error
        raise
    groups = below.groups()
    if len(groups) > 1 and "slug" in given:
        raise ResultsRefused(path, SEVERAL)
    parts = [part for group in groups if (part := _joined(group, options, excluded)).results]
    sets = [found for _, found in below.sets]
    if not parts and any(found.results or found.printed for found in sets):
        raise ResultsRefused(path, NO_TRAJECTORY)
    if not parts:
        raise ResultsRefused(path, "no model responded in any of its files")
    return replace(
        parts[0],
        left_out=below.empty + sum(found.left_out for found in sets),
        bare=[one for found in sets for one in found.results if one.trajectory is None],
        stray=sum(found.stray for found in sets),
        unread=below.unread,
        forms=below.forms,
        beside=below.beside,
        others=tuple(parts[1:]),
    )


@dataclass(slots=True)
class _Below:
    """What there is below a directory: the results by form, how many files are empty, and those that no form reads.

    `forms`: those of the other files, by place; `beside`: those of them that are recordings beside trajectories.
    """

    sets: list[tuple[ReportForm | None, ReportedSet]]
    empty: int = 0
    unread: tuple[str, ...] = ()
    forms: Mapping[str, ReportForm] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()

    def groups(self) -> list[list[ReportedSet]]:
        """The sets of each dataset: of all forms together, but of each task of a form whose files are of several."""
        counts = Counter(id(form) for form, _ in self.sets)
        together = [found for form, found in self.sets if counts[id(form)] == 1]
        apart = [[found] for form, found in self.sets if counts[id(form)] > 1]
        return [together, *apart] if together else apart


def _joined(sets: Sequence[ReportedSet], options: Mapping[str, str], excluded: Set[str]) -> ReportedSet:
    """The trajectories of several sets as those of one dataset."""
    source = sets[0].source
    if len(sets) > 1:
        options = {"slug": "trajectories", "title": "Trajectories", **options}
        source = replace(source, slug=options["slug"], title=options["title"])
    results = list(_trajectories(sets, excluded))
    names = {result.agent for result in results}
    agents = {agent.name: agent for found in sets for agent in found.agents if agent.name in names}
    return ReportedSet(source, results, tuple(agents.values()), adds=True, options=options)


def _set_of(path: Path, options: Mapping[str, str]) -> ReportedSet:
    """The results in one file, which should have trajectories. Raises ResultsRefused."""
    if path.is_file() and is_table(path):
        if path.suffix == ".csv" and _has_columns(path):
            raise ResultsRefused(path, NO_TRAJECTORY)
        if path.suffix not in _LINES or _form_of(path, path.name, STREAMED) is None:
            raise ResultsRefused(path, UNKNOWN)
    return read_results(path, options)


def _trajectories(sets: Sequence[ReportedSet], excluded: Set[str]) -> Iterator[ReportedResult]:
    """The results with trajectories. Attempts of one agent at one task are numbered again."""
    attempts: Counter[tuple[str, str]] = Counter()
    for result in (result for found in sets for result in found.results):
        if result.trajectory is not None and result.trajectory.place not in excluded:
            attempts[result.agent, result.task] += 1
            yield result._replace(attempt=attempts[result.agent, result.task])


def _sets_below(directory: Path, options: Mapping[str, str], excluded: Set[str]) -> _Below:
    """The results below a directory, form by form. Raises ResultsRefused without any.

    Where an owning form has read trajectories, no other form looks at the files beside and below its own.
    """
    places = list(places_below(directory))
    files = list(_candidates(directory, places, excluded))
    sets: list[tuple[ReportForm | None, ReportedSet]] = []
    read: set[FilePlace] = set()
    homes: set[str] = set()
    owned: set[PurePosixPath] = set()
    owning = _by_form(files, OWNING)
    for form, found in owning:
        sets.append((form, results_of(form, found, options)))
        read.update(found)
        owned |= {PurePosixPath(place).parent for _, place in found}
        if any(result.trajectory is not None for result in sets[-1][1].results):
            homes |= {str(PurePosixPath(place).parent) for _, place in found}
    rest = [file for file in files if file not in read and not _is_in(file[1], homes)]
    others = _by_form(rest, [form for form in FORMS if form not in OWNING])
    for form, found in _without_recordings(others):
        sets.append((form, results_of(form, found, options)))
        read.update(found)
    if not sets:
        raise ResultsRefused(directory, UNKNOWN)
    beside = {file for _, found in others for file in found} - read
    start = len(str(directory / "_")) - 1
    used = {str(path)[start:] for path in _stored_files(found for _, found in sets)}
    used |= {place for _, place in read | beside}
    unread = _unread(directory, (place for place in places if place not in used), owned, excluded)
    forms = {place: form for form, found in (*owning, *others) for _, place in found}
    empty = sum(_is_empty(directory, place) for place in places)
    return _Below(sets, empty, unread, forms, frozenset(place for _, place in beside))


def _without_recordings(
    by_form: Sequence[tuple[ReportForm, list[FilePlace]]],
) -> Iterator[tuple[ReportForm, list[FilePlace]]]:
    """The files of each form, without recordings beside trajectories: they belong to these, and are no runs."""
    beside = {_home(file) for _, files in by_form for file in files if not file[1].endswith(CAST)}
    for form, files in by_form:
        alone = [file for file in files if not file[1].endswith(CAST) or _home(file) not in beside]
        if alone:
            yield form, alone


def _home(file: FilePlace) -> PurePosixPath:
    return PurePosixPath(file[1]).parent


def _stored_files(sets: Iterable[ReportedSet]) -> Iterator[Path]:
    """The files that trajectories were read from."""
    for found in sets:
        for result in found.results:
            yield from result.trajectory.files.values() if result.trajectory else ()


def _unread(
    directory: Path, places: Iterable[str], owned: Set[PurePosixPath], excluded: Set[str]
) -> tuple[str, ...]:
    """The places of files that no form has read, those whose names a form has first; no hidden and empty ones.

    `owned`: directories whose files belong to the results in them; `excluded`: places that are left out anyway.
    """
    hidden = {str(PurePosixPath(place)) for place in excluded} | set(map(str, owned))
    jobs = {str(above) for home in owned for above in home.parents}
    found: list[str] = []
    for place in places:
        home, _, name = place.rpartition("/")
        is_of_job = (home or ".") in jobs and name in _OF_JOBS
        is_hidden = is_of_job or "/." in f"/{place}" or _is_in(place, hidden)
        if not is_hidden and not _is_empty(directory, place):
            found.append(place)
    return tuple(sorted(found, key=lambda place: not _named(place.rpartition("/")[2])))


def _is_in(place: str, homes: Set[str]) -> bool:
    """Whether a place, or a directory above it, is one of these."""
    while place:
        if place in homes:
            return True
        place = place.rpartition("/")[0]
    return "." in homes


def _read_tree(directory: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results of the first form that files below a directory have. Raises ResultsRefused if there is none."""
    groups = _by_form(candidates(directory), FORMS)
    if not groups:
        raise ResultsRefused(directory, UNKNOWN)
    first = groups[0][0]
    found = [file for form, files in groups if form is first for file in files]
    return results_of(first, sorted(found, key=lambda file: file[0]) if len(groups) > 1 else found, given)


def _by_form(
    files: Iterable[FilePlace], forms: Sequence[ReportForm]
) -> list[tuple[ReportForm, list[FilePlace]]]:
    """The files that have one of these forms, in the order of these. Raises ResultsRefused if one is unreadable.

    Logs of Inspect that are of several tasks are several entries.
    """
    found: dict[tuple[int, tuple[str, str]], list[FilePlace]] = {}
    for path, place in files:
        named = [form for form in _named(path.name) if form in forms]
        if not named:
            continue
        content = _document(path, place).content
        form = next((form for form in named if form.matches(content)), None)
        if form is not None:
            benchmark = inspect_logs.benchmark_of(content) if form is inspect_logs else ("", "")
            found.setdefault((FORMS.index(form), benchmark), []).append((path, place))
    return [(FORMS[number], found[number, benchmark]) for number, benchmark in sorted(found)]


def candidates(directory: Path, excluded: Set[str] = frozenset()) -> Iterator[FilePlace]:
    """The files below a directory that may have a form, by their names."""
    return _candidates(directory, places_below(directory), excluded)


def _candidates(directory: Path, places: Iterable[str], excluded: Set[str]) -> Iterator[FilePlace]:
    for place in places:
        is_named = bool(_named(place.rpartition("/")[2]))
        if is_named and not _is_in(place, excluded) and not _is_empty(directory, place):
            yield directory / place, place


def form_of(path: Path, place: str) -> ReportForm | None:
    """The form of a file below a directory. Raises ResultsRefused if it is unreadable."""
    return _form_of(path, place, _named(path.name))


def results_of(form: ReportForm, files: Sequence[FilePlace], given: Mapping[str, str]) -> ReportedSet:
    """The results in files of a form. Raises ResultsRefused."""
    with readable(files[0][1], *files):
        return form.read(_documents(form, files), given)


@lru_cache(maxsize=1024)
def _named(name: str) -> tuple[ReportForm, ...]:
    """The forms whose files have such names."""
    return tuple(form for form in FORMS if any(fnmatch(name, pattern) for pattern in form.NAMES))


def _form_of(path: Path, place: str, forms: Sequence[ReportForm]) -> ReportForm | None:
    """The first of these forms that a file has. Raises ResultsRefused if it is unreadable."""
    content = _document(path, place).content
    return next((form for form in forms if form.matches(content)), None)


def _documents(form: ReportForm, files: Sequence[FilePlace]) -> Iterator[ReportDocument]:
    """The files as documents of a form, one by one: their contents may need much memory."""
    return (_for(form, _document(path, place)) for path, place in files)


def _is_empty(directory: Path, place: str) -> bool:
    """Whether it is a file for JSON lines to which nothing was written, or that has vanished."""
    if not place.endswith(".jsonl"):
        return False
    path = directory / place
    try:
        return path.suffix == ".jsonl" and not path.stat().st_size
    except OSError:
        return True


def _has_streamed_lines(path: Path) -> bool:
    """Whether the lines of a file are of a form, and no rows of a table."""
    try:
        return path.suffix in _LINES and _form_of(path, path.name, STREAMED) is not None
    except ResultsRefused:
        return False


def _has_columns(path: Path) -> bool:
    """Whether the first line of a table has one of its columns; True if it is unreadable, or packed."""
    try:
        if path.suffix == ".csv":
            first: Iterable[str] = next(csv_rows(path))[1]
        elif path.suffix in _LINES:
            first = first_lines(path, path.name)[0]
        else:
            return True
    except (ResultsRefused, IndexError, StopIteration):
        return True
    return not set(FIELD_NAMES).isdisjoint(first)


def _document(path: Path, place: str) -> ReportDocument:
    """The content of a file; of a large one, or of JSON lines, the beginning. Raises ResultsRefused."""
    if not place.isascii() and shown(place) != place:
        raise ResultsRefused(place, "its name is no UTF-8: rename it")
    with readable(place):
        return _read_document(path, place)


def _read_document(path: Path, place: str) -> ReportDocument:
    if is_archive(path):
        return ReportDocument(path, place, read_archive(path, place))
    if path.suffix in TEXT_SUFFIXES:
        return ReportDocument(path, place, first_text(path, place), whole=False)
    if path.suffix in YAML_SUFFIXES:
        return ReportDocument(path, place, read_yaml(path, place))
    if is_json_lines(path):
        return ReportDocument(path, place, first_lines(path, place), whole=False)
    if is_small(path):
        return ReportDocument(path, place, read_json(path, place))
    return ReportDocument(path, place, whole_file(path, place).outline(), whole=False)


def _for(form: ReportForm, document: ReportDocument) -> ReportDocument:
    """The document as a form reads it."""
    if document.whole or form in STREAMED:
        return document
    return replace(document, content=read_json(document.path, document.place), whole=True)
