"""One spelling for each programming language, because results are grouped by language."""

from __future__ import annotations

_SPELLED = {
    "c++": "C++", "cpp": "C++", "cxx": "C++", "c#": "C#", "csharp": "C#", "javascript": "JavaScript",
    "js": "JavaScript", "typescript": "TypeScript", "ts": "TypeScript", "php": "PHP", "html": "HTML", "css": "CSS",
    "sql": "SQL",
    "golang": "Go", "objective-c": "Objective-C", "ocaml": "OCaml", "f#": "F#", "py": "Python", "shell": "Shell",
    "bash": "Shell", "r": "R", "d": "D", "vb.net": "VB.NET", "matlab": "MATLAB", "coffeescript": "CoffeeScript",
}  # fmt: skip


def spelled(language: str) -> str:
    """The usual spelling of a language: "js" is JavaScript. An unknown name in lower case is capitalized."""
    name = " ".join(language.split())
    known = _SPELLED.get(name.lower())
    return known or (name.capitalize() if name.islower() else name)
