"""A small code map, for tests of pages."""

from __future__ import annotations

from tasks.generation.maps.code_map import CodeMap, Node, Suite, build


def made_map(repository: str, *, word: str = "tide", more: int = 0) -> CodeMap:
    """`Harbour.open` calls `read_WORD`, which calls `WORD` and itself; `far` is alone. `more`: others without calls."""
    rows = [
        ("harbour.py", "Harbour", "class", 1, 30, 28, 4),
        ("harbour.py", "Harbour.open", "function", 3, 20, 17, 3),
        (f"{word}/reading.py", f"read_{word}", "function", 1, 12, 11, 5),
        (f"{word}/reading.py", word, "function", 15, 18, 4, 1),
        (f"{word}/far.c", "far", "function", 1, 3, 3, None),
    ]
    nodes = [
        Node(
            path,
            name,
            0,
            "class" if kind == "class" else "function",
            start,
            end,
            {"code_lines": float(lines)} | ({} if paths is None else {"cyclomatic": float(paths)}),
        )
        for path, name, kind, start, end, lines, paths in rows
    ]
    nodes += [
        Node("many.py", f"f{number}", 0, "function", 5 * number, 5 * number + 3, {"code_lines": 4.0})
        for number in range(1, more + 1)
    ]
    opens, reads, last = (node.key for node in nodes[1:4])
    return build(
        repository,
        "d" * 64,
        nodes,
        static={(opens, reads), (reads, reads)},
        traced={(opens, reads), (reads, last)},
        suite=Suite((f"tests.test_{word}::test_neap",), (), 2.25, 6.5),
        notes=("Calls in languages other than Python are not known.",),
    )
