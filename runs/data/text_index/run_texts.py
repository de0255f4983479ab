"""The texts of a run that are searched, by step and kind, and how much of them is left out.

The messages of tests are not among them: a patch can make them quote the hidden tests, so only operators see them. What
is searched is what everybody who sees the run sees of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from harness.records import EDITS, TRAJECTORY, RunRecord, Step, StepEdits, TestStatus
from runs.data.replay.jsonl import complete_lines, edits_in, stamp, step_in, workdir_in
from runs.data.replay.record import named_tests, read_step
from runs.data.replay.step_facts import facts_of
from runs.data.replay.step_search import changed_lines, strings_in
from runs.data.run_facts.count_trajectory import cut
from runs.models import Run

MAX_STEP_CHARACTERS = 50_000  # of each kind of text of a step; of a longer text its beginning and its end
MAX_RUN_CHARACTERS = 2_000_000  # of all texts of a run; later steps are left out
MAX_STEP_NUMBER = 2**24 - 2
END = 0  # the number under which the end of a run is searched: its tests, and its patch if no step has edits

Texts = Mapping[str, str]
"""The text of each kind that a step has."""


@dataclass(slots=True)
class RunTexts:
    """The texts of a run, by the number of the step. `characters` are searched; `left_out` are too many."""

    steps: dict[int, Texts] = field(default_factory=dict)
    characters: int = 0
    left_out: int = 0

    def add(self, number: int, texts: Texts) -> None:
        """Adds the texts of a step, as far as the limits allow. Those of a second step of the number are joined."""
        whole = sum(map(len, texts.values()))
        kept = {kind: cut(text, MAX_STEP_CHARACTERS) for kind, text in texts.items() if text}
        if not kept:
            return
        size = sum(map(len, kept.values()))
        if self.characters + size > MAX_RUN_CHARACTERS or not END <= number <= MAX_STEP_NUMBER:
            self.left_out += whole
            return
        earlier = self.steps.get(number, {})
        self.steps[number] = {
            kind: "\n".join(filter(None, (earlier.get(kind, ""), kept.get(kind, ""))))
            for kind in {**earlier, **kept}
        }
        self.characters += size
        self.left_out += max(0, whole - size)


def texts_of_run(run: Run) -> RunTexts:
    """What of a run is searched. Bad input raises no error: a line that is no step has no text."""
    texts = RunTexts()
    edits = dict(_edits(run))
    trajectory = run.path / TRAJECTORY
    workdir = workdir_in(trajectory)
    texts.add(END, _end(run, patched=not edits))
    for offset, line in complete_lines(trajectory, 0, stamp(trajectory)[1]):
        step = step_in(line) if offset else None  # the first line is the header
        if step is not None:
            texts.add(step.step_id, texts_of_step(step, edits.get(step.step_id), workdir))
    return texts


def texts_at(run: Run, number: int) -> Texts:
    """The texts of a step whole, or of the END; none if there is no such step. They are read from the record."""
    if number == END:
        return _end(run, patched=True)
    found = read_step(run.path, number)
    return {} if found is None else texts_of_step(*found, workdir_in(run.path / TRAJECTORY))


def texts_of_step(step: Step, edits: StepEdits | None, workdir: str) -> Texts:
    """The text of each kind. `path`: the files that its calls name, and those that it changed."""
    files = edits.files if edits else ()
    commands = (text for call in step.calls for text in (call.name, *strings_in(dict(call.arguments))))
    return {
        "message": _joined(step.message, step.reasoning),
        "command": _joined(*commands),
        "output": _joined(*(result.content for result in step.results)),
        "path": _joined(*dict.fromkeys((*_named(step, workdir), *(file.path for file in files)))),
        "patch": _joined(*(changed_lines(file.diff) for file in files)),
    }


def _end(run: Run, *, patched: bool) -> Texts:
    """The names of the tests that did not pass. `patched`: with the changed lines and files of the patch."""
    failed = [test.id for test in named_tests([run]).get(run.pk, ()) if test.status != TestStatus.PASSED]
    texts = {"test": _joined(*failed)}
    if patched:
        lines = _patch_lines(run)
        texts["patch"] = _joined(*(line[1:] for line in lines if not line.startswith(("+++ ", "--- "))))
        texts["path"] = _joined(*(line[6:] for line in lines if line.startswith("+++ b/")))
    return texts


def _patch_lines(run: Run) -> list[str]:
    """The lines of the final patch that begin with a sign; none without a patch."""
    try:
        patch = RunRecord(run.path).patch()
    except OSError:
        return []
    lines = patch[: 2 * MAX_RUN_CHARACTERS].decode("utf-8", "replace").split("\n")
    return [line for line in lines if line.startswith(("+", "-"))]


def _edits(run: Run) -> Iterator[tuple[int, StepEdits]]:
    path = run.path / EDITS
    for _, line in complete_lines(path, 0, stamp(path)[1]):
        edits = edits_in(line)
        if edits is not None:
            yield edits.step_id, edits


def _named(step: Step, workdir: str) -> tuple[str, ...]:
    try:
        return facts_of(step, workdir).paths
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError):
        return ()


def _joined(*texts: str) -> str:
    """On lines of their own, as a database can store them: no half characters, no NUL."""
    return "\n".join(filter(None, texts)).encode("utf-8", "replace").decode().replace("\0", " ")
