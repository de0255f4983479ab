"""Runs of Terminal-Bench's first harness: directories with results.json and run_metadata.json.

A run may try each task several times; several runs of one agent are further attempts. Each trial has a results.json of
its own, which counts if that of the run lacks it, because the run was killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import LOG, TERMINAL
from runs.intake.reported.forms.attempt_rows import (
    AttemptRows,
    agent_with,
    names_of_tests,
    seconds_between,
    slug_of,
)
from runs.intake.reported.report_document import (
    ReportDocument,
    is_name_in_directory,
    is_plain_file,
    objects,
    pick,
    pick_text,
    printed,
    read_json,
)
from runs.intake.reported.reported_result import ReportedAgent, ReportedSet, ResultsRefused, outcome_of
from runs.intake.reported.step_readers.terminal_bench_steps import TrialFiles, stored_recording, trial_steps
from runs.intake.reported.step_readers.verifier_files import log_of
from runs.intake.reported.trajectory import Trajectory, WriteFile, files_digest

NAMES: tuple[str, ...] = ("*results.json",)  # of its files in a directory

METADATA = "run_metadata.json"
OF_RUN = frozenset({METADATA, "run.log", "tb.lock"})  # above the directories of trials
_INSTALLATION = "agent_installation_failed"
_ENDINGS = {
    "unset": "completed",
    "none": "completed",
    "agent_timeout": "time_limit",
    "unknown_agent_error": "agent_error",
    "fatal_llm_parse_error": "agent_error",
    "context_length_exceeded": "context_limit",
    _INSTALLATION: "infrastructure",
}


def matches(content: Any) -> bool:
    """Whether these are the results of a run or of a trial."""
    return _is_trial(content) or _is_run(content)


def _is_trial(content: Any) -> bool:
    return isinstance(content, dict) and {"trial_name", "task_id", "is_resolved"} <= content.keys()


def _is_run(content: Any) -> bool:
    results = pick(content, "results")
    first = results[0] if isinstance(results, list) and results else None
    return isinstance(first, dict) and {"task_id", "is_resolved"} <= first.keys()


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The attempts of all runs. Raises ResultsRefused."""
    rows = AttemptRows("terminal-bench")
    datasets: set[tuple[Any, Any]] = set()
    runs: list[Any] = []
    unknown = ["Costs are not reported, and tokens of some agents only."]
    for document, is_whole in _runs(documents):
        about = _metadata(document)
        agent = _agent(document, about, given.get("agent", ""))
        rows.begin_run(agent)
        for trial in objects(document.place, "results", document.content["results"]):
            _add(rows, document, agent, trial)
        if is_whole:
            _add_printed(rows, document, agent)
        else:
            unknown.append("A run had not ended: trials may be missing.")
        runs.append(pick(about, "run_id"))
        datasets.add((str(pick(about, "dataset_name") or ""), str(pick(about, "dataset_version") or "")))
        if len(datasets) > 1:
            raise ResultsRefused(
                document.place, "its dataset differs from that of other runs: import them apart"
            )
    ((name, version),) = datasets
    found = {
        "slug": slug_of(name) or "terminal-bench",  # a directory of tasks has no name
        "title": name or "Terminal-Bench",
        "benchmark_version": version,
        "version": runs[0] if len(runs) == 1 else None,
        "unknown": list(dict.fromkeys(unknown)),
    }
    return rows.finish(found, given, "agent")


def _runs(documents: Iterable[ReportDocument]) -> Iterator[tuple[ReportDocument, bool]]:
    """The results of runs, then those of trials that no run lists, as runs of which not all is there."""
    listed: set[tuple[Path, str]] = set()
    trials: dict[Path, list[ReportDocument]] = {}
    for document in documents:
        if _is_run(document.content):
            names = (str(pick(trial, "trial_name")) for trial in document.content["results"])
            listed |= {(document.path.absolute().parent, name) for name in names}
            yield document, True
        else:
            trials.setdefault(_run_of(document).path, []).append(document)
    for found in trials.values():
        homes = [(one, one.path.absolute().parents) for one in found]
        missing = [
            one.content
            for one, parents in homes
            if listed.isdisjoint((home, str(one.content["trial_name"])) for home in parents)
        ]
        if missing:
            yield replace(_run_of(found[0]), content={"results": missing}), False


def _run_of(trial: ReportDocument) -> ReportDocument:
    """The document that the run of a trial has if it ended: RUN/results.json for RUN/TASK/TRIAL/results.json."""
    home, place = trial.path.absolute().parent, Path(trial.place).parent
    return replace(
        trial,
        path=home.parent.parent / trial.path.name,
        place=str(place.parent.parent / trial.path.name),
        content=None,
    )


def _metadata(document: ReportDocument) -> Any:
    """The description of the run, as far as it is there."""
    path = document.path.with_name(METADATA)
    return read_json(path, str(Path(document.place).with_name(METADATA))) if path.exists() else None


def _agent(document: ReportDocument, about: Any, name: str) -> ReportedAgent:
    if name:
        return ReportedAgent(name)
    if pick(about, "agent_name") is None and pick(about, "model_name") is None:
        raise ResultsRefused(document.place, f"no {METADATA} beside it names the agent: give --agent")
    return agent_with(pick(about, "agent_name"), pick(about, "model_name"))


def _add(rows: AttemptRows, document: ReportDocument, agent: ReportedAgent, trial: Mapping[str, Any]) -> None:
    where = f"{document.place}, trial {str(trial.get('trial_name'))[:80]!r}"
    mode = str(trial.get("failure_mode") or "unset")
    tests = trial.get("parser_results")
    if tests is not None and not (
        isinstance(tests, dict) and all(status in ("passed", "failed") for status in tests.values())
    ):
        raise ResultsRefused(where, "'parser_results' has values other than 'passed' and 'failed'")
    resolved = trial.get("is_resolved")
    if resolved not in (None, True, False):
        raise ResultsRefused(where, "'is_resolved' is neither true, false nor null")
    passed, failed = (
        names_of_tests([name for name, status in (tests or {}).items() if status == wanted])
        for wanted in ("passed", "failed")
    )
    # Agents that count no tokens report 0 ones sent.
    counted = bool(trial.get("total_input_tokens"))
    rows.add(
        where,
        agent,
        _trajectory(document, trial),
        task=trial.get("task_id"),
        outcome=outcome_of(resolved=bool(resolved), infrastructure=mode == _INSTALLATION and not resolved),
        ending=_ENDINGS.get(mode, ""),
        detail="" if mode in ("unset", "none") else mode,
        tests_passed=len(passed) if tests else None,
        tests_total=len(passed) + len(failed) if tests else None,
        passed_tests=passed,
        failed_tests=failed,
        prompt_tokens=trial.get("total_input_tokens") if counted else None,
        completion_tokens=trial.get("total_output_tokens") if counted else None,
        seconds=seconds_between(where, trial.get("agent_started_at"), trial.get("agent_ended_at")),
        started_at=trial.get("trial_started_at"),
        finished_at=trial.get("trial_ended_at"),
    )


def _trajectory(document: ReportDocument, trial: Mapping[str, Any]) -> Trajectory | None:
    """The trajectory of a trial, whose directory is below that of the run; None if nothing of it is there."""
    names = (trial.get("task_id"), trial.get("trial_name"))
    if not all(map(is_name_in_directory, names)):
        return None
    relative = Path(*map(str, names))
    place = str(Path(document.place).parent / relative)
    files = TrialFiles(document.path.parent / relative, place, pick_text(trial, "instruction"))
    stored = _sources(files)
    if not stored:
        return None
    return Trajectory(
        form="Terminal-Bench",
        part="",
        digest=files_digest(stored),
        place=files.place,
        files=stored,
        steps=partial(trial_steps, files),
        extras=_extras(files),
    )


def _sources(files: TrialFiles) -> dict[str, Path]:
    """What steps are read from, by place. Logs of requests are left out: they have headers and digests of keys."""
    typed = [path for path in (files.recording, files.commands) if is_plain_file(path)]
    known = {files.where(path): path for path in typed}
    for episode in files.episodes():
        known |= episode.paths()
    return (
        known | {files.where(files.screen): files.screen} if known and is_plain_file(files.screen) else known
    )


def _extras(files: TrialFiles) -> dict[str, WriteFile]:
    log = log_of({"": files.home / "panes" / "post-test.txt"})
    found: dict[str, WriteFile] = {} if log is None else {LOG: log}
    if is_plain_file(files.recording):
        found[TERMINAL] = stored_recording(files.recording, files.where(files.recording))
    return found


def _add_printed(rows: AttemptRows, document: ReportDocument, agent: ReportedAgent) -> None:
    """pass@k, and the accuracy, which is pass@1 where each task has as many attempts."""
    trials = document.content["results"]
    attempts = Counter(str(trial.get("task_id")) for trial in trials)
    if len(set(attempts.values())) == 1:
        rows.add_printed(document.place, agent, "pass_at_1", printed(document.content.get("accuracy")))
    pass_at = document.content.get("pass_at_k")
    for k in range(2, 11):
        rows.add_printed(document.place, agent, f"pass_at_{k}", printed(pick(pass_at, str(k))))
