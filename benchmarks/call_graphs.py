"""All centralities of a call graph of 5,000 functions and 20,000 calls, beside networkx.

    python -m benchmarks.call_graphs [--nodes 5000] [--edges 20000] [--no-networkx]

Prints the CPU seconds of both, their ratio and the largest difference of a value. Promised: ours take at most 10 s of
CPU time together and a quarter of the time of networkx, and no value differs by more than 1e-9. Exits with 1 if a
promise is broken. Networkx needs about two minutes. Needs no container engine.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks.command_line import benchmark_parser, conclude, mark
from tasks.generation.maps.centralities import DAMPING, centralities

PROMISED_SECONDS = 10.0
PROMISED_RATIO = 0.25
PROMISED_DIFFERENCE = 1e-9
_TOLERANCE = 1e-15

Edges = Sequence[tuple[int, int]]
Values = Mapping[str, Sequence[float]]


def main() -> int:
    """Prints the figures; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--edges", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-networkx", action="store_true", help="ours only")
    options = parser.parse_args()
    edges = calls(options.nodes, options.edges, options.seed)
    ours, seconds = _timed(lambda: centralities(options.nodes, edges))
    met = seconds <= PROMISED_SECONDS
    print(f"{options.nodes} functions, {len(edges)} calls")
    print(f"ours       {seconds:6.2f} s CPU{mark(met)}")
    if options.no_networkx:
        return conclude(met)
    theirs, baseline = _timed(lambda: _networkx(options.nodes, edges))
    ratio = seconds / baseline
    print(f"networkx   {baseline:6.2f} s CPU")
    print(f"ratio      {ratio:6.3f}{mark(ratio <= PROMISED_RATIO)}")
    difference = largest_difference(ours, theirs)
    print(f"difference {difference:6.1e}{mark(difference <= PROMISED_DIFFERENCE)}")
    return conclude(met and ratio <= PROMISED_RATIO and difference <= PROMISED_DIFFERENCE)


def calls(nodes: int, edges: int, seed: int) -> list[tuple[int, int]]:
    """A random graph with so many distinct calls, some functions being called by many."""
    chance = random.Random(seed)
    found: set[tuple[int, int]] = set()
    while len(found) < min(edges, nodes * (nodes - 1) // 2):
        found.add((chance.randrange(nodes), int(nodes * chance.random() ** 2)))
    return sorted(found)


def largest_difference(ours: Values, theirs: Values) -> float:
    """Between two values of one function, over what both have."""
    return max(
        abs(one - other)
        for name, values in theirs.items()
        for one, other in zip(ours[name], values, strict=True)
    )


def _networkx(nodes: int, edges: Edges) -> Values:
    """The same by networkx, the distance discount by its distances."""
    import networkx as nx  # noqa: PLC0415

    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    found = {
        "harmonic": nx.harmonic_centrality(graph.reverse()),  # networkx counts incoming paths
        "pagerank": nx.pagerank(graph, alpha=DAMPING, tol=_TOLERANCE, max_iter=1000),
        "betweenness": nx.betweenness_centrality(graph),
        "degree": dict(graph.degree()),
        "distance_discount": {
            node: sum(0.5**distance for distance in distances.values() if distance)
            for node, distances in nx.all_pairs_shortest_path_length(graph)
        },
    }
    return {name: [values[node] for node in range(nodes)] for name, values in found.items()}


def _timed(compute: Callable[[], Values]) -> tuple[Values, float]:
    began = time.process_time()
    return compute(), time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
