"""The loop of reading, editing and running, from transitions between kinds of tools."""

from __future__ import annotations

from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tools.transitions import Tallied, TransitionMatrix, transitions

READING = ("read", "search")


@dataclass(frozen=True, slots=True)
class Loop:
    """One agent's loop (`agent` None: all runs). Shares from 0 to 1; n counts the followers of the first kind."""

    agent: str | None
    reading_then_edit: Estimate
    edit_then_reading: Estimate
    edit_then_run: Estimate
    run_then_edit: Estimate
    alternation: Estimate


@dataclass(frozen=True, slots=True)
class Workflow:
    """The loop of all runs and of each agent, in alphabetical order."""

    overall: Loop
    agents: tuple[Loop, ...]
    excluded: tuple[Exclusion, ...]


@method("workflow", "Reading, editing and running", Section.SEQUENCES_OF_CALLS, 4)
def workflow(runs: Tallied) -> Workflow:
    """How often an edit follows reading, and reading or a command follows an edit.

    Formula: with reading = tools of kind read and search, `edit_then_run = P(run|edit)`, `edit_then_reading =
    P(reading|edit)`, `reading_then_edit = P(edit|reading)`, `run_then_edit = P(edit|run)`, over the calls that have
    a follower. `alternation = (reading → edit + edit → reading) ÷ all transitions`.

    Source: IDE-Bench, section 4.8 and appendix D.2, which use single tools (8.0 % from `edit_file` to
    `run_terminal_cmd`). Kinds are used here because tool names differ between agents; single tools are in
    `transitions`. An edit in a shell is of kind run. The alternation is ours.

    Units: shares from 0 to 1.

    Small n: a share is undefined if nothing follows a call of its first kind.
    """
    kinds = transitions(runs, by="kind")
    return Workflow(_loop(kinds.overall), tuple(map(_loop, kinds.agents)), kinds.excluded)


def _loop(matrix: TransitionMatrix) -> Loop:
    edit, run = matrix.source("edit"), matrix.source("run")
    reading = [matrix.source(kind) for kind in READING]
    to_edit = sum(source.count("edit") for source in reading)
    after_reading = sum(source.n for source in reading)
    back = edit.count(*READING)
    return Loop(
        matrix.agent,
        reading_then_edit=ratio(to_edit, after_reading, after_reading, "no call follows one that reads"),
        edit_then_reading=edit.to(*READING),
        edit_then_run=edit.to("run"),
        run_then_edit=run.to("edit"),
        alternation=ratio(to_edit + back, matrix.n, matrix.n, "no run made two calls"),
    )
