"""Markdown of the project's files becomes HTML in which nothing of the file is markup by itself."""

from __future__ import annotations

import pytest

from runs.presentation.documents.markdown_page import DocumentPicture, Links, MarkdownPage, anchor_of, page_of

LINKS = Links(
    page={"other.md": "/docs/other/"}.get,
    picture=lambda path: DocumentPicture("/static/tour/a.1.png", 640, 480) if path == "tour/a.png" else None,
)


def page(source: str) -> MarkdownPage:
    return page_of(source, LINKS)


def test_the_title_stands_above_the_body_and_headings_have_anchors_as_on_github() -> None:
    found = page("# The title\n\nFirst.\n\n## What's new, in `1.0`?\n\nOne.\n\n### Deep\n\n## Deep\n")

    assert found.title == "The title"
    assert "<h1" not in found.html
    assert '<h2 id="whats-new-in-10">' in found.html
    assert [section.anchor for section in found.sections] == [
        "the-title",
        "whats-new-in-10",
        "deep",
        "deep-1",
    ]
    assert [section.title for section in found.contents] == ["What's new, in 1.0?", "Deep"]
    assert found.summary == "First."


def test_sections_have_the_text_of_paragraphs_tables_and_code() -> None:
    found = page("# T\n\na *b*\n`c`\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n    run it\n")

    assert found.summary == "a b c x y 1 2 run it"


def test_links_lead_to_pages_of_the_site_and_to_other_sites_and_else_remain_text() -> None:
    html = page(
        "[one](other.md#part), [two](https://example.org/?a=1&b=2), [three](../secret.txt), [four](#here)"
    ).html

    assert '<a href="/docs/other/#part">one</a>' in html
    assert '<a href="https://example.org/?a=1&amp;b=2" rel="noopener">two</a>' in html
    assert "three" in html
    assert "secret" not in html
    assert '<a href="#here">four</a>' in html


def test_pictures_have_their_size_and_unknown_ones_are_left_out() -> None:
    html = page('![A "board"](tour/a.png) ![Gone](tour/b.png)').html

    assert (
        '<img src="/static/tour/a.1.png" alt="A &quot;board&quot;" width="640" height="480" loading="lazy"'
        in html
    )
    assert html.count("<img") == 1


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](javascript:alert(1))",
        "# <img src=x onerror=alert(1)>",
        '[x](https://example.org/"onclick="alert(1))',
        "```html\n</code></pre><script>alert(1)</script>\n```",
        "| <b onclick=alert(1)> |\n| --- |\n| <script> |",
    ],
)
def test_nothing_in_the_file_becomes_markup(hostile: str) -> None:
    html = page(hostile).html

    for markup in ("<script", "<img", "<b ", '="javascript:', '"onclick'):
        assert markup not in html


def test_wide_parts_scroll_and_are_reached_by_keyboard() -> None:
    html = page("```sh\nls | wc\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n").html

    assert '<pre class="code" tabindex="0"><code>ls | wc\n</code></pre>' in html
    assert '<div class="scroll fit" tabindex="0" role="region" aria-label="Table"><table>' in html
    assert '<th scope="col">a</th>' in html


def test_anchors_are_in_lower_case_without_punctuation() -> None:
    assert anchor_of("Whose failure is it? (2)") == "whose-failure-is-it-2"


def test_a_page_is_cut_at_its_headings_and_each_part_at_its_first_code() -> None:
    found = page(
        "# T\n\nFirst.\n\n## One\n\nWords.\n\n```\nrun\n```\n\nMore.\n\n### Deep\n\n## Two\n\nNo code.\n"
    )

    one, two = found.parts
    assert (one.title, one.anchor) == ("One", "one")
    assert one.beginning.startswith("<p>Words.</p>")
    assert one.beginning.endswith("<code>run\n</code></pre>\n")
    assert one.rest.startswith("<p>More.</p>")
    assert '<h3 id="deep">' in one.rest
    assert (two.beginning, two.rest) == ("", "<p>No code.</p>\n")
