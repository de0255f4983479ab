"""Programming languages, spelled in one way whoever wrote the dataset: results are grouped by them."""

from __future__ import annotations

_SPELLED = {
    "c++": "C++", "cpp": "C++", "cxx": "C++", "c#": "C#", "csharp": "C#", "javascript": "JavaScript",
    "js": "JavaScript", "typescript": "TypeScript", "ts": "TypeScript", "php": "PHP", "html": "HTML", "css": "CSS",
    "sql": "SQL",
    "golang": "Go", "objective-c": "Objective-C", "ocaml": "OCaml", "f#": "F#", "py": "Python", "shell": "Shell",
    "bash": "Shell", "r": "R", "d": "D", "vb.net": "VB.NET", "matlab": "MATLAB", "coffeescript": "CoffeeScript",
}  # fmt: skip


def spelled(language: str) -> str:
    """A language as its users spell it: "c" is C, "js" is JavaScript. A stranger in small letters gets a capital."""
    name = " ".join(language.split())
    known = _SPELLED.get(name.lower())
    return known or (name.capitalize() if name.islower() else name)
