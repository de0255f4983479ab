"""What is wrong with the charts and tables that a page shows of a result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from runs.presentation.charts.svg_shapes import NARROW, WIDE, Chart, has_marks
from runs.reporting.topics.topic_result import TopicResult
from runs.views.analysis_pages.shown_tables import ShownTable, lead_chart, sections


def faults(result: TopicResult) -> Iterator[str]:
    """Charts without a value, names cut to the same text, tables without a value, and tables cut without a mark."""
    lead = lead_chart(result)
    pictures = [lead.picture] if lead else []
    for section in sections(result):
        pictures += section.pictures
        for shown in (*section.alternatives, *section.tables):
            yield from _table_faults(shown)
    for picture in pictures:
        if not has_marks(picture.chart):
            yield f"{picture.name}: axes without data"
        yield from (f"{picture.name}: {name} is cut to {text}" for text, name in _cut_alike(picture.chart))


def _table_faults(shown: ShownTable) -> Iterator[str]:
    table = shown.table
    if not any(text.text not in ("–", "") for row in shown.rows for text in row[1:]):
        yield f"{table.name}: no value"
    for place, head in enumerate(shown.head[1:], 1):
        if not table.matrix and all(row[place].text == "–" for row in shown.rows) and not shown.left:
            yield f"{table.name}: nothing is known of {head.column.title}"


def _cut_alike(chart: Chart) -> Iterator[tuple[str, str]]:
    names = {point.name for point in getattr(chart, "points", ())} | {
        row.name for row in getattr(chart, "rows", ())
    }
    for width in (WIDE, NARROW):
        drawn = [
            shape.text for shape in chart.draw(width).shapes if shape.attributes["class"].startswith("name")
        ]
        texts = [text for text in drawn if text.endswith("…") and len(text) > 1]
        of: dict[str, set[str]] = defaultdict(set)
        for text in texts:
            of[text] |= {name for name in names if name.startswith(text[:-1])}
        yield from (
            (text, name) for text in set(texts) if texts.count(text) > 1 for name in sorted(of[text])[:1]
        )
