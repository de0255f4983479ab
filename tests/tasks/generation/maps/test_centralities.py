"""Centralities, solved by hand and against networkx."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from tasks.generation.maps.centralities import MAX_NODES, GraphTooLarge, centralities
from tasks.generation.maps.code_map import CENTRALITIES

EXACT = 1e-9


def test_a_chain_is_seen_from_its_first_caller() -> None:
    """a → b → c → d: a reaches all others, d reaches none. Reversed, d would be the centre."""
    found = centralities(4, [(0, 1), (1, 2), (2, 3)])
    assert found["harmonic"] == pytest.approx([1 + 1 / 2 + 1 / 3, 1 + 1 / 2, 1, 0], abs=EXACT)
    assert found["harmonic_normalised"] == pytest.approx([11 / 18, 1 / 2, 1 / 3, 0], abs=EXACT)
    assert found["distance_discount"] == pytest.approx([0.875, 0.75, 0.5, 0], abs=EXACT)
    assert found["betweenness"] == pytest.approx([0, 2 / 6, 2 / 6, 0], abs=EXACT)
    assert found["in_degree"] == (0, 1, 1, 1)
    assert found["out_degree"] == (1, 1, 1, 0)
    assert found["degree"] == (1, 2, 2, 1)
    # Each share is 1, 1 + p, 1 + p + p², … before they are divided by their sum; the last function's goes to all.
    p = 0.85
    shares = [sum(p**step for step in range(count)) for count in (1, 2, 3, 4)]
    assert found["pagerank"] == pytest.approx([share / sum(shares) for share in shares], abs=EXACT)


def test_a_star_has_its_centre_where_the_calls_begin() -> None:
    calls = [(0, 1), (0, 2), (0, 3)]
    outward = centralities(4, calls)
    assert outward["harmonic"] == pytest.approx([3, 0, 0, 0], abs=EXACT)
    assert outward["distance_discount"] == pytest.approx([1.5, 0, 0, 0], abs=EXACT)
    inward = centralities(4, [(callee, caller) for caller, callee in calls])
    assert inward["harmonic"] == pytest.approx([0, 1, 1, 1], abs=EXACT)
    assert inward["distance_discount"] == pytest.approx([0, 0.5, 0.5, 0.5], abs=EXACT)
    assert inward["pagerank"][0] > outward["pagerank"][0]


def test_a_diamond_shares_its_shortest_paths() -> None:
    found = centralities(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    assert found["harmonic"] == pytest.approx([2.5, 1, 1, 0], abs=EXACT)
    assert found["betweenness"] == pytest.approx([0, 0.5 / 6, 0.5 / 6, 0], abs=EXACT)


def test_a_function_that_calls_itself_is_its_own_caller_but_no_distance_away() -> None:
    found = centralities(2, [(0, 0), (0, 1)])
    assert found["harmonic"] == pytest.approx([1, 0], abs=EXACT)
    assert found["degree"] == (3, 1)


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_small_graphs_without_calls_have_no_centre(nodes: int) -> None:
    found = centralities(nodes, [])
    assert set(found) == set(CENTRALITIES)
    assert found["harmonic"] == found["betweenness"] == (0.0,) * nodes
    assert found["pagerank"] == pytest.approx([1 / nodes] * nodes if nodes else [])


@pytest.mark.parametrize(("nodes", "calls", "seed"), [(30, 40, 1), (60, 200, 2), (600, 2400, 3)])
def test_all_agree_with_networkx(nodes: int, calls: int, seed: int) -> None:
    chance = random.Random(seed)
    edges = sorted({(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(calls)})
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    found = centralities(nodes, edges)
    outgoing = nx.harmonic_centrality(graph.reverse())  # networkx counts incoming paths
    theirs = {
        "harmonic": outgoing,
        "pagerank": nx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=1000),
        "betweenness": nx.betweenness_centrality(graph),
        "in_degree": dict(graph.in_degree()),
        "out_degree": dict(graph.out_degree()),
        "degree": dict(graph.degree()),
    }
    for name, values in theirs.items():
        assert found[name] == pytest.approx([values[node] for node in range(nodes)], abs=EXACT), name


def test_a_graph_beyond_the_limit_is_refused() -> None:
    with pytest.raises(GraphTooLarge, match="at most 30,000"):
        centralities(MAX_NODES + 1, [])
