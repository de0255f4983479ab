"""The function that a person read last: where code is submitted as whole functions, it is what is to be changed."""

from __future__ import annotations

from dataclasses import dataclass

from runs.play.opened_file import OpenedFile, is_cut
from runs.play.played_record import PlayedRecord


@dataclass(frozen=True, slots=True)
class ReadFunction:
    """A function as a tool showed it in a step. `code`: its lines; '' if the result did not have all of them."""

    step: int
    path: str
    name: str
    occurrence: int
    code: str

    def value(self, argument: str) -> str:
        """What a form has for this argument of a tool that submits a function."""
        values = {
            "path": self.path,
            "name": self.name,
            "occurrence": str(self.occurrence or ""),
            "code": self.code,
        }
        return values.get(argument, "")


def last_read(record: PlayedRecord) -> ReadFunction | None:
    """The function that was read last; None if none was."""
    found: ReadFunction | None = None
    for step, call, result in record.made_calls():
        path, name, occurrence = (call.arguments.get(key) for key in ("path", "name", "occurrence"))
        if call.name == "read_function" and result.ok and isinstance(path, str) and isinstance(name, str):
            shown = OpenedFile(path)
            shown.read_function(name, result.content, step.step_id)
            code = "" if is_cut(result.content) else shown.text
            number = occurrence if isinstance(occurrence, int) else 0
            found = ReadFunction(step.step_id, path, name, number, code)
    return found
