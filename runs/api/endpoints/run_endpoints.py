"""Runs, and what lies in their directories: steps, tests, edits, the patch."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from harness.records import FileEdit, Step, StepEdits, TestResult, ToolCall
from runs.api.api_parameters import OfRuns, OfSteps, Paging, filter_of
from runs.api.endpoints.catalogue_endpoints import ANYBODY
from runs.api.paging import PageQuery
from runs.api.schemas import run_schemas as shapes
from runs.models import Run
from runs.queries.filters import RunFilter
from runs.queries.run_list import RunListQuery as RunsAsked
from runs.queries.visibility import visible
from runs.replay import record
from runs.replay.open_index import outline
from runs.replay.step_filter import Chosen, StepFilter
from runs.transfer.atif import sendable
from runs.transfer.run_rows import rows_of

MOST_WINDOW_BYTES = 4 * 1024 * 1024
MOST_MESSAGE = 20_000
MOST_PATCH_BYTES = 8 * 1024 * 1024
router = Router(tags=["Runs"])


@router.get("runs", response=shapes.RunPage, operation_id="list_runs", summary="Runs")
def list_runs(request: HttpRequest, response: HttpResponse, query: Query[OfRuns]) -> dict[str, Any]:
    """Runs at open datasets, the newest first. All of them at once: see the exports."""
    asked = PageQuery.of(request, response, query)
    listed = RunsAsked(filter_of(RunFilter, query), query.sign or "", query.q or "", sort="")
    chosen = listed.runs(ANYBODY)
    if asked.after is not None:
        chosen = chosen.filter(pk__lt=asked.after)
    found = [_run(request, row) for row in rows_of(chosen[: asked.limit + 1])]
    shown = found[: asked.limit]
    return asked.page(shown, shown[-1]["id"] if len(found) > asked.limit else None)


@router.get("runs/{int:run}", response=shapes.RunShape, operation_id="run", summary="A run")
def run(request: HttpRequest, run: int) -> dict[str, Any]:
    """One run at an open dataset."""
    rows = rows_of(visible(Run.objects.filter(pk=run), ANYBODY))
    if not rows:
        raise Http404(f"there is no run {run}")
    return _run(request, rows[0])


@router.get(
    "runs/{int:run}/steps", response=shapes.StepPage, operation_id="list_steps", summary="Steps of a run"
)
def list_steps(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[OfSteps]
) -> dict[str, Any]:
    """A window of the steps under the filters of the replay. Of long steps a page holds fewer than asked for."""
    asked = PageQuery.of(request, response, query)
    chosen = Chosen(StepFilter.from_query(request.GET))
    begin = asked.after or 0
    items: list[dict[str, Any]] = []
    size = 0
    with outline(_stored(run).path) as steps:
        for row in steps.rows(chosen, begin, asked.limit):
            size += row.length
            if items and size > MOST_WINDOW_BYTES:
                break
            found = steps.step(row) or Step(row.number, "", "system", "")  # it was replaced meanwhile
            items.append(_step(found, steps.edits(row.number)))
        end = begin + len(items)
        return asked.page(items, end if end < steps.count(chosen) else None)


@router.get(
    "runs/{int:run}/steps/{int:step}", response=shapes.StepShape, operation_id="step", summary="A step"
)
def step(request: HttpRequest, run: int, step: int) -> dict[str, Any]:
    """One step, with all that it says."""
    found = record.read_step(_stored(run).path, step)
    if found is None:
        raise Http404(f"run {run} has no step {step}")
    return _step(*found)


@router.get(
    "runs/{int:run}/tests", response=shapes.TestPage, operation_id="list_tests", summary="Tests of a run"
)
def list_tests(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[Paging]
) -> dict[str, Any]:
    """What became of each hidden test, in the order of the report; nothing before the run was graded."""
    asked = PageQuery.of(request, response, query)
    tests = record.cached_tests(_stored(run).path)
    begin = asked.after or 0
    end = begin + asked.limit
    return asked.page([test_item(test) for test in tests[begin:end]], end if end < len(tests) else None)


@router.get(
    "runs/{int:run}/edits", response=shapes.EditPage, operation_id="list_edits", summary="Edits of a run"
)
def list_edits(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[Paging]
) -> dict[str, Any]:
    """What each step changed in the workspace, by whatever means; steps without a change are not there."""
    asked = PageQuery.of(request, response, query)
    chosen = Chosen(StepFilter(edits=True))
    begin = asked.after or 0
    items: list[dict[str, Any]] = []
    size = 0
    with outline(_stored(run).path) as steps:
        for row in steps.rows(chosen, begin, asked.limit):
            files = _files(steps.edits(row.number))
            size += sum(len(file["diff"]) for file in files)
            if items and size > MOST_WINDOW_BYTES:
                break
            items.append({"step": row.number, "files": files})
        end = begin + len(items)
        return asked.page(items, end if end < steps.count(chosen) else None)


@router.get(
    "runs/{int:run}/patch", response=shapes.PatchShape, operation_id="patch", summary="Patch of a run"
)
def patch(request: HttpRequest, run: int) -> dict[str, Any]:
    """What the workspace differed in from the pristine one at the end."""
    try:
        with (_stored(run).path / "patch.diff").open("rb") as file:
            content = file.read(MOST_PATCH_BYTES + 1)
            length = file.seek(0, 2)
    except OSError:
        content, length = b"", 0
    return {
        "run": run,
        "bytes": length,
        "patch": content[:MOST_PATCH_BYTES].decode("utf-8", "replace"),
        "is_cut": length > MOST_PATCH_BYTES,
        "raw": request.build_absolute_uri(reverse("run_patch", args=[run])),
    }


def test_item(test: TestResult) -> dict[str, Any]:
    """A test as the API writes it."""
    message = str(test.message)
    return {
        "id": sendable(str(test.id)),
        "status": test.status.value,
        "seconds": _number(test.seconds),
        "message": sendable(message[:MOST_MESSAGE]),
        "message_is_cut": len(message) > MOST_MESSAGE,
    }


def _stored(run: int) -> Run:
    found = visible(Run.objects.filter(pk=run), ANYBODY).first()
    if found is None:
        raise Http404(f"there is no run {run}")
    return found


def _run(request: HttpRequest, row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "url": request.build_absolute_uri(reverse("run", args=[row["id"]]))}


def _step(step: Step, edits: StepEdits | None) -> dict[str, Any]:
    """Imported steps may hold anything in any field: what is not of the field's kind becomes text, or null."""
    it = step.metrics
    return {
        "number": step.step_id,
        "source": _text(step.source),
        "timestamp": _text(step.timestamp) or None,
        "message": _text(step.message),
        "reasoning": _text(step.reasoning),
        "calls": [_call(step, call) for call in step.calls],
        "metrics": it
        and {
            **{
                name: _whole(getattr(it, name))
                for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")
            },
            "cost_usd": _number(it.cost_usd),
            "seconds": _number(it.seconds),
            "finish_reason": _text(it.finish_reason),
        },
        "edits": _files(edits),
    }


def _files(edits: StepEdits | None) -> list[dict[str, Any]]:
    return [_file(file) for file in edits.files] if edits else []


def _call(step: Step, call: ToolCall) -> dict[str, Any]:
    result = step.result(call)
    arguments = sendable(call.arguments)
    return {
        "id": _text(call.id),
        "tool": _text(call.name),
        "arguments": arguments if isinstance(arguments, dict) else {"arguments": arguments},
        "result": result
        and {
            "content": _text(result.content),
            "ok": result.ok,
            "seconds": _number(result.seconds) or 0.0,
            "artifacts": [_text(name) for name in result.artifacts],
        },
    }


def _file(file: FileEdit) -> dict[str, Any]:
    return {
        "path": _text(file.path),
        "change": _text(file.change),
        "added": _whole(file.added) or 0,
        "removed": _whole(file.removed) or 0,
        "binary": bool(file.binary),
        "syntax_ok": file.syntax_ok if isinstance(file.syntax_ok, bool) else None,
        "diff": _text(file.diff),
    }


def _text(value: object) -> str:
    found: str = sendable(value if isinstance(value, str) else str(value))
    return found


def _number(value: object) -> float | None:
    found = sendable(value)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _whole(value: object) -> int | None:
    found = _number(value)
    return None if found is None or abs(found) > 2**53 else int(found)
