"""What SWE-bench's harness writes: the report of a run, and the reports of its single tasks.

The report of a run, MODEL.RUN.json, has lists of tasks: `submitted_ids`, `resolved_ids`, `unresolved_ids`, `error_ids`,
`empty_patch_ids`, and in newer versions `infra_failure_ids` with `failure_reasons`. `incomplete_ids` are tasks of the
whole dataset without a prediction, also where only a part of it was run, and `submitted_ids` may have predictions for
tasks of which the run was not (swebench 5.0.2, harness/reporting.py). The report of a task,
RUN/MODEL/TASK/report.json, has `resolved`, `patch_exists`, `tests_status` and in newer versions `infra_failure`, below
the task's name. In submissions, SUBMISSION/logs/TASK/report.json, only the directory names the task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from runs.intake.reported.forms.attempt_rows import (
    AttemptRows,
    agent_with,
    names_of_tests,
    slug_of,
    swe_bench_repository,
)
from runs.intake.reported.report_document import ReportDocument, pick, texts
from runs.intake.reported.reported_result import ReportedAgent, ReportedSet, ResultsRefused, outcome_of

NAMES: tuple[str, ...] = ("*.json",)  # of its files in a directory

_LISTS = ("resolved_ids", "unresolved_ids", "empty_patch_ids", "error_ids")
_INCOMPLETE = "incomplete_ids"
_MISSING = {"submitted_ids": "no result", _INCOMPLETE: "no prediction"}
_OF_TASKS = frozenset({"logs", "run_evaluation"})  # directories of tasks that no model gave its name


def matches(content: Any) -> bool:
    """Whether this is a report of a run or of a task."""
    return _is_run(content) or _is_task(content)


def _is_run(content: Any) -> bool:
    return all(isinstance(pick(content, name), list) for name in ("submitted_ids", "resolved_ids"))


def _is_task(content: Any) -> bool:
    if _is_report(content):
        return True
    return isinstance(content, dict) and len(content) == 1 and all(map(_is_report, content.values()))


def _is_report(value: Any) -> bool:
    return isinstance(pick(value, "resolved"), bool) and isinstance(pick(value, "patch_exists"), bool)


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The results of reports of tasks, and those of reports of runs about other tasks. Raises ResultsRefused."""
    rows = AttemptRows("SWE-bench")
    agent = given.get("agent", "")
    runs: list[ReportDocument] = []
    known: set[tuple[str, str, str]] = set()
    for document in documents:
        if _is_run(document.content):
            runs.append(document)
        else:
            known.add(_add_task(rows, document, agent))
    names = {run for run, _, _ in known}
    left_out = 0
    for document in runs:
        run, without = _add_run(rows, document, agent, known)
        names.add(run)
        left_out += without
    unknown = ["Tokens, times and costs are not reported."]
    if left_out:
        unknown.append(f"Tasks without a prediction, which nobody attempted, are left out: {left_out:,}.")
    if not known:
        unknown.append("Single tests are not reported.")
    elif not runs:
        unknown.append(
            "Tasks whose patch was empty, or whose tests did not run, have no report and are missing."
        )
    found = {
        "slug": slug_of("swe-bench", *names) if len(names) == 1 else "",
        "title": "SWE-bench",
        "version": names.pop() if len(names) == 1 else "",
        "unknown": unknown,
    }
    return rows.finish(found, given, "agent")


def _add_run(
    rows: AttemptRows, document: ReportDocument, name: str, known: Set[tuple[str, str, str]]
) -> tuple[str, int]:
    """Adds the tasks of a run that are not `known`.

    Returns its name, the last part of the file's, and how many tasks without a prediction are left out.
    """
    model, _, run = document.path.name.removesuffix(".json").rpartition(".")
    agent = _agent(model or run, name)
    content = document.content
    broken = set(texts(document.place, "infra_failure_ids", content.get("infra_failure_ids")))
    reasons = content.get("failure_reasons")
    default = {"empty_patch_ids": "empty patch", "error_ids": "error"}
    seen: set[str] = set()
    for group in _LISTS:
        for task in texts(document.place, group, content.get(group)):
            where = f"{document.place}, {group}, task {task[:80]!r}"
            if task in seen:
                raise ResultsRefused(where, "it is in two lists")
            seen.add(task)
            if (run, agent.name, task) in known:
                continue
            _add(
                rows,
                where,
                agent,
                task,
                resolved=group == "resolved_ids",
                broken=task in broken,
                detail=pick(reasons, task) or default.get(group, ""),
            )
    further, left_out = _without_result(document, seen)
    for task, missing in further.items():
        if (run, agent.name, task) not in known:
            where = f"{document.place}, {missing}, task {task[:80]!r}"
            detail = pick(reasons, task) or _MISSING[missing]
            _add(rows, where, agent, task, resolved=False, broken=task in broken, detail=detail)
    return run, left_out


def _without_result(document: ReportDocument, seen: Set[str]) -> tuple[dict[str, str], int]:
    """The tasks of a run that no list of results has, with the list that has them, and how many others are left out.

    If the tasks with a result (`seen`) and the incomplete ones are all of the run, predictions for others were not
    graded and are not part of it. Incomplete tasks count as unresolved, as in the report's own rate, unless most of the
    benchmark is incomplete: then a part of it was run, and nobody attempted the rest.
    """
    listed = {name: texts(document.place, name, document.content.get(name)) for name in _MISSING}
    submitted, incomplete = ([task for task in tasks if task not in seen] for tasks in listed.values())
    total = document.content.get("total_instances")
    if total == len({*seen, *incomplete}):
        submitted = []
    further = dict.fromkeys(submitted, "submitted_ids")
    missing = [task for task in dict.fromkeys(incomplete) if task not in further]
    if total != len(seen) + len(further) + len(missing) or 2 * len(missing) > total:
        return further, len(missing)
    return {**further, **dict.fromkeys(missing, _INCOMPLETE)}, 0


def _add_task(rows: AttemptRows, document: ReportDocument, name: str) -> tuple[str, str, str]:
    """Adds one task. Returns the name of its run, its agent and its own."""
    place = document.path.absolute().parent
    home = place.parent.parent if place.parent.name in _OF_TASKS else place.parent
    agent = _agent(home.name, name)
    named = {place.name: document.content} if _is_report(document.content) else document.content
    ((task, report),) = named.items()
    passed: list[str] = []
    failed: list[str] = []
    for kind in ("FAIL_TO_PASS", "PASS_TO_PASS"):
        status = pick(report, "tests_status", kind)
        passed += texts(document.place, kind, pick(status, "success"))
        failed += texts(document.place, kind, pick(status, "failure"))
    passed, failed = names_of_tests(passed), names_of_tests(failed)
    counted = (
        {"tests_passed": len(passed), "tests_total": len(passed) + len(failed)} if passed or failed else {}
    )
    _add(
        rows,
        document.place,
        agent,
        task,
        resolved=report["resolved"],
        broken=report.get("infra_failure") is True,
        detail=report.get("infra_failure_reason") or _detail(report),
        passed_tests=passed,
        failed_tests=failed,
        **counted,
    )
    return home.parent.name, agent.name, task


def _detail(report: Mapping[str, Any]) -> str:
    if not report["patch_exists"]:
        return "empty patch"
    return "" if report.get("patch_successfully_applied", True) else "the tests did not run"


def _agent(model: str, name: str) -> ReportedAgent:
    """The harness knows an agent as a model, and writes '/' in its name as '__'. `name`: an option that replaces it."""
    return ReportedAgent(name) if name else agent_with(None, model.replace("__", "/"))


def _add(
    rows: AttemptRows,
    where: str,
    agent: ReportedAgent,
    task: str,
    *,
    resolved: bool,
    broken: bool,
    detail: str,
    **values: Any,
) -> None:
    rows.add(
        where,
        agent,
        task=task,
        repository=swe_bench_repository(task),
        outcome=outcome_of(resolved=resolved, infrastructure=broken and not resolved),
        ending="infrastructure" if broken and not resolved else "",
        detail=detail,
        **values,
    )
