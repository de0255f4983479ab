"""Loads templates without the indentation of their lines, which no browser shows."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader

# Text in <pre> keeps its spaces. Line breaks stay, so errors name the right line.
_PRE_OR_INDENT = re.compile(r"(?P<pre><pre\b.*?</pre>)|(?<=\n)[ \t]+", re.DOTALL)


class UnindentedLoader(Loader):
    """The templates of this project. A page with large tables is a fifth smaller without its indentation."""

    def get_contents(self, origin: Origin) -> str:
        """The source of a template, its lines without leading spaces."""
        return _PRE_OR_INDENT.sub(lambda found: found["pre"] or "", super().get_contents(origin))
