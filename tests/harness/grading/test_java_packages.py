"""The package that a Java file declares, however it is written."""

from __future__ import annotations

import pytest

from harness.grading.java_packages import declared_package


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("package org.example;\n\nclass A {\n}\n", "org.example"),
        ("// package not.this;\n/* nor.this */ package  org /* or this */ . example ;", "org.example"),
        ("@Deprecated\npackage org.example;", "org.example"),
        ("package \\u006frg.\\uu0065xample;", "org.example"),
        ("\\u0070ackage one;", "one"),
        ("package org.example;\nclass A { this is no Java", "org.example"),
        ("class A {\n    // package org.example;\n}\n", ""),
        ('class A {\n    String a = "package org.example;";\n}\n', ""),
        ("import org.example.A;\n\nclass B {\n}\n", ""),
        ("package \\ud800;", ""),
        ("", ""),
    ],
)
def test_a_file_declares_its_package_in_any_spelling(source: str, package: str) -> None:
    assert declared_package(source.encode()) == package


def test_bytes_that_are_no_text_declare_nothing() -> None:
    assert not declared_package(b"\xca\xfe\xba\xbe package \xff")
