"""For the command lines of all benchmarks: the parser, and the output of results."""

from __future__ import annotations

import argparse


def benchmark_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser that shows the docstring of a benchmark as its help."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def verdict(met: bool) -> str:
    """Whether a promise holds, in one word."""
    return "holds" if met else "broken"


def mark(met: bool) -> str:
    """The end of a row: empty if its promise holds."""
    return "" if met else "  broken"


def conclude(met: bool, figure: str = "") -> int:
    """Prints the figure and whether all promises hold. Returns the exit code."""
    print(f"{figure}: {verdict(met)}" if figure else verdict(met))
    return 0 if met else 1
