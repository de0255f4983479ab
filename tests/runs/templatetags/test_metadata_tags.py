"""What the head of a page says is made once and written where HTML wants it."""

from __future__ import annotations

from django.template import Context, Template
from django.test import RequestFactory, override_settings

KEEP = "{% load metadata_tags %}{% keep title %}{{ name }}\n &amp; more{% endkeep %}"


def test_kept_text_is_text_again_and_escaped_wherever_it_is_shown() -> None:
    page = Template(KEEP + '<title>{{ title }}</title><meta content="{{ title }}">')

    assert page.render(Context({"name": '"><script>'})) == (
        "<title>&quot;&gt;&lt;script&gt; &amp; more</title>"
        '<meta content="&quot;&gt;&lt;script&gt; &amp; more">'
    )


def test_a_page_without_a_request_or_an_address_has_no_metadata() -> None:
    page = Template("{% load metadata_tags %}{% description %}{% metadata %}")

    assert (
        page.render(Context({})).strip() == "Coding agents on real repositories: results that you can check."
    )
    request = RequestFactory().get("/nowhere/")
    request.resolver_match = None
    assert "canonical" not in page.render(Context({"request": request}))


def test_the_foot_has_only_what_the_operator_states() -> None:
    page = Template("{% load metadata_tags %}{% site_links as site %}{{ site.source }}|{{ site.contact }}")

    assert page.render(Context({})) == "|"
    with override_settings(SOURCE_URL="https://code.example/bench", CONTACT="mailto:team@bench.example"):
        assert page.render(Context({})) == "https://code.example/bench|mailto:team@bench.example"
