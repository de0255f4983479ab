"""The methods page and the text of `manage.py methods`, from the docstrings of the code that computes each number."""

from __future__ import annotations

import inspect
import re
from functools import cache

from django.urls import reverse
from django.utils.text import slugify

from harness.functions import code_similarity
from harness.grading import similarity
from runs.analysis import facts
from runs.analysis.catalogue import CATALOGUE, MethodGroup
from runs.analysis.cost import spending
from runs.analysis.method import LABELS, Method
from runs.analysis.trajectories import alignment
from runs.presentation.charts import cost_scatter as agent_charts

GROUPS = (
    *CATALOGUE,
    MethodGroup(
        "Runs and charts",
        (
            Method(
                "run-record",
                "What a run's record says",
                facts.RunFacts,
                short="What the record of the run says, as it was written, without any correction.",
                example="34 steps, 120,000 tokens, $0.42, ended by itself.",
            ),
            Method(
                "patch-similarity",
                "How alike two patches are",
                similarity.Similarity,
                short="Jaccard index: the share of changed lines that both patches have, of those that either has.",
                example="6 common lines of 10 different ones: 60 %. Other patches may be as right.",
            ),
            Method(
                "recall",
                "How much of a function a model recalls",
                code_similarity.code_similarity,
                short="How much of a function a model writes from memory, without seeing the repository.",
                example="1 is the same code; 0.8 is close, and may still be a guess from the docstring.",
            ),
            spending.METHOD,
            alignment.METHOD,
            agent_charts.METHOD,
        ),
    ),
)

# In Markdown, a sentence that is wrapped before a number or a dash would begin a list.
_ITEM = re.compile(r"\n(\d+[.)]|[-+*]) ")

# Docstrings tell callers which errors they raise, and call what is not there `None`; readers of a number meet neither.
_ERROR = re.compile(r"(?P<end>^|\S)\s*\b[A-Z][A-Za-z]*Error\b(?:[^.]|\.(?=\S))*\.")
_WITHOUT = re.compile(r"`(\w+)` None:")
_NONE = re.compile(r"(?P<before>Small n: |\b(?:is|are)\s+|(?:^|\.\s+)?)\bNone\b")

HEAD = """# How every number is computed

Printed by `python manage.py methods` from the docstrings of the code: edit the docstrings. The site shows the same text
under `/methods/`, and its numbers link there.
"""


@cache
def methods() -> dict[str, Method]:
    """The method of each number, by its anchor."""
    return {method.anchor: method for group in GROUPS for method in group.methods}


@cache
def titles() -> dict[str, str]:
    """The title of each number, by its anchor."""
    return {anchor: method.title for anchor, method in methods().items()}


@cache
def groups_by_slug() -> dict[str, MethodGroup]:
    """Each group of numbers by its name in addresses."""
    return {slugify(group.title): group for group in GROUPS}


@cache
def method_path(anchor: str) -> str:
    """The address of a method on the page of its group. KeyError for an unknown anchor."""
    slugs = {method.anchor: slug for slug, group in groups_by_slug().items() for method in group.methods}
    return f"{reverse('method_group', args=[slugs[anchor]])}#{anchor}"


def where(method: Method) -> str:
    """The dotted name of the code."""
    return f"{method.described.__module__}.{method.described.__qualname__}"


def text(method: Method) -> str:
    """The docstring of the code for readers, in Markdown, each label in bold."""
    paragraphs = map(_for_readers, (inspect.getdoc(method.described) or "").split("\n\n"))
    return "\n\n".join(_marked(_ITEM.sub(r" \1\n", paragraph)) for paragraph in paragraphs if paragraph)


def markdown() -> str:
    """The text of `manage.py methods`."""
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


def _for_readers(paragraph: str) -> str:
    """A paragraph without errors for callers, and with words in place of `None`; '' if it is about errors alone."""
    said = _ERROR.sub(lambda error: "." if error["end"] and error["end"] != "." else error["end"], paragraph)
    return _NONE.sub(_in_words, _WITHOUT.sub(r"Without `\1`:", said)).strip()


def _in_words(found: re.Match[str]) -> str:
    before = found["before"]
    if before.strip(". \n"):
        return f"{before}unknown"
    return f"{before}{'No value' if found.start() == 0 or before else 'no value'}"


def _marked(paragraph: str) -> str:
    label = next((label for label in LABELS if paragraph.startswith(label)), None)
    return paragraph if label is None else f"**{label}**{paragraph.removeprefix(label)}"
