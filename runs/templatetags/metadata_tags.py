"""What the head and the foot of every page say of the page and of the site."""

from __future__ import annotations

import html
from typing import Any

from django import template
from django.conf import settings
from django.template import Context, Node, NodeList
from django.template.base import Parser, Token

from runs.models import Run
from runs.views.site_pages import page_metadata
from runs.views.site_pages.citations import citation_of_run

register = template.Library()


class KeptText(Node):
    """Keeps the text of what stands between the tags under a name, to be shown more than once."""

    def __init__(self, nodelist: NodeList, name: str) -> None:
        self.nodelist = nodelist
        self._name = name

    def render(self, context: Context) -> str:
        """Nothing: the text is in the context from now on, as text and on one line."""
        context[self._name] = " ".join(html.unescape(self.nodelist.render(context)).split())
        return ""


@register.tag
def keep(parser: Parser, token: Token) -> KeptText:
    """`{% keep name %}…{% endkeep %}`: blocks may stand between them, once, where HTML wants their text twice."""
    _, name = token.split_contents()
    nodelist = parser.parse(("endkeep",))
    parser.delete_first_token()
    return KeptText(nodelist, name)


@register.simple_tag(takes_context=True)
def description(context: Context) -> str:
    """One or two sentences on the page."""
    request = context.get("request")
    return page_metadata.description(request, _values(context)) if request else page_metadata.DEFAULT


@register.inclusion_tag("runs/_metadata.html", takes_context=True)
def metadata(context: Context) -> dict[str, str]:
    """The address of the page and its card, for the head; nothing where there is no page."""
    request = context.get("request")
    address = page_metadata.canonical_address(request) if request else ""
    if request is None or not address:
        return {}
    return {
        "address": address,
        "title": context["page_title"],
        "description": context["page_description"],
        "card": page_metadata.card_address(request, _values(context)),
    }


@register.simple_tag(takes_context=True)
def run_citation(context: Context, run: Run) -> str:
    """The BibTeX entry of a run; '' while it goes on, and for one that is no result of an agent."""
    if run.state != Run.State.FINISHED or run.evaluation.is_fault_catalogue:
        return ""
    return citation_of_run(context["request"], run)


def _values(context: Context) -> dict[str, Any]:
    """What the page has, by name."""
    return {str(name): value for name, value in context.flatten().items()}


@register.simple_tag
def site_links() -> dict[str, str]:
    """Where the source of the site is, and whom readers may ask; '' where the operator does not say."""
    return {"source": settings.SOURCE_URL, "contact": settings.CONTACT}
