"""SVG from Matplotlib, the same bytes for the same data. It is imported by the first drawing, and by nothing else."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runs.formatting.markdown_text import clean

LONGEST_NAME = 28
MOST_AGENTS = 40
INK = "#1b2733"
ACCENT = "#0b6bcb"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "benchbench",
    "svg.fonttype": "none",  # text stays text: small, searchable, and read aloud
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.parse_math": False,  # names are no formulas
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#5b6b7b",
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",  # a card of its own on dark pages
    "axes.facecolor": "white",
    "hatch.linewidth": 0.6,
}


def name(text: str) -> str:
    """What a strange name looks like on a plot."""
    return clean(text, LONGEST_NAME)


def drawn(width: float, height: float, draw: Callable[[Any], None]) -> str:
    """The SVG of what `draw` does to empty axes of so many inches."""
    with _quiet():
        from matplotlib import rc_context  # noqa: PLC0415 - takes half a second to import
        from matplotlib.figure import Figure  # noqa: PLC0415 - as above

        with rc_context(STYLE):
            figure = Figure(figsize=(width, height))
            draw(figure.add_subplot())
            file = io.StringIO()
            figure.savefig(
                file,
                format="svg",
                metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")),
                bbox_inches="tight",
                pad_inches=0.15,
            )
    return file.getvalue()


@contextmanager
def _quiet() -> Iterator[None]:
    """A letter that the font lacks is the reader's font's business; where the font cache lies is nobody's."""
    log = logging.getLogger("matplotlib")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.setLevel(before)


def logarithmic(axes: Any, low: float, high: float) -> None:
    """A logarithmic axis across with plain numbers at its ticks."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: PLC0415 - as above

    axes.set_xscale("log")
    decades = high / low > 100
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if decades else (1.0, 2.0, 5.0)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.10g}"))


def rate_axis(axes: Any, which: str, label: str) -> None:
    """Percent from 0 to 100 on the axis "x" or "y"."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    shown = ["0 %", "25 %", "50 %", "75 %", "100 %"]
    (axes.set_xlim if which == "x" else axes.set_ylim)(-0.03, 1.03)
    (axes.set_xticks if which == "x" else axes.set_yticks)(ticks, shown)
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(label)
    axes.grid(axis=which, color="#d8dee4", linewidth=0.6)
    axes.set_axisbelow(True)


def matrix(
    axes: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    told: Sequence[Sequence[str]],
    *,
    label: str,
    hatched: str,
) -> None:
    """Shares from 0 to 1 as shades, each with its text where there is room; what is undefined is hatched."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - as above

    shades = [[float("nan") if value is None else value for value in row] for row in values]
    image = axes.imshow(shades, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    image.set_rasterized(False)
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value is None:
                axes.add_patch(
                    Rectangle(
                        (x - 0.5, y - 0.5), 1, 1, fill=False, hatch="///", edgecolor="#9aa7b4", linewidth=0
                    )
                )
            if told:
                colour = "white" if value is not None and value > 0.6 else INK
                axes.text(x, y, told[y][x], ha="center", va="center", fontsize=7, color=colour)
    axes.set_xticks(range(len(columns)), [name(each) for each in columns], rotation=40, ha="right")
    axes.set_yticks(range(len(rows)), [name(each) for each in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"hatched: {hatched}", fontsize=8)
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02)
    bar.set_label(label)
    bar.outline.set_visible(False)
