"""What a Jupyter notebook of format 4 has to look like, after the JSON schemas of nbformat 4.0 to 4.5.

Newer minors are held to the rules of 4.5 and may have fields of their own, which is how nbformat reads them, too.
"""

from __future__ import annotations

import re
from typing import Any

CELL_TYPES = ("code", "markdown", "raw")
_NEWEST = 5
_CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CELL_FIELDS = {
    "code": ("metadata", "source", "outputs", "execution_count"),
    "markdown": ("metadata", "source"),
    "raw": ("metadata", "source"),
}
_OUTPUT_FIELDS = {
    "execute_result": ("data", "metadata", "execution_count"),
    "display_data": ("data", "metadata"),
    "stream": ("name", "text"),
    "error": ("ename", "evalue", "traceback"),
}


def problem(notebook: Any) -> str:
    """What keeps this from being a valid notebook, the first thing, with its place; '' when nothing does."""
    try:
        _check(notebook)
    except _Wrong as wrong:
        return str(wrong)
    return ""


class _Wrong(Exception):
    pass


def _check(notebook: Any) -> None:
    _require(isinstance(notebook, dict), "the file", "must hold a JSON object")
    _require(notebook.get("nbformat") == 4, "nbformat", f"must be 4, not {notebook.get('nbformat')!r}")
    minor = notebook.get("nbformat_minor")
    _require(_is_whole(minor), "nbformat_minor", f"must be a whole number from 0 on, not {minor!r}")
    strict = minor <= _NEWEST
    _fields("the notebook", notebook, ("nbformat", "nbformat_minor", "metadata", "cells"), (), strict)
    _check_notebook_metadata(notebook["metadata"], minor)
    _require(isinstance(notebook["cells"], list), "cells", "must be a list")
    ids = set()
    for place, cell in enumerate(notebook["cells"]):
        where = f"cell {place}"
        _check_cell(where, cell, minor, strict)
        if minor >= 5:
            _require(cell["id"] not in ids, f"{where}: id", f"{cell['id']!r} is another cell's, too")
            ids.add(cell["id"])


def _check_notebook_metadata(metadata: Any, minor: int) -> None:
    _require(isinstance(metadata, dict), "metadata", "must be an object")
    for name, needed in (("kernelspec", ("name", "display_name")), ("language_info", ("name",))):
        if name in metadata:
            where = f"metadata.{name}"
            _require(isinstance(metadata[name], dict), where, "must be an object")
            for field in needed:
                _require(field in metadata[name], where, f"lacks {field}")
                _require(isinstance(metadata[name][field], str), f"{where}.{field}", "must be a string")
    info = metadata.get("language_info", {})
    for field in ("file_extension", "mimetype", "pygments_lexer"):
        _require(isinstance(info.get(field, ""), str), f"metadata.language_info.{field}", "must be a string")
    mode = info.get("codemirror_mode", "")
    _require(
        isinstance(mode, (str, dict)), "metadata.language_info.codemirror_mode", "must be a string or object"
    )
    level = metadata.get("orig_nbformat", 1)
    _require(_is_whole(level) and level >= 1, "metadata.orig_nbformat", "must be a whole number from 1 on")
    if minor >= 2:
        _require(isinstance(metadata.get("title", ""), str), "metadata.title", "must be a string")
        _require(isinstance(metadata.get("authors", []), list), "metadata.authors", "must be a list")


def _check_cell(where: str, cell: Any, minor: int, strict: bool) -> None:
    _require(isinstance(cell, dict), where, "must be an object")
    kind = cell.get("cell_type")
    if not strict and isinstance(kind, str) and kind not in CELL_TYPES:
        _fields(where, cell, ("metadata", "id"), (), strict)
        _check_cell_metadata(f"{where}: metadata", cell["metadata"], kind, minor)
        return
    _require(
        isinstance(kind, str) and kind in CELL_TYPES,
        f"{where}: cell_type",
        f"must be one of {', '.join(CELL_TYPES)}, not {kind!r}",
    )
    needed = ("cell_type", *_CELL_FIELDS[kind], *(("id",) if minor >= 5 else ()))
    attachable = kind != "code"
    _fields(where, cell, needed, ("attachments",) if attachable else (), strict)
    if minor >= 5:
        name = cell["id"]
        _require(
            isinstance(name, str) and _CELL_ID.fullmatch(name) is not None,
            f"{where}: id",
            f"must be 1 to 64 letters, digits, '-' or '_', not {name!r}",
        )
    _check_text(f"{where}: source", cell["source"])
    _check_cell_metadata(f"{where}: metadata", cell["metadata"], kind, minor)
    if attachable and "attachments" in cell:
        _check_bundles(f"{where}: attachments", cell["attachments"], strict)
    if kind == "code":
        _check_execution_count(where, cell["execution_count"])
        _require(isinstance(cell["outputs"], list), f"{where}: outputs", "must be a list")
        for place, output in enumerate(cell["outputs"]):
            _check_output(f"{where}: output {place}", output, strict)


def _check_cell_metadata(where: str, metadata: Any, kind: str, minor: int) -> None:
    _require(isinstance(metadata, dict), where, "must be an object")
    name = metadata.get("name", "x")
    _require(
        isinstance(name, str) and re.match(r".+\Z", name) is not None,
        f"{where}.name",
        "must be a line of text",
    )
    tags = metadata.get("tags", [])
    _require(
        isinstance(tags, list)
        and all(isinstance(tag, str) and tag and "," not in tag for tag in tags)
        and len(set(tags)) == len(tags),
        f"{where}.tags",
        "must be a list of different strings without commas",
    )
    if minor >= 3 and kind in CELL_TYPES:
        _require(isinstance(metadata.get("jupyter", {}), dict), f"{where}.jupyter", "must be an object")
    if kind == "code":
        _require(
            isinstance(metadata.get("collapsed", True), bool), f"{where}.collapsed", "must be true or false"
        )
        scrolled = metadata.get("scrolled", True)
        _require(
            isinstance(scrolled, bool) or scrolled == "auto",
            f"{where}.scrolled",
            "must be true, false or auto",
        )
        times = metadata.get("execution", {}) if minor >= 4 else {}
        _require(
            isinstance(times, dict) and all(isinstance(value, str) for value in times.values()),
            f"{where}.execution",
            "must be an object of strings",
        )
    if kind == "raw":
        _require(isinstance(metadata.get("format", ""), str), f"{where}.format", "must be a string")


def _check_output(where: str, output: Any, strict: bool) -> None:
    _require(isinstance(output, dict), where, "must be an object")
    kind = output.get("output_type")
    if not strict and isinstance(kind, str) and kind not in _OUTPUT_FIELDS:
        return
    _require(
        isinstance(kind, str) and kind in _OUTPUT_FIELDS,
        f"{where}: output_type",
        f"must be one of {', '.join(_OUTPUT_FIELDS)}, not {kind!r}",
    )
    _fields(where, output, ("output_type", *_OUTPUT_FIELDS[kind]), (), strict)
    if kind == "execute_result":
        _check_execution_count(where, output["execution_count"])
    if kind in ("execute_result", "display_data"):
        _check_bundle(f"{where}: data", output["data"], strict)
        _require(isinstance(output["metadata"], dict), f"{where}: metadata", "must be an object")
    elif kind == "stream":
        _require(isinstance(output["name"], str), f"{where}: name", "must be a string")
        _check_text(f"{where}: text", output["text"])
    else:
        _require(isinstance(output["ename"], str), f"{where}: ename", "must be a string")
        _require(isinstance(output["evalue"], str), f"{where}: evalue", "must be a string")
        lines = output["traceback"]
        _require(
            isinstance(lines, list) and all(isinstance(line, str) for line in lines),
            f"{where}: traceback",
            "must be a list of strings",
        )


def _check_bundles(where: str, bundles: Any, strict: bool) -> None:
    _require(isinstance(bundles, dict), where, "must be an object")
    for name, bundle in bundles.items():
        _check_bundle(f"{where}.{name}", bundle, strict)


def _check_bundle(where: str, bundle: Any, strict: bool) -> None:
    """Contents by MIME type: text, or anything where the type is JSON."""
    _require(isinstance(bundle, dict), where, "must be an object")
    for name, content in bundle.items():
        if strict and not re.match(r"application/(.*\+)?json\Z", name):
            _check_text(f"{where}.{name}", content)


def _check_text(where: str, text: Any) -> None:
    _require(
        isinstance(text, str) or (isinstance(text, list) and all(isinstance(line, str) for line in text)),
        where,
        "must be a string or a list of strings",
    )


def _check_execution_count(where: str, value: Any) -> None:
    _require(
        value is None or _is_whole(value),
        f"{where}: execution_count",
        "must be null or a whole number from 0 on",
    )


def _fields(
    where: str, value: dict[str, Any], needed: tuple[str, ...], may: tuple[str, ...], strict: bool
) -> None:
    missing = [name for name in needed if name not in value]
    _require(not missing, where, f"lacks {', '.join(missing)}")
    unknown = sorted(set(value) - set(needed) - set(may)) if strict else []
    _require(not unknown, where, f"has {', '.join(unknown)}, which its format does not know")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _require(holds: bool, where: str, reason: str) -> None:
    if not holds:
        raise _Wrong(f"{where} {reason}")
