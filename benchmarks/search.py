"""Compares searches with and without ripgrep in a container. The calls of the two servers alternate.

    python -m benchmarks.search [--files 300 --files 3000] [--calls 9]

Promised (medians): from 3,000 files on, a search with few matches takes at most half of its time without ripgrep.
Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude
from tests.harness.tools.tool_server import INSIDE, ToolServer

WORDS = ("value", "return", "import", "class", "self", "number", "parse", "config", "index", "error")
SEARCHES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("a rare text", "codebase_search", {"query": "needle_here"}),
    ("a rare pattern", "grep_search", {"pattern": r"needle_\w+"}),
    ("a common text", "codebase_search", {"query": "parse config"}),
)
PROMISED_FROM = 3_000


def write_tree(root: Path, files: int) -> None:
    """So many files of 120 lines each; every fiftieth holds what is searched for."""
    chance = random.Random(1)
    (root / "bin").mkdir()
    (root / "bin" / "python3").symlink_to("/usr/bin/python3")
    for number in range(files):
        path = root / f"package{number % 20}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True)
        lines = [" ".join(chance.choices(WORDS, k=8)) for _ in range(120)]
        path.write_text("\n".join([*lines, "needle_here" if number % 50 == 0 else "", ""]))


def compare(files: int, calls: int) -> bool:
    """Prints the rows for a tree of so many files. Returns whether the promise holds for it."""
    met = True
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        write_tree(root, files)
        docker = ["docker", "run", "--rm", "-i", "--network=none"]
        docker += ["-v", f"{INSIDE}:/inside:ro", "-v", f"{root}:/app:ro"]
        serve = ["benchbench/base:bookworm", "python3", "-I", "-B", "/inside", "--workdir", "/app"]
        with (
            ToolServer(root, command=[*docker, *serve]) as ripgrep,
            ToolServer(root, command=[*docker, "--env", "PATH=/app/bin", *serve]) as alone,
        ):
            for name, tool, arguments in SEARCHES:
                times: dict[ToolServer, list[float]] = {ripgrep: [], alone: []}
                for _ in range(calls):
                    for server, measured in times.items():
                        began = time.perf_counter()
                        server.call(tool, **arguments)
                        measured.append(1000 * (time.perf_counter() - began))
                with_it, without = median(times[ripgrep]), median(times[alone])
                print(f"{files:>6,}  {name:<16}{with_it:>9.1f}{without:>10.1f}{without / with_it:>9.1f} ×")
                met = met and (files < PROMISED_FROM or "rare" not in name or with_it <= without / 2)
    return met


def main() -> int:
    """Prints the table; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--files", type=int, action="append", help="size of the tree (default 300 and 3000)")
    parser.add_argument("--calls", type=int, default=9, help="how often each is measured (default 9)")
    options = parser.parse_args()
    print(f"{'files':>6}  {'milliseconds':<16}{'ripgrep':>9}{'without':>10}")
    met = [compare(files, options.calls) for files in options.files or (300, 3_000)]
    return conclude(all(met))


if __name__ == "__main__":
    sys.exit(main())
