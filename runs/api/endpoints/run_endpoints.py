"""Runs, and the contents of their directories: steps, tests, edits and patch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from harness.records import PATCH, Step, StepEdits, TestResult, ToolCall
from runs.api.api_parameters import OfRuns, OfSteps, PageQuery, Paging, filter_of
from runs.api.schemas import run_schemas as schemas
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.filters import RunFilter
from runs.data.queries.run_list import RunListQuery
from runs.data.queries.visibility import ANONYMOUS, visible
from runs.data.replay import record
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline, OutlineRow
from runs.data.replay.step_filter import StepCondition, StepFilter
from runs.judging.raters.step_notes import notes_of
from runs.models import Run, StepNote
from runs.transfer.export_tables.behaviour_rows import behaviour_batches, counted, sign_batches
from runs.transfer.interchange.json_stream import sendable
from runs.transfer.run_rows import Row, rows_of

MAX_WINDOW_BYTES = 4 * 1024 * 1024
MAX_PATCH_BYTES = 8 * 1024 * 1024
_METRICS = (
    *("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens"),
    *("cost_usd", "seconds"),
)
router = Router(tags=["Runs"])


@router.get("runs", response=schemas.RunPage, summary="Runs")
def list_runs(request: HttpRequest, response: HttpResponse, query: Query[OfRuns]) -> dict[str, Any]:
    """Runs at open datasets, the newest first. To get all of them at once, use the exports."""
    paging = PageQuery.of(request, response, query)
    chosen = _chosen(paging, query)
    found = [_run(request, row) for row in rows_of(chosen[: paging.limit + 1])]
    shown = found[: paging.limit]
    return paging.page(shown, shown[-1]["id"] if len(found) > paging.limit else None)


@router.get("behaviour", response=schemas.BehaviourPage, summary="Behaviour in runs")
def list_behaviour(request: HttpRequest, response: HttpResponse, query: Query[OfRuns]) -> dict[str, Any]:
    """Labels and features of runs whose trajectory was counted, the newest first; the filters are those of runs."""
    return _counted_page(PageQuery.of(request, response, query), query, behaviour_batches)


@router.get("signs", response=schemas.SignPage, summary="Signs in runs")
def list_signs(request: HttpRequest, response: HttpResponse, query: Query[OfRuns]) -> dict[str, Any]:
    """Failure modes that these runs show, or may show. `limit` is the number of runs on a page, not of modes."""
    return _counted_page(PageQuery.of(request, response, query), query, sign_batches)


@router.get("runs/{number:run}", response=schemas.RunShape, summary="A run")
def run(request: HttpRequest, run: int) -> dict[str, Any]:
    """One run at an open dataset."""
    found = visible(Run.objects.filter(pk=run), ANONYMOUS)
    refuse_while_playing(request.user, found)
    rows = rows_of(found)
    if not rows:
        raise Http404(f"there is no run {run}")
    return _run(request, rows[0])


@router.get("runs/{number:run}/steps", response=schemas.StepPage, summary="Steps of a run")
def list_steps(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[OfSteps]
) -> dict[str, Any]:
    """A window of the steps with the filters of the replay. If steps are long, a page has fewer than `limit`."""

    def item(steps: Outline, row: OutlineRow) -> tuple[dict[str, Any], int]:
        found = steps.step(row) or Step(row.number, "", "system", "")  # the trajectory was replaced
        return _step(found, steps.edits(row.number)), row.length

    paging = PageQuery.of(request, response, query)
    return _step_page(_stored(request, run), paging, StepCondition(StepFilter.from_query(request.GET)), item)


@router.get("runs/{number:run}/steps/{number:step}", response=schemas.StepShape, summary="A step")
def step(request: HttpRequest, run: int, step: int) -> dict[str, Any]:
    """One whole step."""
    found = record.read_step(_stored(request, run).path, step)
    if found is None:
        raise Http404(f"run {run} has no step {step}")
    return _step(*found)


@router.get("runs/{number:run}/tests", response=schemas.TestPage, summary="Tests of a run")
def list_tests(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[Paging]
) -> dict[str, Any]:
    """The results of the hidden tests, in the order of the report; empty before the run is graded."""
    paging = PageQuery.of(request, response, query)
    found = _stored(request, run)
    tests = record.named_tests([found])[found.pk]
    shown = tests[paging.begin : paging.begin + paging.limit]
    return paging.window([test_item(test) for test in shown], len(tests))


@router.get("runs/{number:run}/notes", response=schemas.NotePage, summary="Notes on steps of a run")
def list_notes(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[Paging]
) -> dict[str, Any]:
    """What people wrote about steps of the run, the oldest first: plain text, under pseudonyms."""

    def item(note: StepNote) -> dict[str, Any]:
        shown = {name: getattr(note, name) for name in ("step", "text", "created_at", "changed_at")}
        address = f"{request.build_absolute_uri(found.get_absolute_url())}?step={note.step}#note-{note.pk}"
        return {"id": note.pk, "author": note.author_name, **shown, "url": address}

    found = _stored(request, run)
    return PageQuery.of(request, response, query).rows(notes_of(found, ANONYMOUS), item)


@router.get("runs/{number:run}/edits", response=schemas.EditPage, summary="Edits of a run")
def list_edits(
    request: HttpRequest, response: HttpResponse, run: int, query: Query[Paging]
) -> dict[str, Any]:
    """The workspace changes of each step, by any means; steps without a change are left out."""

    def item(steps: Outline, row: OutlineRow) -> tuple[dict[str, Any], int]:
        files = _files(steps.edits(row.number))
        return {"step": row.number, "files": files}, sum(len(file["diff"]) for file in files)

    paging = PageQuery.of(request, response, query)
    return _step_page(_stored(request, run), paging, StepCondition(StepFilter(edits=True)), item)


@router.get("runs/{number:run}/patch", response=schemas.PatchShape, summary="Patch of a run")
def patch(request: HttpRequest, run: int) -> dict[str, Any]:
    """The difference between the workspace at the end and at the start of the run."""
    try:
        with (_stored(request, run).path / PATCH).open("rb") as file:
            content = file.read(MAX_PATCH_BYTES + 1)
            length = file.seek(0, 2)
    except OSError:
        content, length = b"", 0
    return {
        "run": run,
        "bytes": length,
        "patch": content[:MAX_PATCH_BYTES].decode("utf-8", "replace"),
        "is_cut": length > MAX_PATCH_BYTES,
        "raw": request.build_absolute_uri(reverse("run_patch", args=[run])),
    }


def test_item(test: TestResult) -> dict[str, Any]:
    """The JSON object of a test."""
    return {
        "id": sendable(str(test.id)),
        "status": test.status.value,
        **{"seconds": None, "message": "", "message_is_cut": False},  # for operators, and not in the API
    }


def _chosen(paging: PageQuery, query: OfRuns) -> QuerySet[Run]:
    """The runs of the filters from the cursor on."""
    listed = RunListQuery(
        filter_of(RunFilter, query), query.sign or "", query.q or "", "", query.exploit or ""
    )
    chosen = listed.runs(ANONYMOUS)
    return chosen if paging.after is None else chosen.filter(pk__lt=paging.after)


def _counted_page(
    paging: PageQuery, query: OfRuns, rows_in: Callable[[QuerySet[Run]], Iterator[list[Row]]]
) -> dict[str, Any]:
    """The rows of at most `limit` counted runs."""
    keys = list(counted(_chosen(paging, query)).values_list("pk", flat=True)[: paging.limit + 1])
    shown = visible(Run.objects.filter(pk__in=keys[: paging.limit]), ANONYMOUS)
    items = [row for batch in rows_in(shown) for row in batch]
    return paging.page(items, keys[paging.limit - 1] if len(keys) > paging.limit else None)


def _step_page(
    run: Run,
    paging: PageQuery,
    condition: StepCondition,
    item: Callable[[Outline, OutlineRow], tuple[dict[str, Any], int]],
) -> dict[str, Any]:
    """A page of matching steps, limited in number and bytes. `item` gives the object of a step and its size."""
    items: list[dict[str, Any]] = []
    size = 0
    with outline(run.path) as steps:
        for row in steps.rows(condition, paging.begin, paging.limit):
            made, length = item(steps, row)
            size += length
            if items and size > MAX_WINDOW_BYTES:
                break
            items.append(made)
        return paging.window(items, steps.count(condition))


def _stored(request: HttpRequest, run: int) -> Run:
    found = visible(Run.objects.filter(pk=run), ANONYMOUS).first()
    if found is None:
        raise Http404(f"there is no run {run}")
    refuse_while_playing(request.user, [found])
    return found


def _run(request: HttpRequest, row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "url": request.build_absolute_uri(reverse("run", args=[row["id"]]))}


def _step(step: Step, edits: StepEdits | None) -> dict[str, Any]:
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
            **{name: getattr(it, name) for name in _METRICS},
            "finish_reason": _text(it.finish_reason),
        },
        "edits": _files(edits),
    }


def _files(edits: StepEdits | None) -> list[dict[str, Any]]:
    return [
        {**asdict(file), "path": _text(file.path), "diff": _text(file.diff)}
        for file in (edits.files if edits else ())
    ]


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
            "seconds": result.seconds,
            "started_at": _text(result.started_at) or None,
            "artifacts": [_text(name) for name in result.artifacts],
        },
    }


def _text(value: object) -> str:
    found: str = sendable(value if isinstance(value, str) else str(value))
    return found
