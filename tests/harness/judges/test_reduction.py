"""How long each kind of part may be."""

from __future__ import annotations

import sys

from harness.judges.reduction import MIN_LENGTHS, Part, Piece, limits_for, steps_left_out

ALL = sys.maxsize


def part(kind: str, length: int) -> Part:
    return Part(kind, kind, kind, "x" * length)


def test_nothing_is_cut_if_all_fits() -> None:
    assert limits_for([Piece(1, "agent", (part("result", 1000),))], 2000) == dict.fromkeys(MIN_LENGTHS, ALL)


def test_the_longest_parts_of_a_kind_are_cut_to_one_length() -> None:
    pieces = [Piece(number, "agent", (part("result", 1000 * number),)) for number in range(1, 5)]
    limits = limits_for(pieces, 7_000)
    assert limits == {**dict.fromkeys(MIN_LENGTHS, ALL), "result": limits["result"]}
    assert 1_800 < limits["result"] < 2_000
    cost = sum(piece.cost(limits) for piece in pieces)
    assert 6_900 < cost <= 7_000


def test_kinds_are_cut_in_their_order_down_to_their_least_length() -> None:
    pieces = [Piece(1, "agent", tuple(part(kind, 10_000) for kind in MIN_LENGTHS))]
    assert limits_for(pieces, 100) == MIN_LENGTHS
    assert list(MIN_LENGTHS) == ["result", "call", "reasoning", "file", "message"]


def test_steps_in_the_middle_are_left_out_first_and_the_final_changes_never() -> None:
    pieces = [Piece(number, "agent", (part("message", 100),)) for number in range(9)]
    whole = dict.fromkeys(MIN_LENGTHS, ALL)
    assert steps_left_out(pieces, whole, 10_000) == frozenset()
    assert steps_left_out(pieces, whole, 1_000) == frozenset({3, 4, 5})
    assert steps_left_out(pieces, whole, 0) == frozenset(range(8))


def test_a_users_steps_are_left_out_last() -> None:
    sources = ["user", "agent", "user", "agent", "final changes"]
    pieces = [Piece(number, source, (part("message", 100),)) for number, source in enumerate(sources)]
    assert steps_left_out(pieces, dict.fromkeys(MIN_LENGTHS, ALL), 500) == frozenset({1, 3})
