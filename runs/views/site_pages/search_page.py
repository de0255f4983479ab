"""The search: names first, then texts of runs; the counts of a query for each agent; saved searches; exports."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.defaultfilters import slugify
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.api import rate_limiter
from runs.api.problems import problem
from runs.data.queries import parameters
from runs.data.queries.board_filter import Chip
from runs.data.queries.name_search import search as find_names
from runs.data.queries.too_many import TooMany
from runs.data.queries.visibility import ANONYMOUS, is_operator
from runs.data.text_index.hit_rates import hit_rates
from runs.data.text_index.run_texts import MAX_RUN_CHARACTERS, MAX_STEP_CHARACTERS
from runs.data.text_index.text_query import BadQuery, TextQuery
from runs.data.text_index.text_search import MAX_COUNT, PAGE, hits_of, search_texts
from runs.models import SavedSearch
from runs.transfer.text_hit_rows import agent_records, as_file, step_records
from runs.views.operator_pages.operators_only import operators_only
from runs.views.site_pages.saved_search_form import SavedSearchForm

EXAMPLES = (
    ("ECONNREFUSED", "a word, in any case"),
    ('"connection refused"', "words that follow each other"),
    ("src/app.py", "a path, or a name such as foo_bar.baz"),
    ("deprecat*", "the beginning of a word"),
    ("timeout -retry", "steps with the first word and without the second"),
    ("KeyError outcome:unresolved", "in runs that did not resolve their task"),
    ("pytest kind:command", "in commands; also message, output, test, path, patch"),
    ("pip board:starter agent:alice", "also model:, repository: and task:"),
)
SEARCH_COST = 10  # requests of the limit of an address
_LIMITS = {
    "examples": EXAMPLES,
    "most": MAX_COUNT,
    "step_limit": MAX_STEP_CHARACTERS,
    "run_limit": MAX_RUN_CHARACTERS,
}


@require_safe
@vary_on_headers("X-Partial")
def search(request: HttpRequest) -> HttpResponse:
    """The matches of `?q=` among the names and the texts that this user may see."""
    text, number = parameters.text(request.GET, "q"), parameters.page_number(request.GET)
    return _rendered(request, *_found(request, text, number, by_agent=False))


@require_safe
@vary_on_headers("X-Partial")
def agents(request: HttpRequest) -> HttpResponse:
    """In how many of its runs each agent has a match of `?q=`."""
    return _rendered(request, *_found(request, parameters.text(request.GET, "q"), 1, by_agent=True))


@require_safe
def saved(request: HttpRequest, slug: str) -> HttpResponse:
    """The counts of a saved search for each agent."""
    stored = _stored(slug)
    context, status = _found(request, stored.query, 1, by_agent=True)
    return render(request, "runs/search/page.html", {**context, "saved": stored}, status=status)


@operators_only
def save(request: HttpRequest) -> HttpResponse:
    """POST saves a query under a name and leads to its page; what is wrong is said beside the counts of the query.

    With `delete`, the slug of a saved search, it deletes that one.
    """
    if request.method != "POST":
        return HttpResponseRedirect(reverse("search"))
    if slug := request.POST.get("delete"):
        _stored(slug).delete()
        return HttpResponseRedirect(reverse("search"))
    form = SavedSearchForm(request.POST)
    if form.is_valid():
        stored: SavedSearch = form.save(commit=False)
        stored.slug, stored.saved_by_id = slugify(stored.name), request.user.pk
        stored.save()
        return HttpResponseRedirect(stored.get_absolute_url())
    text = parameters.text(request.POST, "query")
    context, _ = _found(request, text, 1, by_agent=True)
    return render(request, "runs/search/page.html", {**context, "save_form": form}, status=400)


def steps_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """The steps that match `?q=` in open datasets, at most MAX_COUNT."""
    text = parameters.text(request.GET, "q")
    try:
        results = search_texts(TextQuery.parse(text), ANONYMOUS, player=request.user, facets=False)
    except BadQuery as error:
        return problem(400, str(error))
    if results.trouble:
        return problem(503, results.trouble)
    records = list(step_records(results, ANONYMOUS, request.build_absolute_uri("/")))
    searched = results.searched
    facts = {
        "query": text,
        "runs": len(results.runs),
        "steps": results.steps,
        "more_steps": results.more,
        "runs_searched": searched.runs,
        "runs_not_indexed": searched.waiting,
    }
    return as_file(records, facts, suffix, "steps")


def agents_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """The counts of `?q=` for each agent in open datasets."""
    text = parameters.text(request.GET, "q")
    try:
        rates = hit_rates(TextQuery.parse(text), ANONYMOUS, request.user)
    except BadQuery as error:
        return problem(400, str(error))
    if rates.trouble:
        return problem(503, rates.trouble)
    facts = {
        "query": text,
        "runs_with_hit": rates.hits,
        "runs_searched": rates.searched,
        "runs_not_indexed": rates.waiting,
    }
    return as_file(list(agent_records(rates)), facts, suffix, "agents")


def _rendered(request: HttpRequest, context: dict[str, object], status: int) -> HttpResponse:
    template = "runs/search/_found.html" if request.headers.get("X-Partial") else "runs/search/page.html"
    return render(request, template, context, status=status)


def _found(request: HttpRequest, text: str, number: int, *, by_agent: bool) -> tuple[dict[str, object], int]:
    """What the page shows of a query, and the status."""
    context: dict[str, object] = {
        "section": "search",
        "q": text,
        "by_agent": by_agent,
        "operator": is_operator(request.user),
        **_LIMITS,
    }
    if not text:
        return {**context, "searches": SavedSearch.objects.all()}, 200
    taken = rate_limiter.take(request, SEARCH_COST)
    if taken is not None and not taken.allowed:
        raise TooMany("Your address has made too many searches", taken.wait)
    try:
        query = TextQuery.parse(text)
        context |= {
            "query": query,
            "address": urlencode({"q": text}),
            "chips": _chips(query, by_agent=by_agent),
        }
        if by_agent:
            return {**context, "rates": hit_rates(query, request.user)}, 200
        results = search_texts(query, request.user)
    except BadQuery as error:
        return {**context, "wrong": str(error)}, 400
    page = Paginator(results.runs, PAGE).get_page(number)
    return {
        **context,
        "groups": find_names(query.names, request.user) if number == 1 else (),
        "results": results,
        "page": page,
        "hits": hits_of(list(page.object_list), query, request.user),
    }, 200


def _chips(query: TextQuery, *, by_agent: bool) -> list[Chip]:
    """The filters in use, each with the address without it."""
    page = reverse("search_agents" if by_agent else "search")
    return [
        Chip(
            f"{part.name}-{place}",
            f"{'not ' if part.excludes else ''}{part.name}",
            part.text,
            f"{page}?{urlencode({'q': str(query.less(part))})}",
        )
        for place, part in enumerate(query.filters)
    ]


def _stored(slug: str) -> SavedSearch:
    stored = SavedSearch.objects.filter(slug=slug).first()
    if stored is None:
        raise Http404("There is no saved search of this name.")
    return stored
