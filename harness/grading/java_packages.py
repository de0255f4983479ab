"""The package that a Java file declares. Compilers put its classes there, in whatever directory the file lies."""

from __future__ import annotations

import re

from tree_sitter import Parser

from harness.grading.traps.java_tests import LANGUAGE
from harness.grading.traps.source import text_of, walk

_CODE = re.compile(r"\\u+([0-9a-fA-F]{4})")


def declared_package(source: bytes) -> str:
    """`org.example` for `package org.example;`; '' without such a line.

    Letters may be written as their codes (`\\u0061`), and comments may stand anywhere.
    """
    text = _CODE.sub(lambda code: chr(int(code[1], 16)), source.decode("utf-8", "replace"))
    if "package" not in text:
        return ""
    root = Parser(LANGUAGE).parse(text.encode("utf-8", "replace")).root_node
    for node in root.named_children:
        if node.type == "package_declaration":
            return ".".join(
                text_of(part)
                for child in node.named_children
                if child.type.endswith("identifier")
                for part in walk(child)
                if part.type == "identifier"
            )
    return ""
