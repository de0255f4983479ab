"""Two runs of one task: their steps, patches and tests side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.filters import visible_runs
from runs.data.queries.visibility import Reader
from runs.data.replay.record import named_tests
from runs.models import Run
from runs.rankings.comparison.shown_comparisons import comparisons_of
from runs.views.compare_pages.compare_reviews import compare_reviews
from runs.views.compare_pages.compare_tests import compare_tests
from runs.views.compare_pages.step_alignment import aligned, window
from runs.views.replay_pages.run_end import End, end_of
from runs.views.source_display.diff_rows import FileDiff
from runs.views.source_display.syntax import MAX_CHARACTERS, Painter

PAGE = 200
OTHERS = 50
MAX_NUMBER = 2**62


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs, with its label A or B."""

    label: str
    run: Run
    end: End | None


@dataclass(frozen=True, slots=True)
class FilePair:
    """The changes of both patches to one file; None where a patch does not change it."""

    path: str
    one: FileDiff | None
    two: FileDiff | None

    @property
    def same(self) -> bool:
        """Whether both changes are equal."""
        return self.one is not None and self.two is not None and self.one.rows == self.two.rows


@require_safe
def compare_runs(request: HttpRequest) -> HttpResponse:
    """`?a=` and `?b=`: both side by side. Only one: the other runs of its task to choose from."""
    numbers = {name: parameters.whole(request.GET, name, 0, least=1, most=MAX_NUMBER) for name in ("a", "b")}
    page = parameters.page_number(request.GET)
    wanted = {number for number in numbers.values() if number}
    found = {run.pk: run for run in visible_runs(request.user).filter(pk__in=wanted)} if wanted else {}
    for name, number in numbers.items():
        if number and number not in found:
            raise Http404(f"there is no run {number} to be {name}")
    refuse_while_playing(request.user, found.values())
    one, two = (found.get(numbers[name]) for name in ("a", "b"))
    context: dict[str, object] = {"section": "compare", "numbers": numbers}
    if one is None or two is None:
        return render(request, "runs/compare/choose.html", {**context, **_choice(request, one or two, page)})
    _check(one, two)
    return render(request, "runs/compare/runs.html", {**context, **_both(one, two, page, request.user)})


def _check(one: Run, two: Run) -> None:
    if one.pk == two.pk:
        raise parameters.BadParameter("b", str(two.pk), "another run than a")
    if one.task_id != two.task_id:
        allowed = f"a run of the same task as run {one.pk}: {one.task.title}"
        raise parameters.BadParameter("b", str(two.pk), allowed)


def _choice(request: HttpRequest, chosen: Run | None, page: int) -> dict[str, object]:
    """The other runs of a run's task."""
    if chosen is None:
        return {"chosen": None}
    others = visible_runs(request.user).filter(task=chosen.task_id).exclude(pk=chosen.pk)
    listed: Page[Run] = Paginator(others.order_by("agent__name", "attempt", "pk"), OTHERS).get_page(page)
    return {"chosen": chosen, "page": listed, "query": f"a={chosen.pk}"}


def _both(one: Run, two: Run, page: int, reader: Reader) -> dict[str, object]:
    steps = aligned(one.path, two.path)
    ends = [end_of(run, reader, Painter(most=MAX_CHARACTERS // 2)) for run in (one, two)]
    pages = max(1, -(-len(steps.lines) // PAGE))
    if page > pages:
        raise parameters.BadParameter("page", str(page), f"a whole number from 1 to {pages}")
    parting = steps.parting
    tests = named_tests([one, two])
    return {
        "sides": [ComparedRun("A", one, ends[0]), ComparedRun("B", two, ends[1])],
        "files": _files(*(end.patch if end else () for end in ends)),
        "one": one,
        "two": two,
        "reviews": compare_reviews(one, two),
        "steps": steps,
        "rows": window(one.path, two.path, steps, (page - 1) * PAGE, PAGE),
        "page": page,
        "pages": pages,
        "parting_page": None if parting is None else parting // PAGE + 1,
        "query": f"a={one.pk}&b={two.pk}",
        "tests": compare_tests(tests[one.pk], tests[two.pk]),
        "comparisons": comparisons_of(one, two, reader),
    }


def _files(one: Sequence[FileDiff], two: Sequence[FileDiff]) -> tuple[FilePair, ...]:
    """The files of both patches, in the order of the first; those of the second alone come last."""
    ours, theirs = ({file.path: file for file in side} for side in (one, two))
    paths = dict.fromkeys((*ours, *theirs))
    return tuple(FilePair(path, ours.get(path), theirs.get(path)) for path in paths)
