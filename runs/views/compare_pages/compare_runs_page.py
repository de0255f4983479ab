"""Two runs of one task: their steps, patches and tests side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.judges.burden import burden_score
from harness.judges.dimensions import dimensions
from harness.records import TestResult, TestStatus
from runs.analysis.trajectories.alignment import MAX_STEPS, Alignment, align
from runs.analysis.trajectories.kinds import relative
from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.closest_run import closest_resolved_run
from runs.data.queries.filters import visible_runs
from runs.data.queries.visibility import Reader
from runs.data.replay.open_index import outline
from runs.data.replay.outline import OutlineRow
from runs.data.replay.record import named_tests, version
from runs.data.replay.step_filter import StepCondition
from runs.judging.reviews.run_reviews import ShownReview, reviews_of
from runs.models import Run
from runs.presentation.formatting.text import cut
from runs.rankings.comparison.shown_comparisons import comparisons_of
from runs.views.compare_pages.patch_comparison import file_pairs
from runs.views.replay_pages.run_end import End, end_of
from runs.views.source_display.syntax import MAX_CHARACTERS, Painter

PAGE = 200
OTHERS = 50
MAX_NUMBER = 2**62
MAX_SHOWN = 500


TestPair = tuple[str, str, str]
"""The id of a test and its status in both runs; '' where a run's report does not name it."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs, with its label A or B."""

    label: str
    run: Run
    end: End | None


@require_safe
def compare_runs(request: HttpRequest) -> HttpResponse:
    """`?a=` and `?b=`: both side by side. Only one: the other runs of its task to choose from."""
    numbers = {name: parameters.whole(request.GET, name, 0, least=1, most=MAX_NUMBER) for name in ("a", "b")}
    page = parameters.page_number(request.GET)
    patches = parameters.choice(request.GET, "patches", ("merged", "sides"), "merged")
    wanted = {number for number in numbers.values() if number}
    rows = visible_runs(request.user).select_related("task__repository__dataset")
    found = {run.pk: run for run in rows.filter(pk__in=wanted)} if wanted else {}
    for name, number in numbers.items():
        if number and number not in found:
            raise Http404(f"there is no run {number} to be {name}")
    refuse_while_playing(request.user, found.values())
    one, two = (found.get(numbers[name]) for name in ("a", "b"))
    context: dict[str, object] = {"section": "runs", "numbers": numbers, "patches": patches}
    if one is None or two is None:
        return render(request, "runs/compare/choose.html", {**context, **_choice(request, one or two, page)})
    if one.pk == two.pk:
        raise parameters.BadParameter("b", str(two.pk), "another run than a")
    if one.task_id != two.task_id:
        allowed = f"a run of the same task as run {one.pk}: {one.task.title}"
        raise parameters.BadParameter("b", str(two.pk), allowed)
    return render(request, "runs/compare/runs.html", {**context, **_both(one, two, page, request.user)})


def _choice(request: HttpRequest, chosen: Run | None, page: int) -> dict[str, object]:
    """The other runs of a run's task. The closest resolved one is apart from them, and first on the first page."""
    if chosen is None:
        return {"chosen": None}
    closest = closest_resolved_run(chosen, request.user)
    left_out = [chosen.pk] if closest is None else [chosen.pk, closest.run.pk]
    others = visible_runs(request.user).filter(task=chosen.task_id).exclude(pk__in=left_out)
    listed: Page[Run] = Paginator(others.order_by("agent__name", "attempt", "pk"), OTHERS).get_page(page)
    pinned = closest.run if closest is not None and listed.number == 1 else None
    return {
        "chosen": chosen,
        "closest": pinned,
        "page": listed,
        "runs": [*([pinned] if pinned else []), *listed],
        "query": f"a={chosen.pk}",
    }


def _both(one: Run, two: Run, page: int, reader: Reader) -> dict[str, object]:
    steps = aligned(one.path, two.path)
    ends = [end_of(run, reader, Painter(most=MAX_CHARACTERS // 2)) for run in (one, two)]
    pages = max(1, -(-len(steps.lines) // PAGE))
    if page > pages:
        raise parameters.BadParameter("page", str(page), f"a whole number from 1 to {pages}")
    parting = steps.parting
    reports = named_tests([one, two])
    tests = compare_tests(reports[one.pk], reports[two.pk])
    files = file_pairs(*(end.patch if end else () for end in ends))
    parts = {"steps": steps.lines, "a report of tests": any(tests.counts), "a patch": files}
    return {
        "runs": [one, two],
        "sides": [ComparedRun("A", one, ends[0]), ComparedRun("B", two, ends[1])],
        "files": files,
        "one": one,
        "two": two,
        "reviews": compare_reviews(one, two),
        "steps": steps,
        "rows": window(one.path, two.path, steps, (page - 1) * PAGE, PAGE),
        "page": page,
        "pages": pages,
        "parting_page": None if parting is None else parting // PAGE + 1,
        "query": f"a={one.pk}&b={two.pk}",
        "tests": tests,
        "lacking": [name for name, found in parts.items() if not found],
        "comparisons": comparisons_of(one, two, reader),
    }


@dataclass(frozen=True, slots=True)
class StepPair:
    """One line of the comparison, with a step of each run. `diverges`: the first line on which they differ."""

    one: OutlineRow | None
    two: OutlineRow | None
    alike: bool
    diverges: bool


def aligned(one: Path, two: Path) -> Alignment:
    """The aligned steps of both runs, cached until their files change."""
    return _aligned(one, version(one), two, version(two))


@lru_cache(maxsize=32)
def _aligned(one: Path, _one: str, two: Path, _two: str) -> Alignment:
    return align(list(_acts(one)), list(_acts(two)))


def _acts(directory: Path) -> Iterator[tuple[str, str]]:
    """The kind and subject of each step; a file by its path in the workspace."""
    with outline(directory) as steps:
        found = steps.acts(MAX_STEPS + 1)
    for source, kind, about in found:
        if not kind:
            yield source, ""
        elif kind in {"read", "edit"}:
            yield kind, relative(about)
        else:
            yield kind, " ".join(about.split())


def window(one: Path, two: Path, steps: Alignment, first: int, most: int) -> tuple[StepPair, ...]:
    """At most `most` lines, after the first `first` lines."""
    lines = steps.lines[first : first + most]
    ours = _steps(one, [line.one for line in lines if line.one is not None])
    theirs = _steps(two, [line.two for line in lines if line.two is not None])
    return tuple(
        StepPair(
            None if line.one is None else ours.get(line.one),
            None if line.two is None else theirs.get(line.two),
            line.alike,
            first + place == steps.parting,
        )
        for place, line in enumerate(lines)
    )


def _steps(directory: Path, places: list[int]) -> dict[int, OutlineRow]:
    """Steps by place; the places are consecutive."""
    if not places:
        return {}
    with outline(directory) as steps:
        return {row.place: row for row in steps.rows(StepCondition(), places[0], len(places))}


@dataclass(frozen=True, slots=True)
class ComparedTests:
    """Tests that differ first, then those that neither passed, then those that both did; `unshown` are beyond 500.

    `alone`: the only run whose report names tests, A or B; '' where both do, or neither.
    """

    differing: tuple[TestPair, ...]
    failing: tuple[TestPair, ...]
    passing: tuple[TestPair, ...]
    counts: tuple[int, int, int]
    unshown: int
    alone: str = ""


def compare_tests(one: Sequence[TestResult], two: Sequence[TestResult]) -> ComparedTests:
    """Both reports, test by test, in the order of the first; tests of only the second come last."""
    ours, theirs = ({test.id: test.status.value for test in tests} for tests in (one, two))
    groups: dict[str, list[TestPair]] = {"differing": [], "failing": [], "passing": []}
    for name in dict.fromkeys((*ours, *theirs)):
        first, second = ours.get(name, ""), theirs.get(name, "")
        same = "passing" if first == TestStatus.PASSED.value else "failing"
        groups["differing" if first != second else same].append((cut(name, 300).shown, first, second))
    differing, failing, passing = (len(group) for group in groups.values())
    return ComparedTests(
        **{name: tuple(group[:MAX_SHOWN]) for name, group in groups.items()},
        counts=(differing, failing, passing),
        unshown=sum(max(0, len(group) - MAX_SHOWN) for group in groups.values()),
        alone="A" if one and not two else "B" if two and not one else "",
    )


@dataclass(frozen=True, slots=True)
class SideReviews:
    """The reviews of one run on one dimension. `value`: the mean of their scores; None without one."""

    label: str
    run: Run
    reviews: Sequence[ShownReview]

    @property
    def value(self) -> float | None:
        """Over the judges and samples that gave one."""
        scores = [each.review.score for each in self.reviews if each.review.score is not None]
        return fmean(scores) if scores else None


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """One dimension. `burdens`: what follows from the points of pitfalls of one judge; '' where there are none."""

    title: str
    scores: tuple[SideReviews, SideReviews]
    burdens: str


def compare_reviews(one: Run, two: Run) -> list[ReviewPair]:
    """The dimensions on which a run has a review, in their order. Four queries."""
    ours, theirs = reviews_of(one), reviews_of(two)
    titles = {each.review.dimension: each.title for each in (*ours, *theirs)}
    places = {name: place for place, name in enumerate(dimensions())}
    return [
        ReviewPair(
            title,
            (SideReviews("A", one, _on(name, ours)), SideReviews("B", two, _on(name, theirs))),
            _burdens(_on(name, ours), _on(name, theirs)),
        )
        for name, title in sorted(
            titles.items(), key=lambda named: (places.get(named[0], len(places)), named[0])
        )
    ]


def _on(dimension: str, reviews: Sequence[ShownReview]) -> list[ShownReview]:
    return [each for each in reviews if each.review.dimension == dimension]


def _burdens(ours: Sequence[ShownReview], theirs: Sequence[ShownReview]) -> str:
    """A sentence about the first judge and sample that gave both runs points."""
    points = {(each.judge, each.review.sample): each.review.burden for each in theirs}
    for each in ours:
        first, second = each.review.burden, points.get((each.judge, each.review.sample))
        if first is not None and second is not None:
            score = abs(burden_score(first, second))
            better = "A" if first < second else "B"
            end = f"{better} is better by {score} of 5" if score else "a tie"
            return f"points of pitfalls: {first} and {second}, {end}"
    return ""
