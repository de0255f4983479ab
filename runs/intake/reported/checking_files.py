"""Says what an import of files would store, and stores nothing: a row for each new trajectory, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from runs.analysis.outcomes.stated_values import Comparison
from runs.intake.reported.importing_files import MAX_LISTED, import_files
from runs.intake.reported.reading import OWNING, STREAMED
from runs.intake.reported.reported_result import ReportedResult, ReportedSet, ResultsRefused, shown
from runs.intake.reported.staged_records import Progress
from runs.intake.reported.step_readers.recording import Recorded
from runs.intake.reported.storing import Stored
from runs.presentation.formatting.numbers import counted, counted_kinds
from runs.presentation.formatting.text import tidy

HEAD = ("file", "form", "agent", "task", "outcome", "steps", "calls", "tokens", "dollars", "unknown")
NO_FORM = "no form of docs/trajectories.md has such a file"
NO_RESPONSE = "it has no response of a model, or it is a copy of another file"
BESIDE = "it is a recording beside trajectories, which say more"
NO_TRAJECTORY = "it has no trajectory: `import_results` reads results"
_MAX_WIDTH = 48  # characters of a cell


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A trajectory that an import would store, with what the file says in all; None and '' are unknown.

    `tokens`: sent and received; `dollars`: US dollars; `unknown`: in words, what the file does not say.
    """

    file: str
    form: str
    agent: str
    task: str
    outcome: str
    steps: int
    calls: int | None
    tokens: int | None
    dollars: float | None
    unknown: tuple[str, ...]
    dataset: str

    @classmethod
    def of(cls, read: ReportedResult, recorded: Recorded, dataset: str) -> CheckedRun:
        """That of a result with its trajectory, in the dataset of this slug."""
        result = recorded.completed(read)
        trajectory = read.trajectory
        assert trajectory is not None
        sent, received = result.prompt_tokens, result.completion_tokens
        tokens = None if sent is None or received is None else sent + received
        missing = {
            "outcome": not result.outcome,
            "tokens": tokens is None,
            "dollars": result.cost_usd is None,
            "times": result.started_at is None and result.seconds is None,
            "calls": result.tool_calls is None,
            "failed calls": recorded.failed_calls is None and result.tool_calls is not None,
            "patch": not trajectory.patch.strip(),
        }
        place = f"{trajectory.place}, {trajectory.part}" if trajectory.part else trajectory.place
        return cls(
            *(place, trajectory.form, result.agent, result.task, result.outcome, recorded.steps),
            *(result.tool_calls, tokens, result.cost_usd),
            tuple(name for name, is_missing in missing.items() if is_missing),
            dataset,
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of a table; '-' for what is unknown."""
        numbers = (
            f"{self.steps:,}",
            *("-" if one is None else f"{one:,}" for one in (self.calls, self.tokens)),
        )
        dollars = "-" if self.dollars is None else f"{self.dollars:,.4f}"
        words = (self.file, self.form, self.agent, self.task, self.outcome or "-")
        return (*words, *numbers, dollars, ", ".join(self.unknown) or "-")


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """What an import would store. `left_out`: the files that it would leave out, each with the reason.

    `runs`: those that are new or have grown; `stored`: what it would say of each dataset.
    """

    runs: Sequence[CheckedRun]
    left_out: Sequence[ResultsRefused]
    stored: Sequence[Stored]

    @property
    def comparison(self) -> Comparison | None:
        """Where the board to which they would be attached says otherwise; None if they are attached to none."""
        return self.stored[0].comparison

    @property
    def unmatched(self) -> Sequence[str]:
        """Sentences on trajectories that are of no attempt of the board."""
        return self.stored[0].unmatched

    def lines(self) -> Iterator[str]:
        """The table, what differs from the board, and the first files that are left out."""
        rows = [HEAD, *([_short(cell) for cell in run.cells] for run in self.runs)]
        widths = [max(len(row[number]) for row in rows) for number in range(len(HEAD))]
        for row in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        counts = {kind: sum(getattr(one, kind) for one in self.stored) for kind in ("new", "grown", "known")}
        trajectories = counted_kinds(counts, "trajectory", "trajectories")
        left_out = f"; left out: {counted(len(self.left_out), 'file')}" if self.left_out else ""
        yield f"{trajectories}{left_out}; nothing was stored"
        if self.comparison is not None:
            yield f"compared with the board: {self.comparison}"
            yield from _first("differs: ", self.comparison.differences)
            yield from _first("left out: ", self.unmatched)
        yield from _first("left out: ", self.left_out)


def _first(head: str, said: Sequence[object]) -> Iterator[str]:
    """The first sentences, and how many more there are."""
    yield from (f"{head}{tidy(one)}" for one in said[:MAX_LISTED])
    if len(said) > MAX_LISTED:
        yield f"and {len(said) - MAX_LISTED} more"


def _short(cell: str) -> str:
    """A cell in one line that can be printed; of a long one the beginning and the end."""
    plain = "".join(letter if letter.isprintable() else " " for letter in shown(cell))
    half = _MAX_WIDTH // 2
    return plain if len(plain) <= _MAX_WIDTH else f"{plain[:half]}…{plain[1 - half :]}"


def check_files(
    path: Path,
    given: Mapping[str, str],
    progress: Progress | None = None,
    *,
    outcomes: Path | None = None,
) -> CheckedFiles:
    """Rehearses the import of a file or directory that leaves broken files out. Nothing stays of it.

    Raises ResultsRefused if the import would.
    """
    done = import_files(path, given, progress, skip_broken=True, outcomes=outcomes, rehearse=True)
    runs = [
        CheckedRun.of(result, recorded, one.report.dataset.slug)
        for one in done.stored
        for result, recorded in one.recorded
    ]
    left_out = [*done.broken, *_left_out(done.reported, done.excluded)]
    if done.comparison is not None:  # results without a trajectory were compared with the board
        left_out = [one for one in left_out if one.problem != NO_TRAJECTORY]
    return CheckedFiles(runs, left_out, done.stored)


def _results(reported: ReportedSet) -> Iterator[ReportedResult]:
    """The results of all datasets in which an import would store them."""
    for part in (reported, *reported.others):
        yield from part.results


def _left_out(reported: ReportedSet, excluded: Set[str]) -> Iterator[ResultsRefused]:
    """The files below a directory that are in no trajectory and not in `excluded`, each with the reason."""
    trajectories = [result.trajectory for result in _results(reported) if result.trajectory]
    used = {place for one in trajectories for place in one.files}
    homes = {PurePosixPath(place) for place in (*excluded, *(one.place for one in trajectories))}
    for place in sorted({*reported.forms, *reported.unread} - used):
        path = PurePosixPath(place)
        if not homes.isdisjoint((path, *path.parents)):
            continue
        form = reported.forms.get(place)
        if form in OWNING and any(path.parent in home.parents for home in homes):
            continue  # it is about the trials below its directory
        reason = NO_FORM if form is None else NO_RESPONSE if form in STREAMED else NO_TRAJECTORY
        reason = BESIDE if place in reported.beside else reason
        yield ResultsRefused(place, reason)
