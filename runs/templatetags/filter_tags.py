"""The controls of the forms that filter a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template

from runs.formatting.html import Markup, joined
from runs.formatting.text import tidy

register = template.Library()

_OPTION, _CHOSEN = '<option value="{}">{}</option>', '<option value="{}" selected>{}</option>'

Options = Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str]


@register.inclusion_tag("runs/_select.html")
def select(  # noqa: PLR0917 - what a list consists of; only the first four by place
    label: str, name: str, options: Options, chosen: str, every: str = "all", default: str = ""
) -> dict[str, object]:
    """A labelled list of options. An option is a value, or a value with its text.

    `every`: the text of the first option, which selects nothing. `default`: the value that an address leaves out; such
    a list has no first option. Options are written in Python: a template makes the leaderboard 10 % slower.
    """
    pairs = options.items() if isinstance(options, Mapping) else options
    texts = ((one, one) if isinstance(one, str) else one for one in pairs)
    return {
        "label": label,
        "name": name,
        "options": joined(
            (Markup(_CHOSEN if value == chosen else _OPTION, (value, tidy(text))) for value, text in texts),
            "\n",
        ),
        "every": every,
        "default": default,
    }
