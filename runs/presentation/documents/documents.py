"""The documents of the project: which there are, for whom, their pages, and a search in their text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from PIL import Image

from runs.presentation.documents.markdown_page import (
    DocumentPicture,
    DocumentSection,
    Links,
    MarkdownPage,
    page_of,
)

MAX_FOUND = 40
EXCERPT = 180  # characters around a match
PICTURES = "docs/tour"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the project. `path`: from its root; `about`: what a reader finds there, in a few words.

    `own_page`: the name of the page that shows it; '' for the page of every document.
    """

    slug: str
    path: str
    about: str
    own_page: str = ""

    @property
    def address(self) -> str:
        """Its page."""
        return reverse(self.own_page) if self.own_page else reverse("document", args=[self.slug])

    @property
    def title(self) -> str:
        """The heading of its page: its first line."""
        return _first_line(self.path)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents for one purpose."""

    title: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section with all words of a search. `excerpt`: the text around the first of them."""

    document: Document
    section: DocumentSection
    excerpt: str

    @property
    def address(self) -> str:
        """The section on its page."""
        anchor = "" if self.section.level == 1 else f"#{self.section.anchor}"
        return f"{self.document.address}{anchor}"


def _doc(slug: str, about: str) -> Document:
    return Document(slug, f"docs/{slug}.md", about)


SHELVES = (
    Shelf(
        "For readers",
        (
            Document("readme", "README.md", "what BenchBench is, and how to start it"),
            _doc("tour", "the pages, in ten pictures"),
            _doc("methods", "where the definition of each number is"),
            _doc("threat-model", "who may want to change a verdict, and what stops them"),
            _doc("exploits", "runs that went around the task, and how well they are found"),
            _doc("judges", "models that review runs, and how their answers are checked"),
        ),
    ),
    Shelf(
        "For researchers",
        (
            _doc("api", "all data, for programs: API, exports, feed"),
            _doc("searching", "search the texts of all runs, and count matches by agent"),
            _doc("mcp", "ask an assistant about boards and runs"),
            _doc("citing", "cite a board, a source or the program"),
            _doc("datasets", "bring your own dataset, in our layout or IDE-Bench's"),
            _doc("generated-tasks", "tasks from functions that were removed or corrupted"),
            _doc("merged-changes", "tasks from merged changes"),
            _doc("code-maps", "the functions of a repository, their size, and who calls whom"),
            _doc("reports", "the formats of test results that are read"),
            _doc("fault-catalogue", "the faults by which judges are measured"),
        ),
    ),
    Shelf(
        "For those who take part",
        (
            Document(
                "taking-part", "docs/taking-part.md", "three ways to take part, with commands", "evaluate"
            ),
            _doc("harness", "the harness as a library, and how to add an agent or a tool"),
            _doc("tools", "the tools that agents have"),
            _doc("submissions", "send runs and trajectories to a site"),
            _doc("trajectories", "import trajectories of other tools"),
            _doc("reported-results", "import results that others reported"),
            _doc("playing", "work on a task yourself, in the browser"),
        ),
    ),
    Shelf(
        "For operators",
        (
            _doc("operations", "settings, processes, failures, other agents"),
            _doc("accounts", "roles, signing in, the audit log"),
            _doc("architecture", "how it is built, and where to change what"),
            Document("contributing", "CONTRIBUTING.md", "how to change the project"),
            Document("changelog", "CHANGELOG.md", "what changed in each version"),
            Document("licence", "LICENSE", "the terms of use of the code"),
        ),
    ),
)

DOCUMENTS = {document.slug: document for shelf in SHELVES for document in shelf.documents}
_BY_PATH = {document.path: document for document in DOCUMENTS.values()}


@cache
def page(slug: str) -> MarkdownPage:
    """The page of a document, rendered once by each process. KeyError for an unknown one; OSError without its file."""
    document = DOCUMENTS[slug]
    source = _file(document.path).read_text(encoding="utf-8")
    if not document.path.endswith(".md"):
        source = _as_markdown(source)
    folder = PurePosixPath(document.path).parent
    return page_of(source, Links(_page_link(folder), _picture_link(folder)))


@cache
def digest() -> str:
    """Changes with the text of any document: 16 hexadecimal digits, of the files as this process found them."""
    total = hashlib.sha256()
    for document in DOCUMENTS.values():
        total.update(_file(document.path).read_bytes())
    return total.hexdigest()[:16]


def find(text: str) -> list[FoundSection]:
    """The sections with all words of `text`, ignoring case: first those that have them in their heading.

    Then those that have them in this order, one after the other. At most MAX_FOUND; an empty text finds nothing.
    """
    words = text.casefold().split()
    phrase = " ".join(words)
    found = [
        (_distance(section, words, phrase), each, section)
        for each, section in _all_sections()
        if words and all(word in f"{section.title} {section.text}".casefold() for word in words)
    ]
    found.sort(key=lambda one: one[0])
    return [
        FoundSection(each, section, _excerpt(section.text, [phrase, *words]))
        for _, each, section in found[:MAX_FOUND]
    ]


def find_headings(words: Sequence[str]) -> list[FoundSection]:
    """The sections whose heading, with the title of their page, has all of these words, ignoring case."""
    return [
        FoundSection(each, section, "")
        for each, section in _all_sections()
        if all(word.casefold() in f"{each.title} {section.title}".casefold() for word in words)
    ]


def _all_sections() -> Iterator[tuple[Document, DocumentSection]]:
    """Of every document but the changelog, whose sections are about earlier days, and the licence."""
    for each in DOCUMENTS.values():
        if each.slug not in ("changelog", "licence"):
            yield from ((each, section) for section in page(each.slug).sections)


def _distance(section: DocumentSection, words: Sequence[str], phrase: str) -> int:
    """0 for a section with all words in its heading, 1 with the phrase in its text, else 2."""
    if all(word in section.title.casefold() for word in words):
        return 0
    return 1 if phrase in section.text.casefold() else 2


def _excerpt(text: str, wanted: Sequence[str]) -> str:
    """The text around the first of these that it has; its beginning if it has none."""
    lowered = text.casefold()
    place = next((place for each in wanted if (place := lowered.find(each)) >= 0), 0)
    start = max(0, place - EXCERPT // 3)
    if start:
        start = text.find(" ", start) + 1
    end = len(text) if len(text) <= start + EXCERPT else text.rfind(" ", start, start + EXCERPT)
    end = end if end > start else start + EXCERPT
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def _file(path: str) -> Path:
    return Path(settings.BASE_DIR) / path


@cache
def _first_line(path: str) -> str:
    with _file(path).open(encoding="utf-8") as file:
        return file.readline().strip("# \n")


def _as_markdown(text: str) -> str:
    """A text without marks: its first line is the title."""
    title, _, rest = text.partition("\n")
    return f"# {title.strip()}\n\n{rest}"


def _joined(folder: PurePosixPath, href: str) -> str:
    """A relative link as a path from the root of the project; '' if it leaves the project."""
    parts: list[str] = []
    for part in (folder / unquote(href)).parts:
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _page_link(folder: PurePosixPath) -> Callable[[str], str | None]:
    """Links to documents lead to their pages. The site has no page of other files: there the name remains."""

    def link(href: str) -> str | None:
        document = _BY_PATH.get(_joined(folder, href))
        return document.address if document else None

    return link


def _picture_link(folder: PurePosixPath) -> Callable[[str], DocumentPicture | None]:
    """Pictures of the tour are static files of the site; there are no others."""

    def link(href: str) -> DocumentPicture | None:
        path = PurePosixPath(_joined(folder, href))
        if str(path.parent) != PICTURES or not _file(str(path)).is_file():
            return None
        with Image.open(_file(str(path))) as picture:
            width, height = picture.size
        return DocumentPicture(staticfiles_storage.url(f"tour/{path.name}"), width, height)

    return link
