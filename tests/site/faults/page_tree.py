"""A page as a tree of elements, and the text that a reader sees in each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
UNSEEN = frozenset(["script", "style", "template", "head", "noscript", "title"])
INLINE = frozenset(
    [
        "a",
        "b",
        "i",
        "em",
        "strong",
        "small",
        "span",
        "bdi",
        "code",
        "kbd",
        "abbr",
        "mark",
        "sup",
        "sub",
        "time",
        "label",
        "tspan",
    ]
)


@dataclass(slots=True, eq=False)
class Element:
    """One element. `parts`: its texts and elements, in their order."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    parts: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()

    @property
    def is_unseen(self) -> bool:
        """Whether it is never on the screen, or not before somebody asks for it."""
        hidden = "hidden" in self.attributes or "popover" in self.attributes
        second = self.attributes.get("data-drawing") == "narrow"  # the same chart, for phones
        return self.tag in UNSEEN or hidden or second or "sr" in self.classes

    def elements(self) -> Iterator[Element]:
        """All elements in it that can be seen, in their order."""
        for part in self.parts:
            if isinstance(part, Element) and not part.is_unseen:
                yield part
                yield from part.elements()

    def all(self, *tags: str) -> list[Element]:
        """The elements in it with one of these names."""
        return [element for element in self.elements() if element.tag in tags]

    def children(self, *tags: str) -> list[Element]:
        """Its own elements with one of these names."""
        return [part for part in self.parts if isinstance(part, Element) and part.tag in tags]

    def within(self, is_meant: Callable[[Element], bool]) -> Element | None:
        """The nearest element around it of this kind."""
        around = self.parent
        while around and not is_meant(around):
            around = around.parent
        return around

    def is_of(self, classes: frozenset[str]) -> bool:
        """Whether it, or an element around it, has one of these classes."""
        return bool(classes & set(self.classes)) or (self.parent is not None and self.parent.is_of(classes))

    def text(self) -> str:
        """What a reader sees of it, in one line."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            elif not part.is_unseen:
                space = "" if part.tag in INLINE else " "
                yield space
                yield from part._texts()
                yield space


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("page")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.parts.append(made)
        if tag not in VOID:
            self.here = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.parts.append(Element(tag, {name: value or "" for name, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        closed = self.here
        while closed.parent and closed.tag != tag:
            closed = closed.parent
        if closed.parent:
            self.here = closed.parent

    def handle_data(self, data: str) -> None:
        self.here.parts.append(data)


def page_tree(page: str) -> Element:
    """The main part of a page, or all of it where none is marked."""
    parser = _Parser()
    parser.feed(page)
    return next(iter(parser.root.all("main")), parser.root)
