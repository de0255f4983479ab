"""The rank of a function by Ochiai's coefficient."""

from __future__ import annotations

from tasks.generation.maps.code_map import CodeMap, FunctionKey, Node, Suite, build
from tasks.generation.maps.suspicion import ochiai_rank

KEYS: list[FunctionKey] = [("io.py", name, 0) for name in ("read", "parse", "write", "close")]


def a_map(suite: Suite | None) -> CodeMap:
    nodes = [Node(*key, "function", at * 4 + 1, at * 4 + 3, {}) for at, key in enumerate(KEYS)]
    return build("shop", "d1", nodes, static=(), suite=suite)


def ranks(reached: tuple[tuple[int, ...], ...], *failing: str) -> list[float | None]:
    found = a_map(Suite(("t0", "t1", "t2", "t3"), (), 1.0, 2.0, reached))
    return [ochiai_rank(found, key, failing) for key in KEYS]


def test_functions_that_only_failing_tests_execute_come_first() -> None:
    # With t0 and t1 failing: 2/√(2·4) = 0.71, 2/√(2·2) = 1, 1/√(2·2) = 0.5, never executed 0.
    assert ranks(((0, 1, 2, 3), (0, 1), (1, 2), ()), "t0", "t1") == [2, 1, 3, 4]


def test_equal_functions_share_the_mean_of_their_places() -> None:
    assert ranks(((0, 1), (0, 1), (0,), (3,)), "t0") == [2.5, 2.5, 1, 4]
    assert ranks(((), (), (), ()), "t0") == [2.5] * 4


def test_there_is_no_rank_without_traced_tests_that_fail() -> None:
    assert ranks(((0,), (), (), ()), "unknown") == [None] * 4
    assert ochiai_rank(a_map(None), KEYS[0], ["t0"]) is None
    assert ochiai_rank(a_map(Suite(("t0",), (), 1.0, 2.0, ())), KEYS[0], ["t0"]) is None
    complete = a_map(Suite(("t0",), (), 1.0, 2.0, ((0,), (), (), ())))
    assert ochiai_rank(complete, ("io.py", "other", 0), ["t0"]) is None
