"""The controls of the forms that filter a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template
from django.template import Context

from runs.models.agent import KIND_TEXTS

register = template.Library()

Options = Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str]


@register.inclusion_tag("runs/_select.html")
def select(  # noqa: PLR0917 - what a list consists of; only the first four by place
    label: str,
    name: str,
    options: Options,
    chosen: str,
    every: str = "all",
    default: str = "",
    reload: str = "",
) -> dict[str, object]:
    """A labelled list of options. An option is a value, or a value with its text.

    `every`: the text of the first option, which selects nothing. `default`: the value that an address leaves out; such
    a list has no first option. `reload`: the name of a filter whose choices depend on this one: a change opens a new
    page without it.
    """
    pairs = options.items() if isinstance(options, Mapping) else options
    return {
        "label": label,
        "name": name,
        "options": [(one, one) if isinstance(one, str) else one for one in pairs],
        "chosen": chosen,
        "every": every,
        "default": default,
        "reload": reload,
    }


@register.filter
def kind_options(kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Kinds of agents as options in plain words."""
    return [(kind, KIND_TEXTS.get(kind, kind)) for kind in kinds]


@register.inclusion_tag("runs/_hidden_fields.html", takes_context=True)
def hidden_fields(context: Context, *names: str) -> dict[str, object]:
    """Hidden fields for parameters of the address that no list or box of a form shows.

    They stand in the form even without a value: `filters.js` takes the value from the address, which a link may have
    changed since.
    """
    query = context["request"].GET
    return {"fields": [(name, query.get(name, "")) for name in names]}
