"""How every number of the site is made, in the words beside the code: for a page, and for docs/methods.md."""

from __future__ import annotations

import inspect
import re
from functools import cache

from harness.grading import similarity
from runs.analysis import facts
from runs.analysis.catalogue import CATALOGUE, MethodGroup
from runs.analysis.cost import spending
from runs.analysis.method import LABELS, Method
from runs.analysis.trajectories import alignment
from runs.charts import cost_scatter as agent_charts

GROUPS = (
    *CATALOGUE,
    MethodGroup(
        "Runs and charts",
        (
            Method("run-record", "What a run's record says", facts.RunFacts),
            Method("patch-similarity", "How alike two patches are", similarity.Similarity),
            spending.METHOD,
            alignment.METHOD,
            agent_charts.METHOD,
        ),
    ),
)

# A line that begins with the number or the dash of the sentence before it would begin a list.
_ITEM = re.compile(r"\n(\d+[.)]|[-+*]) ")

HEAD = """# How every number is made

Written by `python manage.py methods > docs/methods.md` from the docstrings beside the code; change those. The site
shows the same under `/methods/`, where each number links to.
"""


@cache
def titles() -> dict[str, str]:
    """The title of each number, by its anchor."""
    return {method.anchor: method.title for group in GROUPS for method in group.methods}


def where(method: Method) -> str:
    """The place of the code, as Python names it."""
    return f"{method.described.__module__}.{method.described.__qualname__}"


def text(method: Method) -> str:
    """What its docstring promises, in Markdown, each label in bold."""
    paragraphs = (inspect.getdoc(method.described) or "").split("\n\n")
    return "\n\n".join(_marked(_ITEM.sub(r" \1\n", paragraph)) for paragraph in paragraphs)


def missing_labels(method: Method) -> list[str]:
    """Which labels no paragraph of its docstring begins with."""
    paragraphs = (inspect.getdoc(method.described) or "").split("\n\n")
    return [label for label in LABELS if not any(paragraph.startswith(label) for paragraph in paragraphs)]


def markdown() -> str:
    """The whole of docs/methods.md."""
    parts = [HEAD]
    for group in GROUPS:
        parts.append(
            f"- {group.title}: " + ", ".join(f"[{each.title}](#{each.anchor})" for each in group.methods)
        )
    for group in GROUPS:
        parts.append(f"\n## {group.title}\n")
        for method in group.methods:
            parts.append(
                f'<a id="{method.anchor}"></a>\n\n### {method.title}\n\n{text(method)}\n\n`{where(method)}`\n'
            )
    return "\n".join(parts)


def _marked(paragraph: str) -> str:
    label = next((label for label in LABELS if paragraph.startswith(label)), None)
    return paragraph if label is None else f"**{label}**{paragraph.removeprefix(label)}"
