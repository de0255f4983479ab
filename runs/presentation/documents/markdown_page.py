"""Markdown of the project's own files as HTML. Raw HTML in it stays text, and links lead only where they may."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_CODE = '<pre class="code"'
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A heading and the text below it, up to the next heading. `level`: 1 for the title of the page."""

    level: int
    anchor: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """What stands below a heading of the second level: the beginning, up to the first block of code, and the rest."""

    anchor: str
    title: str
    beginning: SafeString
    rest: SafeString


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    """A page: its title, its body without that title, and its sections in order, that of the title first.

    `parts`: the body from the first heading of the second level on, cut at these headings.
    """

    title: str
    html: SafeString
    sections: tuple[DocumentSection, ...]
    parts: tuple[DocumentPart, ...] = ()

    @property
    def contents(self) -> tuple[DocumentSection, ...]:
        """The headings of the second level."""
        return tuple(section for section in self.sections if section.level == 2)

    @property
    def summary(self) -> str:
        """The text below the title."""
        return self.sections[0].text if self.sections else ""


@dataclass(frozen=True, slots=True)
class DocumentPicture:
    """Where a picture is, and its size in pixels, so that a page does not move when it arrives."""

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Links:
    """Where relative links and pictures of a page lead: the address, or None where the site has nothing there."""

    page: Callable[[str], str | None]
    picture: Callable[[str], DocumentPicture | None]


def page_of(source: str, links: Links) -> MarkdownPage:
    """The page of a Markdown text: CommonMark with tables. A link without a target becomes its text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(source)
    sections = _sections(tokens)
    title = next((section.title for section in sections if section.level == 1), "")
    if title and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]  # the page shows it above the body
    _shown(tokens, links)

    def html(some: Sequence[Token]) -> SafeString:
        written: str = reader.renderer.render(some, reader.options, {})
        return mark_safe(written)  # noqa: S308 - it escapes all text

    parts = tuple(
        DocumentPart(str(head[0].attrGet("id")), _text(head[1]), html(beginning), html(rest))
        for head, beginning, rest in _parts(tokens)
    )
    return MarkdownPage(title, html(tokens), sections, parts)


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token], Sequence[Token]]]:
    """The heading of each part, its beginning with the first block of code, and its rest."""
    starts = [
        place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]
    for start, end in pairwise([*starts, len(tokens)]):
        body = tokens[start + 3 : end]
        first = next((place for place, token in enumerate(body) if token.content.startswith(_CODE)), -1)
        yield tokens[start : start + 3], body[: first + 1], body[first + 1 :]


def anchor_of(title: str) -> str:
    """The anchor of a heading, as GitHub makes it: so links in the files work in both places."""
    return _NOT_IN_ANCHOR.sub("", title.strip().casefold()).replace(" ", "-")


def _sections(tokens: Sequence[Token]) -> tuple[DocumentSection, ...]:
    """Cuts the page at its headings, and gives each of these its anchor: a repeated one gets a number."""
    heads: list[tuple[int, str, str]] = []
    texts: list[list[str]] = []
    used: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _text(tokens[place + 1])
            anchor = anchor_of(title)
            repeats = used.get(anchor, 0)
            used[anchor] = repeats + 1
            if repeats:
                anchor = f"{anchor}-{repeats}"
            token.attrSet("id", anchor)
            heads.append((int(token.tag[1:]), anchor, title))
            texts.append([])
        elif texts and token.type in ("inline", "fence", "code_block") and not _is_title(tokens, place):
            texts[-1].append(_text(token))
    return tuple(
        DocumentSection(level, anchor, title, _SPACES.sub(" ", " ".join(text)).strip())
        for (level, anchor, title), text in zip(heads, texts, strict=True)
    )


def _is_title(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].type == "heading_open"


def _text(token: Token) -> str:
    """The words of a token, without marks."""
    if token.children is None:
        return token.content
    return "".join(" " if child.type.endswith("break") else child.content for child in token.children)


def _shown(tokens: Sequence[Token], links: Links) -> None:
    """Changes tokens to what this site shows: tables and code that scroll, and links and pictures with addresses."""
    for place, token in enumerate(tokens):
        if token.children:
            token.children = _inline(token.children, links)
        elif token.type == "table_open":
            _become(token, '<div class="scroll fit" tabindex="0" role="region" aria-label="Table"><table>\n')
        elif token.type == "table_close":
            _become(token, "</table></div>\n")
        elif token.type == "th_open":
            # The first column of a table whose rows have names has no name itself, and HTML wants no empty heading.
            named = bool(tokens[place + 1].content)
            _become(token, '<th scope="col">' if named else "<td>")
            _become(tokens[place + 2], "</th>" if named else "</td>")
        elif token.type in ("fence", "code_block"):
            _become(token, f'{_CODE} tabindex="0"><code>{escape(token.content)}</code></pre>\n')


def _become(token: Token, html: str) -> None:
    """Makes a token of this HTML."""
    token.type, token.content, token.children = "html_block", html, None


def _inline(tokens: Sequence[Token], links: Links) -> list[Token]:
    """The tokens of a line. Of links that lead nowhere here only the text remains, of pictures nothing."""
    kept: list[Token] = []
    leads: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href") or ""), links)
            leads.append(address is not None)
            if address is None:
                continue
            token.attrs = {"href": address, **({"rel": "noopener"} if "//" in address else {})}
        elif token.type == "link_close" and not leads.pop():
            continue
        elif token.type == "image":
            picture = links.picture(str(token.attrGet("src") or ""))
            if picture is None:
                continue
            _become(token, _picture(picture, token.content))
        kept.append(token)
    return kept


def _picture(picture: DocumentPicture, words: str) -> str:
    size = f'width="{picture.width}" height="{picture.height}"'
    source = f'src="{escape(picture.address)}" alt="{escape(words)}"'
    return f'<img {source} {size} loading="lazy" decoding="async">'


def _address(href: str, links: Links) -> str | None:
    """Other sites and places on the same page stay as they are."""
    if href.startswith(("https://", "http://", "#")):
        return href
    path, hash_sign, anchor = href.partition("#")
    page = links.page(path)
    return None if page is None else f"{page}{hash_sign}{anchor}"
