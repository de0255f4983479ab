"""Tables in Markdown: short ones, with a note for each value that is missing."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.reports.words import ReportCell

MOST_ROWS = 20


class Table:
    """Rows under headers. Reasons why values are missing stand below, each once, under a letter.

    More than MOST_ROWS rows are cut, and a sentence says how many there are and where. `of`: what a row is, in the
    plural; `where`: the path of the whole in report.json.
    """

    def __init__(self, *headers: str, of: str = "rows", where: str = "", most: int = MOST_ROWS) -> None:
        self._headers = headers
        self._of = of
        self._where = where
        self._most = most
        self._rows: list[tuple[str | ReportCell, ...]] = []

    def row(self, *cells: str | ReportCell) -> None:
        """One more. Strings are Markdown already. ValueError for another number of cells than of headers."""
        if len(cells) != len(self._headers):
            raise ValueError(f"{len(cells)} cells under {len(self._headers)} headers")
        self._rows.append(cells)

    def __bool__(self) -> bool:
        return bool(self._rows)

    def markdown(self, nothing: str = "There is none.") -> str:
        """The table, or a sentence in its place."""
        if not self._rows:
            return nothing
        reasons: dict[str, str] = {}
        shown = self._rows[: self._most]
        lines = [_line(self._headers), _line(["---"] * len(self._headers))]
        lines += [_line([_shown(cell, reasons) for cell in row]) for row in shown]
        parts = ["\n".join(lines)]
        if len(self._rows) > len(shown):
            parts.append(
                f"The first {len(shown)} of {len(self._rows):,} {self._of}; all are in `report.json`"
                + (f" under `{self._where}`." if self._where else ".")
            )
        if reasons:
            parts.append(
                "n too small, or nothing to measure: "
                + "; ".join(f"({mark}) {text(reason)}" for reason, mark in reasons.items())
                + "."
            )
        return "\n\n".join(parts)


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(cell: str | ReportCell, reasons: dict[str, str]) -> str:
    if isinstance(cell, str):
        return cell
    if not cell.reason:
        return cell.shown
    return f"{cell.shown} ({reasons.setdefault(cell.reason, _mark(len(reasons)))})"


def _mark(place: int) -> str:
    """a, b, … z, aa, ab, …"""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters
