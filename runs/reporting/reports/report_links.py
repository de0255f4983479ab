"""The Markdown of reports: links to the site that made the report, lists and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.urls import reverse

from runs.presentation.analysis_docs import titles
from runs.presentation.formatting.markdown_text import text

CALIBRATION = "†"
MAX_LINKS = 10


@dataclass(frozen=True, slots=True)
class ReportLinks:
    """Markdown links. `site` is the address of the site, without a slash at the end."""

    site: str

    def task(self, name: str) -> str:
        """A link to a task, named repository/task."""
        return f"[{text(name, 80)}]({self.site}/tasks/{quote(name)}/)"

    def run(self, number: int) -> str:
        """A link to a replay."""
        return f"[{number}]({self.site}{reverse('run', args=[number])})"

    def runs(self, numbers: Sequence[int], most: int = MAX_LINKS) -> str:
        """Links to the first runs, and the number of the others."""
        return some([self.run(number) for number in numbers], most)

    def method(self, anchor: str) -> str:
        """A link to how a number is computed. KeyError for an unknown anchor."""
        return f"[{text(titles()[anchor])}]({self.site}{reverse('methods')}#{anchor})"

    def methods(self, anchors: Sequence[str]) -> str:
        """A sentence with links to several methods; '' for none."""
        return f"How: {', '.join(map(self.method, anchors))}." if anchors else ""


def agent_mark(slug: str, *, calibration: bool) -> str:
    """An agent's slug, with a dagger for a calibration agent."""
    return f"{text(slug, 60)}{f' {CALIBRATION}' if calibration else ''}"


def some(names: Sequence[str], most: int) -> str:
    """A list in a sentence: the first names, and the number of the others."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
