"""What a page shows without saying anything by it: empty parts, unknown values alone, and words said twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.site.faults.page_tree import Element, page_tree

# Of a number of things out of one, "0 of 1 runs", the plural is usual.
ONE_OF_SEVERAL = re.compile(
    r"(?<!of )(?<![\d.,:/−–×-])\b1 (agents|attempts|boards|calls|errors|evaluations|files|functions|hours|judges|lines"
    r"|minutes|models|pairs|repositories|reviews|runs|scenarios|seconds|steps|tasks|tests|tools|trajectories|tries)\b"
)
MARKS = frozenset(
    ["bar", "dot", "point", "series", "knot", "median"]
)  # classes of what a chart draws for a value
UNKNOWN = re.compile(
    r"([–—-]|not stated|not known|unknown|not measured|not tried yet)( |$|,|:)", re.IGNORECASE
)
# "undefined" with its reason behind a colon is said to readers.
PROGRAM = re.compile(r"(?:^|[\s($])(?:None|nan|NaN|null|undefined(?!: \w)|inf|Infinity)(?:$|[\s),.;:%])")
UNIT = re.compile(r"[+−-]?\$?[\d.,]+ ?(%|points|s|min|h|ms|GB|MB|KB)?")
FIGURE = re.compile(r"[\d$–+−✓✕]")
COUNTED = re.compile(
    r"attempt|call|edit|error|file|iteration|line|\bn\b|run|step|task|test|token|limit|request", re.IGNORECASE
)
SOME_OF = re.compile(r"\b(of|all|more|next|first|last)\b", re.IGNORECASE)
NAMED = re.compile(r"[^:]{3,60}: ")  # what begins a list of names, which belongs to the part above it
SENTENCE = re.compile(r"(?<=[.!?])\s+")
QUOTED = frozenset(["pre", "code", "blockquote", "samp", "textarea"])  # texts of others, and of programs
# Classes of documents, of descriptions of methods and of the API, and of source code.
WRITTEN = frozenset(["document", "described", "description", "code", "diff"])
# Classes of what agents, tools and tests said: it may repeat itself.
RECORDED = frozenset(["text", "args", "compared"])
PROSE = ("p", "li", "figcaption", "caption", "dd")
HEADINGS = ("h1", "h2", "h3", "h4")
CUTS = frozenset({12, 20, 30, 40, 50, 100, 150, 200})  # rows at which lists of the site end
SHORTEST_SENTENCE = 30


class Fault(NamedTuple):
    """One fault: its kind, and where it is."""

    kind: str
    place: str


def page_faults(page: str) -> list[Fault]:
    """The faults of a page, in the order of their kinds."""
    main = page_tree(page)
    return [
        Fault(kind, " ".join(place.split())[:200]) for kind, find in FAULTS.items() for place in find(main)
    ]


def charts_without_data(main: Element) -> Iterator[str]:
    """Charts that draw axes alone."""
    for drawing in main.all("svg"):
        if drawing.within(lambda around: "chart" in around.classes):
            marks = (set(shape.classes) & MARKS for shape in drawing.elements())
            if not any(marks):
                yield drawing.attributes.get("aria-label", "a drawing")


def unknown_alone(main: Element) -> Iterator[str]:
    """Rows and columns of tables in which nothing is known."""
    for table in main.all("table"):
        heads, rows = _head(table), _rows(table)
        for row in rows:
            values = [cell for cell in row if cell.tag == "td"]
            if len(values) > 1 and all(map(_is_unknown, values)):
                yield f"row {row[0].text()} of {_name(table)}"
        spread = [over for row in rows if len(over := _over_columns(row)) == len(heads)]
        for place in range(1, len(heads)):
            cells = [cell for row in spread for cell in [row[place]] if cell is not None]
            # Beside a reason that spans columns, one unknown value is not yet a column without any.
            enough = 1 if len(cells) == len(spread) else 2
            if len(cells) >= enough and all(_is_unknown(cell) for cell in cells):
                yield f"column {heads[place].text()} of {_name(table)}"


def ends_without_mark(main: Element) -> Iterator[str]:
    """Tables that end at a round number of rows, and say neither how many there are nor where the others are."""
    for table in main.all("table"):
        rows = len(_rows(table))
        around = table.within(lambda one: one.tag in {"section", "main"} or "block" in one.classes)
        if rows in CUTS and around:
            own = table.text()
            rest = around.text().replace(own, " ") if own else around.text()
            said = re.search(rf"\b{rows}\b", rest.replace(",", "")) or SOME_OF.search(rest)
            if not said:
                yield f"{rows} rows of {_name(table)}"


def shown_alike(main: Element) -> Iterator[str]:
    """Different names that are cut to the same text, and rows that nothing but their links and figures tells apart."""
    for whole in main.all("table", "svg"):
        full: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for label in whole.all("a", "text", "span", "bdi"):
            text, title = label.text(), label.attributes.get("title", "")
            if "…" in text and title:
                full[(text,)].add(title)
        for row in _rows(whole) if whole.tag == "table" else []:
            links = [link for cell in row if cell.tag == "th" for link in cell.all("a")]
            if links:
                said = tuple(cell.text() for cell in row if cell.tag == "th" or not FIGURE.match(cell.text()))
                full["a row", *said].add(links[0].attributes.get("href", ""))
        for shown, names in full.items():
            if len(names) > 1:
                yield f"{' | '.join(shown)}: {', '.join(sorted(names)[:3])}"


def headings_alone(main: Element) -> Iterator[str]:
    """Headings below which nothing stands."""
    order = [
        element
        for element in main.elements()
        if element.tag in {*HEADINGS, "svg", "img", "input", "select", "textarea", "button"}
        or any(isinstance(part, str) and part.strip() for part in element.parts)
    ]
    for place, heading in enumerate(order):
        if heading.tag not in HEADINGS or _inside(heading, ("summary", "a")):
            continue
        rest = (one for one in order[place + 1 :] if not _is_in(one, heading))
        follows = next(rest, None)
        if follows is None or (follows.tag in HEADINGS and follows.tag <= heading.tag):
            yield heading.text() or "a heading without text"


def empty_parts(main: Element) -> Iterator[str]:
    """Lists, values and paragraphs with nothing in them."""
    content = {
        "svg",
        "img",
        "input",
        "select",
        "button",
        "textarea",
        "meter",
        "progress",
        "i",
        "canvas",
        "hr",
    }
    for element in main.all("ul", "ol", "dl", "dd", "dt", "li", "p", "tbody", "caption", "figcaption", "h2"):
        if not element.text() and not any(one.tag in content for one in element.elements()):
            yield f"{element.tag} {' '.join(element.classes)} after “{_before(element)}”"
    for table in main.all("table"):
        for row in [] if _is_written(table) else _rows(table):
            for cell in row[1:]:
                if not cell.text() and not list(cell.elements()) and not cell.classes:
                    yield f"a cell in the row {row[0].text()} of {_name(table)}"


def words_of_programs(main: Element) -> Iterator[str]:
    """Values as a program writes them where there is none."""
    for element in main.all("td", "th", "dd", "text", "b", "small"):
        if PROGRAM.search(_own(element)) and not _inside(element, QUOTED) and not _is_written(element):
            yield _own(element)


def ones_in_plural(main: Element) -> Iterator[str]:
    """One of something that is named as if there were several."""
    for element in main.all(*PROSE, *HEADINGS, "li", "td", "th", "summary", "span", "button"):
        inner = element.all(*PROSE, *HEADINGS, "li", "td", "th", "summary", "span", "button")
        found = (
            None
            if _is_written(element) or _inside(element, QUOTED)
            else ONE_OF_SEVERAL.search(element.text())
        )
        if found and not any(ONE_OF_SEVERAL.search(one.text()) for one in inner):
            yield element.text()


def said_twice(main: Element) -> Iterator[str]:
    """Sentences that a page says more than once."""
    said: Counter[str] = Counter()
    for element in main.all(*PROSE):
        is_link = [link.text() for link in element.all("a")] == [element.text()]
        around = (*QUOTED, *PROSE, "table", "nav", "details")  # details are read one at a time
        if (
            not is_link
            and not _is_written(element)
            and not _inside(element, around)
            and not element.is_of(RECORDED)
            and not _is_test(element)
            and not element.all(*PROSE, *QUOTED)
        ):
            whole = [one for one in SENTENCE.split(element.text()) if len(one) >= SHORTEST_SENTENCE]
            said.update(one for one in whole if not NAMED.match(one))
    yield from (sentence for sentence, times in said.items() if times > 1)


def units_missing(main: Element) -> Iterator[str]:
    """Columns in which some figures have a unit and others do not."""
    for table in main.all("table"):
        heads, rows = [] if _is_written(table) else _head(table), _rows(table)
        for place in range(1, len(heads)):
            named = [row for row in rows if len(row) == len(heads) and not COUNTED.search(row[0].text())]
            cells = [_figure(row[place]) for row in named]
            found = [UNIT.fullmatch(cell) for cell in cells if cell not in {"0", ""}]
            units = {bool(one[1] or "$" in one[0]) for one in found if one}
            if len(units) > 1:
                yield f"column {heads[place].text()} of {_name(table)}: {', '.join(cells[:6])}"


FAULTS: dict[str, Callable[[Element], Iterator[str]]] = {
    "chart without data": charts_without_data,
    "only unknown values": unknown_alone,
    "ends without a mark": ends_without_mark,
    "different names shown alike": shown_alike,
    "heading with nothing below": headings_alone,
    "empty part": empty_parts,
    "word of a program": words_of_programs,
    "one in the plural": ones_in_plural,
    "said twice": said_twice,
    "unit missing": units_missing,
}


def _rows(table: Element) -> list[list[Element]]:
    """The cells of each row of the body."""
    return [
        row.children("td", "th")
        for body in table.children("tbody")
        for row in body.children("tr")
        if row.children("td", "th")
    ]


def _over_columns(row: Sequence[Element]) -> list[Element | None]:
    """The cell of a row in each column; None in those that one cell spans."""
    spread: list[Element | None] = []
    for cell in row:
        width = int(cell.attributes.get("colspan") or 1)
        spread += [cell] if width == 1 else [None] * width
    return spread


def _head(table: Element) -> list[Element]:
    """The heads of the columns; none where some span several columns."""
    rows = [row.children("td", "th") for head in table.children("thead") for row in head.children("tr")]
    if not rows or any("colspan" in cell.attributes for row in rows for cell in row):
        return []
    return max(rows, key=len)


def _is_unknown(cell: Element) -> bool:
    values = cell.all("li") or [cell]
    return all(UNKNOWN.match(value.text()) for value in values)


def _name(table: Element) -> str:
    caption = next(iter(table.children("caption")), None)
    said = (
        " ".join("".join(part for part in caption.parts if isinstance(part, str)).split()) if caption else ""
    )
    if not said and table.parent:
        said = table.parent.attributes.get("aria-label", "")
    return f"the table “{said[:60]}”"


def _figure(cell: Element) -> str:
    """The first words of a cell, without what stands below them."""
    parts = [
        part if isinstance(part, str) else part.text()
        for part in cell.parts
        if isinstance(part, str) or not (part.is_unseen or part.tag == "small")
    ]
    return " ".join(" ".join(parts).split())


def _own(element: Element) -> str:
    return " ".join(" ".join(part for part in element.parts if isinstance(part, str)).split())


def _inside(element: Element, tags: Sequence[str] | frozenset[str]) -> bool:
    return element.within(lambda around: around.tag in tags) is not None


def _is_test(element: Element) -> bool:
    """Whether it is the name of a test behind the mark of its status, and nothing else."""
    marks = [one for one in element.elements() if "mark" in one.classes]
    return bool(marks) and " " not in element.text().removeprefix(marks[0].text()).strip()


def _is_in(element: Element, other: Element) -> bool:
    return element.within(lambda around: around is other) is not None


def _is_written(element: Element) -> bool:
    """Whether it is part of a document, or of source code, not of the results of the site."""
    return element.is_of(WRITTEN)


def _before(element: Element) -> str:
    """What stands before an element, to find it."""
    around = element.parent
    return around.text()[:60] if around else ""
