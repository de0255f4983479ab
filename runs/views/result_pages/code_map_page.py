"""The page of a repository's code map: its functions by size and centrality, and the calls of one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.data.queries import parameters
from runs.data.queries.visibility import is_operator, visible, visible_repositories, visible_tasks
from runs.presentation.charts.axis import Axis, log_axis
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import shown_number
from tasks.generation.maps.code_map import CodeMap, Edge, FunctionKey, Graph, InvalidCodeMap, Node
from tasks.models import RepositoryMap, Task
from tasks.stored_maps import read_map, targets_of

SIZES: Mapping[str, str] = {
    "code_lines": "code lines",
    "cyclomatic": "cyclomatic complexity",
    "halstead_difficulty": "Halstead difficulty",
    "halstead_volume": "Halstead volume",
    "nesting": "nesting",
}
CENTRALITIES: Mapping[str, str] = {
    "harmonic": "harmonic centrality",
    "distance_discount": "distance discount",
    "pagerank": "PageRank",
    "betweenness": "betweenness",
    "in_degree": "callers",
    "out_degree": "callees",
    "degree": "callers and callees",
}
GRAPHS: Mapping[str, str] = {
    Graph.UNION.value: "in all",
    Graph.TRACED.value: "executed by tests",
    Graph.STATIC.value: "found in the source",
}
_USUAL = {"size": "code_lines", "centrality": "harmonic", "calls": Graph.UNION.value, "find": ""}
MAX_ROWS = 25
MAX_FOUND = 100
MAX_CALLS = 200
_NAMED = 3  # of the functions of one dot
# Dots nearer to each other than this share of an axis would cover each other.
_ACROSS, _UP = 1 / 120, 1 / 75


@require_safe
def code_map(request: HttpRequest, slug: str) -> HttpResponse:
    """The map of one repository. Only operators get targets of generated tasks: the files that name them are hidden."""
    repository = get_object_or_404(visible_repositories(request.user), slug=slug)
    stored = visible(RepositoryMap.objects.filter(repository=repository), request.user).first()
    operator = is_operator(request.user)
    context = {
        "section": "tasks",
        "repository": repository,
        "stored": stored,
        "operator": operator,
        "sizes": SIZES,
        "centralities": CENTRALITIES,
        "graphs": GRAPHS,
    }
    try:
        found = read_map(stored) if stored else None
    except InvalidCodeMap as error:
        return render(request, "runs/repositories/map.html", {**context, "trouble": str(error)})
    query = MapQuery.from_query(request.GET, len(found.nodes) if found else 0)
    context["selection"] = query
    if found and found.nodes:
        tasks = visible_tasks(request.user).filter(repository=repository)
        shown = CodeMapView(found, query, targets_of(tasks) if operator else {})
        context |= {
            "map": found,
            "counts": [(title, len(found.calls(Graph(graph)))) for graph, title in GRAPHS.items()],
            "chart": shown.chart(),
            "rows": shown.most_central(),
            "found": shown.found(),
            "targets": shown.target_rows(),
            "unmeasured": shown.unmeasured(),
            "size": SIZES[query.size],
            "centrality": CENTRALITIES[query.centrality],
            "chosen": shown.chosen(),
            "title": (
                f"Functions by {SIZES[query.size]} and {CENTRALITIES[query.centrality]}; "
                "the table below names the most central ones."
            ),
        }
    return render(request, "runs/repositories/map.html", context)


@dataclass(frozen=True, slots=True)
class MapQuery:
    """The parameters of a map. `find`: a part of a name. `function`: the number of the chosen one, None for none."""

    size: str
    centrality: str
    calls: str
    find: str
    function: int | None

    @classmethod
    def from_query(cls, query: Mapping[str, str], functions: int) -> MapQuery:
        """`functions`: how many the map has; without any none is chosen. Raises BadParameter for an invalid value."""
        number = parameters.whole(query, "function", -1, least=0, most=functions - 1) if functions else -1
        return cls(
            size=parameters.choice(query, "size", SIZES, _USUAL["size"]),
            centrality=parameters.choice(query, "centrality", CENTRALITIES, _USUAL["centrality"]),
            calls=parameters.choice(query, "calls", GRAPHS, _USUAL["calls"]),
            find=parameters.text(query, "find"),
            function=None if number < 0 else number,
        )

    @property
    def graph(self) -> Graph:
        """Whose calls count."""
        return Graph(self.calls)

    def link(self, number: int | None) -> str:
        """The same map with this function chosen, as a relative address."""
        chosen = {name: value for name, value in asdict(self).items() if value != _USUAL.get(name)}
        query = urlencode(
            {name: value for name, value in {**chosen, "function": number}.items() if value is not None}
        )
        return f"?{query}" + ("" if number is None else "#function")


class MapRow(NamedTuple):
    """A function with its link. `size` is None where it is not measured. `origin`: of a call from or to it."""

    node: Node
    href: str
    size: str | None
    centrality: str
    callers: str
    callees: str
    origin: str = ""
    tasks: Sequence[Task] = ()


@dataclass(frozen=True, slots=True)
class ChosenFunction:
    """The function whose calls are shown. `more_…`: how many calls are not in the lists."""

    node: Node
    values: Sequence[tuple[str, str]]
    callers: Sequence[MapRow]
    callees: Sequence[MapRow]
    more_callers: int
    more_callees: int
    beside: Sequence[MapRow]
    tasks: Sequence[Task]


class CodeMapView:
    """One map, as one query asks for it. `targets`: the tasks of each target, if the reader may know them."""

    def __init__(
        self, found: CodeMap, query: MapQuery, targets: Mapping[FunctionKey, Sequence[Task]]
    ) -> None:
        self._map = found
        self._query = query
        self._targets = targets
        self._sizes = [node.measures.get(query.size) for node in found.nodes]
        self._central = found.centralities[query.graph][query.centrality]
        self._axes = self._make_axes()
        self._clusters = self._clustered()

    def chart(self) -> Scatter:
        """Each function on size and centrality; those whose dots would cover each other share one."""
        return Scatter(tuple(map(self._point, self._clusters)), *self._axes)

    def most_central(self) -> list[MapRow]:
        """The first functions by the chosen centrality, then by size."""
        return [self._row(number) for number in self._ordered(range(len(self._map.nodes)))[:MAX_ROWS]]

    def found(self) -> list[MapRow]:
        """The functions whose name has the text that is searched for."""
        text = self._query.find.casefold()
        matching = [number for number, node in enumerate(self._map.nodes) if text in node.name.casefold()]
        return [self._row(number) for number in self._ordered(matching)[:MAX_FOUND]] if text else []

    def target_rows(self) -> list[MapRow]:
        """The targets of generated tasks that the map has."""
        numbers = [number for number, node in enumerate(self._map.nodes) if node.key in self._targets]
        return [self._row(number) for number in self._ordered(numbers)]

    def unmeasured(self) -> int:
        """How many functions have no size of this kind, and so no dot."""
        return sum(size is None for size in self._sizes)

    def chosen(self) -> ChosenFunction | None:
        """The function that the query names."""
        number = self._query.function
        if number is None:
            return None
        node, graph = self._map.nodes[number], self._query.graph
        calls = {(edge.caller, edge.callee): _origin(edge) for edge in self._map.edges if edge.belongs(graph)}
        callers = [caller for caller, callee in calls if callee == number]
        callees = [callee for caller, callee in calls if caller == number]
        cluster = next((one for one in self._clusters if number in one), ())
        measured = self._map.measures_of(node.key, graph)
        return ChosenFunction(
            node=node,
            values=[
                (title, shown_number(measured[name]))
                for name, title in (*SIZES.items(), *CENTRALITIES.items())
                if name in measured
            ],
            callers=[self._row(one, calls[one, number]) for one in callers[:MAX_CALLS]],
            callees=[self._row(one, calls[number, one]) for one in callees[:MAX_CALLS]],
            more_callers=max(0, len(callers) - MAX_CALLS),
            more_callees=max(0, len(callees) - MAX_CALLS),
            beside=[self._row(one) for one in cluster if one != number][:MAX_ROWS],
            tasks=self._targets.get(node.key, ()),
        )

    def _make_axes(self) -> tuple[Axis, Axis]:
        """Both are logarithmic, because few functions are long or central; 0 has a place of its own."""
        drawn = [
            (size, central)
            for size, central in zip(self._sizes, self._central, strict=True)
            if size is not None
        ]
        return (
            log_axis(SIZES[self._query.size], [size for size, _ in drawn], shown_number),
            log_axis(CENTRALITIES[self._query.centrality], [central for _, central in drawn], shown_number),
        )

    def _clustered(self) -> list[tuple[int, ...]]:
        """Functions whose dots would cover each other, the most central first; targets are not with others."""
        x, y = self._axes
        cells: dict[tuple[Any, ...], list[int]] = {}
        for number in self._ordered(range(len(self._map.nodes))):
            size = self._sizes[number]
            if size is None:
                continue
            place = (round(x.at(size) / _ACROSS), round(y.at(self._central[number]) / _UP))
            cells.setdefault((*place, self._is_target(number)), []).append(number)
        return [tuple(cell) for cell in cells.values()]

    def _point(self, cluster: tuple[int, ...]) -> ScatterPoint:
        chosen = self._query.function
        first = chosen if chosen is not None and chosen in cluster else cluster[0]
        others = [self._map.nodes[one].name for one in cluster if one != first]
        name = self._map.nodes[first].name + (f" and {len(others)} more" if others else "")
        size = self._sizes[first]
        assert size is not None
        return ScatterPoint(
            name=f"{name} (target)" if self._is_target(first) else name,
            x=size,
            y=self._central[first],
            here=first == chosen,
            named=first == chosen,
            hover=(
                *others[:_NAMED],
                f"{SIZES[self._query.size]}: {shown_number(size)}",
                f"{CENTRALITIES[self._query.centrality]}: {shown_number(self._central[first])}",
            ),
            group=int(self._is_target(first)),
            href=self._query.link(first),
        )

    def _row(self, number: int, origin: str = "") -> MapRow:
        node, values = self._map.nodes[number], self._map.centralities[self._query.graph]
        size = self._sizes[number]
        return MapRow(
            node=node,
            href=replace(self._query, find="").link(number),
            size=None if size is None else shown_number(size),
            centrality=shown_number(self._central[number]),
            callers=shown_number(values["in_degree"][number]),
            callees=shown_number(values["out_degree"][number]),
            origin=origin,
            tasks=self._targets.get(node.key, ()),
        )

    def _ordered(self, numbers: Iterable[int]) -> list[int]:
        return sorted(numbers, key=lambda one: (-self._central[one], -(self._sizes[one] or 0), one))

    def _is_target(self, number: int) -> bool:
        return self._map.nodes[number].key in self._targets


def _origin(edge: Edge) -> str:
    """Which analyses found a call, in words."""
    if edge.static and edge.traced:
        return "in the source, and executed"
    return "in the source" if edge.static else "executed"
