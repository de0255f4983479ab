"""A report in Markdown: what was evaluated, the known problems, and one chapter for each topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runs.presentation.formatting.markdown_text import text
from runs.presentation.formatting.numbers import DASH, counted, plain_spaces
from runs.reporting.reports.gather import Report
from runs.reporting.reports.opening import bad_lines, evaluated, left_out
from runs.reporting.reports.report_links import CALIBRATION, ReportLinks, markdown_table
from runs.reporting.reports.report_sections import ReportChapter
from runs.reporting.topics.table_values import MAX_PROSE_LENGTH, TableValue, common_n, shown
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TopicResult

MAX_ROWS = 20
MAX_SENTENCE_LENGTH = 4_000
READING = (
    "How to read this report: 50.0 % (35.2 to 64.8 %, n 6) is a value, its 95 % interval if it has one, and the number "
    "of observations. If all values of a column have the same n, it is in the head of the column. The reason for a "
    "dash is below the table. Links lead to the site that made the report. All results are in `report.json`."
)


def markdown(report: Report, site: str, plots: Mapping[str, str]) -> str:
    """The whole report. `plots`: the address of each chart by CHAPTER-CHART."""
    links = ReportLinks(site)
    points = [f"- {point}" for point in bad_lines(report, links)]
    parts = [
        f"# {text(report.head.title, 300)}",
        READING,
        "## What was evaluated",
        *evaluated(report, links),
        "## Known problems",
        f"Read this before the numbers below. {links.methods(['excluded'])}",
        "\n".join(points) or "None of those that this report checks.",
        *left_out(report, links),
    ]
    for chapter in report.chapters:
        parts += _chapter(chapter, links, plots)
    return plain_spaces("\n\n".join(part for part in parts if part) + "\n")


def chapters_markdown(title: str, chapters: Sequence[ReportChapter], site: str) -> str:
    """Some chapters without charts, under a title."""
    links = ReportLinks(site)
    parts = [f"# {text(title, 300)}"]
    for chapter in chapters:
        parts += _chapter(chapter, links, {})
    return plain_spaces("\n\n".join(part for part in parts if part) + "\n")


def _chapter(chapter: ReportChapter, links: ReportLinks, plots: Mapping[str, str]) -> Iterator[str]:
    result = chapter.result
    yield f"## {text(chapter.title)}"
    calibration = "with" if result.calibrated else "without"
    yield (
        f"{text(chapter.description, MAX_SENTENCE_LENGTH)} From {counted(result.runs, 'graded run')} at "
        f"{counted(result.tasks, 'task')}, {calibration} those of calibration agents."
    )
    if result.summary:
        yield f"**{text(result.summary, MAX_SENTENCE_LENGTH)}**"
    for section in result.sections:
        yield f"### {text(section.title)}"
        yield f"{text(section.intro, MAX_SENTENCE_LENGTH)} {links.methods(section.methods)}".rstrip()
        for picture in section.pictures:
            yield f"![{text(picture.title, 400)}]({plots[f'{chapter.slug}-{picture.name}']})"
        yield from markdown_of_tables(section, result, links, chapter.slug)


def markdown_of_tables(
    section: ResultSection, result: TopicResult, links: ReportLinks, slug: str
) -> Iterator[str]:
    """The tables of a section, of alternatives the first one. `slug` names the chapter."""
    tables = [table for table in section.tables if table.rows]
    choices = [table for table in tables if table.choice]
    for table in tables:
        if table not in choices[1:]:
            yield markdown_of_table(table, result, links, slug)
    if choices:
        names = ", ".join(f"`{table.name}` ({text(table.choice)})" for table in choices[1:])
        yield f"This is “{text(choices[0].choice)}”. Others are in `report.json`, in `{slug}`: {names}."
    if not tables and not section.pictures:
        yield text(section.empty, MAX_SENTENCE_LENGTH)


def markdown_of_table(table: ResultTable, result: TopicResult, links: ReportLinks, slug: str) -> str:
    """A table with its reasons below. `slug` names the chapter."""
    reasons: dict[str, str] = {}
    ns = [common_n(table, place) for place in range(len(table.columns))]
    heads = [
        text(column.title, 60) + ("" if n is None else f" (n {n:,})")
        for column, n in zip(table.columns, ns, strict=True)
    ]
    rows = [
        [
            _cell(shown(value, column, result, n=n is None), links, reasons)
            for value, column, n in zip(row, table.columns, ns, strict=True)
        ]
        for row in table.rows[:MAX_ROWS]
    ]
    parts = [markdown_table(heads, rows)]
    if len(table.rows) > MAX_ROWS:
        where = f"table `{table.name}` of `{slug}`"
        parts.append(f"The first {MAX_ROWS} of {len(table.rows):,} rows; all are in `report.json`: {where}.")
    if reasons:
        notes = "; ".join(f"({mark}) {text(reason, 400)}" for reason, mark in reasons.items())
        parts.append(f"Without a value: {notes}.")
    return "\n\n".join(parts)


def _cell(value: TableValue, links: ReportLinks, reasons: dict[str, str]) -> str:
    reason = value.why or (value.hint if value.text == DASH else "")
    if reason:
        return f"— ({reasons.setdefault(reason, _letters(len(reasons)))})"
    if value.parts:
        return ", ".join(_cell(part, links, reasons) for part in value.parts)
    name = text(value.text, MAX_PROSE_LENGTH)
    linked = f"[{name}]({links.site}{value.href})" if value.href else name
    mark = f" {CALIBRATION}" if value.chip else ""
    basis = plain_spaces(", ".join(part for part in (value.hint, value.small) if part))
    return f"{linked}{mark}{f' ({basis})' if basis else ''}"


def _letters(place: int) -> str:
    """a, b, … z, aa, ab, …"""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters
