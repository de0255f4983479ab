"""What every section writes with: names, links to the site, and its own title, definition and methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.urls import reverse

from runs.analysis_docs import titles
from runs.formatting.markdown_text import text
from runs.reports.gather import Material

CALIBRATION = "†"
MOST_LINKS = 10


@dataclass(frozen=True, slots=True)
class Section:
    """`definition` says in a sentence or two what the numbers are; `methods` are anchors of the methods page."""

    title: str
    definition: str
    body: Sequence[str]
    methods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pen:
    """`site`: where the pages are, without a slash at the end. `plots`: name → what an image link points to."""

    material: Material
    site: str
    plots: dict[str, str]

    def agent(self, slug: str) -> str:
        """Its slug, with a dagger where it knows the reference patch."""
        mark = f" {CALIBRATION}" if self.material.head.calibrates(slug) else ""
        return f"{text(slug, 60)}{mark}"

    def agents(self, slugs: Iterable[str]) -> str:
        """Several, in the order given."""
        return ", ".join(self.agent(slug) for slug in slugs) or "nobody"

    def task(self, name: str) -> str:
        """A link to the task's page."""
        return f"[{text(name, 80)}]({self.site}/tasks/{quote(name)}/)"

    def run(self, number: int, steps: Sequence[int] = ()) -> str:
        """A link to the replay, and to its first steps."""
        address = f"{self.site}{reverse('run', args=[number])}"
        shown = ", ".join(f"[{step}]({address}#step-{step})" for step in steps[:3])
        more = " …" if len(steps) > 3 else ""
        told = f" ({'step' if len(steps) == 1 else 'steps'} {shown}{more})" if steps else ""
        return f"[{number}]({address}){told}"

    def runs(self, numbers: Sequence[int], most: int = MOST_LINKS) -> str:
        """Links to the first ones, and how many there are beyond."""
        shown = ", ".join(self.run(number) for number in numbers[:most])
        return shown if len(numbers) <= most else f"{shown} and {len(numbers) - most:,} more"

    def method(self, anchor: str) -> str:
        """A link to how a number is made. KeyError for an anchor that there is none of."""
        return f"[{text(titles()[anchor])}]({self.site}{reverse('methods')}#{anchor})"

    def plot(self, name: str, told: str) -> str:
        """The plot of this name; `told` says in words what it shows. Nothing where it was not drawn."""
        return f"![{text(told, 400)}]({self.plots[name]})" if name in self.plots else ""

    def section(self, section: Section) -> str:
        """In Markdown."""
        links = ", ".join(self.method(anchor) for anchor in section.methods)
        parts = [f"## {section.title}"]
        if section.definition:
            parts.append(section.definition + (f" How: {links}." if links else ""))
        return "\n\n".join([*parts, *(part for part in section.body if part)])
