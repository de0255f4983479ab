"""What can be altered in the body of a Python test."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence, Set

import tree_sitter_python
from tree_sitter import Language, Node, Query, QueryCursor

from harness.grading.traps.assertions import Body, both_ways, replaced
from harness.grading.traps.source import Alteration, Kind, Rank, Spot, field, text_of, walk

LANGUAGE = Language(tree_sitter_python.language())
_SITES = Query(LANGUAGE, "(assert_statement) @assert (call) @call")
# Arguments that do not say what is expected.
_NO_VALUES = {
    "abs", "atol", "delta", "encoding", "err_msg", "fold", "id", "ids", "key", "maxlen", "msg", "nan_ok", "places",
    "reason", "rel", "reverse", "rtol", "timeout", "verbose",
}  # fmt: skip
# What makes a value of its arguments, without any code under test: built in, or imported from these modules.
_BUILT_IN = frozenset({"dict", "frozenset", "list", "set", "sorted", "tuple"})
LIBRARY = {
    "collections": frozenset({"Counter", "OrderedDict", "deque"}),
    "datetime": frozenset({"date", "datetime", "time", "timedelta"}),
    "decimal": frozenset({"Decimal"}),
    "fractions": frozenset({"Fraction"}),
    "pathlib": frozenset({"Path", "PurePath", "PurePosixPath"}),
    "textwrap": frozenset({"dedent"}),
    "uuid": frozenset({"UUID"}),
}
_TEXTS = frozenset({"dedent", "textwrap.dedent"})
# Methods of a text that make a value of it, without arguments.
_OF_TEXT = frozenset({"lstrip", "rstrip", "split", "splitlines", "strip"})
_EQUAL = {
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertCountEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertAlmostEqual", "assertIs",
    "assert_equal", "assert_array_equal", "assert_almost_equal", "assert_allclose", "assert_array_almost_equal",
}  # fmt: skip
_CALLED = {"assert_called_with", "assert_called_once_with", "assert_awaited_with", "assert_awaited_once_with"}
_CALLED_TOO = {"assert_any_call", "assert_has_calls"}
_FLIPS = both_ways(
    [
        ("assertTrue", "assertFalse"),
        ("assertIn", "assertNotIn"),
        ("assertIsNone", "assertIsNotNone"),
        ("assertEqual", "assertNotEqual"),
        ("assertIsInstance", "assertNotIsInstance"),
        ("assertRegex", "assertNotRegex"),
        ("assertGreater", "assertLessEqual"),
        ("assertLess", "assertGreaterEqual"),
    ]
)
_OPERATORS = both_ways([("==", "!="), ("in", "not in"), ("is", "is not"), ("<", ">="), (">", "<=")])
# Each two of them are unrelated, so that code that raises one does not raise the other.
_ERRORS = both_ways(
    [
        ("ValueError", "TypeError"),
        ("KeyError", "IndexError"),
        ("RuntimeError", "AttributeError"),
        ("ZeroDivisionError", "OverflowError"),
        ("FileNotFoundError", "PermissionError"),
        ("OSError", "ArithmeticError"),
    ]
)
_OPTIONAL = {
    "if_statement",
    "while_statement",
    "try_statement",
    "match_statement",
    "function_definition",
    "lambda",
}
_CATCHES = re.compile(r"raises|suppress|warns", re.IGNORECASE)
_HELD = ("keyword_argument", "comment", "for_in_clause", "if_clause")


class PythonBody(Body):
    """The body of a test function."""

    calls = frozenset({"call"})
    choices = frozenset({"conditional_expression"})
    arguments = "argument_list"
    literals = frozenset({"string", "integer", "float"})
    plain = frozenset(
        {
            "conditional_expression", "concatenated_string", "binary_operator", "dictionary", "expression_list",
            "false", "float", "generator_expression", "identifier", "integer", "list", "list_comprehension",
            "list_splat", "none", "parenthesized_expression", "set", "set_comprehension", "string", "true", "tuple",
            "unary_operator",
        }
    )  # fmt: skip

    def __init__(
        self, body: Node, cases: Mapping[str, Sequence[Node]], library: Set[str] = frozenset()
    ) -> None:
        """`library`: the names under which the file calls functions and classes of LIBRARY, like `dt.date`."""
        super().__init__(body, cases)
        self._makers = _BUILT_IN | library

    def asserted(self) -> Iterator[Alteration]:
        sites = QueryCursor(_SITES).captures(self.body)
        for node in sites.get("assert", ()):
            yield from self.at(node, self._claimed(node.named_children[0]))
        for node in sites.get("call", ()):
            yield from self.at(node, self._called(node))

    def assigned(self) -> Iterator[tuple[str, Sequence[Node]]]:
        for node in walk(self.body):
            if node.type == "assignment" and field(node, "left").type == "identifier":
                yield text_of(field(node, "left")), [field(node, "right")]
            elif node.type in ("for_statement", "for_in_clause"):
                yield from _columns(field(node, "left"), field(node, "right"))

    def is_optional(self, node: Node) -> bool:
        if node.type == "for_statement":
            return field(node, "right").type not in ("list", "tuple")
        if node.type == "block" and node.parent is not None and node.parent.type == "with_statement":
            return _CATCHES.search(text_of(node.parent.named_children[0])) is not None
        return node.type in _OPTIONAL

    def compares(self, call: Node) -> bool:
        name = text_of(field(call, "function"))
        return name.rpartition(".")[2] in _EQUAL or name.endswith("approx")

    def makes_value(self, call: Node) -> bool:
        if self._is_text_method(call):
            return True
        return text_of(field(call, "function")) in self._makers

    def _is_text_method(self, call: Node) -> bool:
        """Whether a method of a text in the test is called, as in `"a b".split()`."""
        function = field(call, "function")
        if function.type != "attribute" or not self._is_text(field(function, "object")):
            return False
        name, arguments = text_of(field(function, "attribute")), field(call, "arguments").named_children
        return name in ("encode", "join") or (name in _OF_TEXT and not arguments)

    def _is_text(self, node: Node) -> bool:
        if node.type == "parenthesized_expression" and node.named_children:
            return self._is_text(node.named_children[0])
        if node.type == "call":
            return self._is_text_method(node) or text_of(field(node, "function")) in self._makers & _TEXTS
        return node.type in ("string", "concatenated_string")

    def parts(self, node: Node) -> Sequence[Node]:
        match node.type:
            case "call" if self._is_text_method(node) and not text_of(field(node, "function")).endswith(
                "join"
            ):
                return [field(field(node, "function"), "object")]
            case "call":
                return [
                    field(part, "value") if part.type == "keyword_argument" else part
                    for part in field(node, "arguments").named_children
                    if part.type != "keyword_argument" or text_of(field(part, "name")) not in _NO_VALUES
                ]
            case "dictionary":
                return [field(pair, "value") for pair in node.named_children if pair.type == "pair"]
            case "conditional_expression":
                return [node.named_children[0], node.named_children[-1]]
            case kind if kind in self.plain:
                return [child for child in node.named_children if child.type not in _HELD]
        return []

    def spots(self, node: Node) -> Iterator[Spot]:
        match node.type:
            case "integer" | "float":
                yield Spot(node.start_byte, node.end_byte, Kind.NUMBER)
            case "string":
                for child in node.children:
                    if child.type == "string_content":
                        yield Spot(child.start_byte, child.end_byte, Kind.TEXT)
            case "true":
                yield Spot(node.start_byte, node.end_byte, Kind.FIXED, b"False")
            case "false":
                yield Spot(node.start_byte, node.end_byte, Kind.FIXED, b"True")

    def _claimed(self, claim: Node) -> Iterator[Alteration]:
        """Of the expression of an assert statement."""
        match claim.type:
            case "comparison_operator":
                operators = claim.children_by_field_name("operators")
                operands = [child for child in claim.named_children if child.type != "comment"]
                signs = [text_of(operator) for operator in operators]
                if set(signs) <= {"==", "is"}:
                    yield from self.expected(operands[0], operands[-1])
                elif signs == ["in"] and operands[0].type != "identifier":
                    yield from self.values(operands[0], Rank.FOUND)
                if len(signs) == 1 and (other := _OPERATORS.get(signs[0])):
                    yield replaced(Rank.SHAPE, operators[0].start_byte, operators[0].end_byte, other)
            case "boolean_operator" if text_of(field(claim, "operator")) == "and":
                yield from self._claimed(field(claim, "left"))
                yield from self._claimed(field(claim, "right"))
            case "parenthesized_expression" if claim.named_children:
                yield from self._claimed(claim.named_children[0])
            case "not_operator":
                yield replaced(Rank.SHAPE, claim.start_byte, field(claim, "argument").start_byte, "")
            case "call" | "identifier" | "attribute" | "subscript":
                name, arguments = text_of(field(claim, "function")).rpartition(".")[2], _positional(claim)
                if name in ("startswith", "endswith") and arguments:
                    yield from self.values(arguments[0], Rank.FOUND)
                yield replaced(Rank.SHAPE, claim.start_byte, claim.start_byte, "not ")

    def _called(self, call: Node) -> Iterator[Alteration]:
        """Of a call that asserts."""
        function, arguments = field(call, "function"), _positional(call)
        attribute = field(function, "attribute")
        name = text_of(attribute)
        if name in _EQUAL and len(arguments) > 1:
            yield from self.expected(arguments[0], arguments[1])
        elif name == "assertIn" and len(arguments) > 1:
            yield from self.values(arguments[0], Rank.FOUND)
        elif name == "assertRegex" and len(arguments) > 1:
            yield from self.patterns(arguments[1])
        elif name in ("assertRaises", "assertRaisesRegex", "raises") and arguments:
            yield from self._raised(call, name, arguments)
        elif name in _CALLED | _CALLED_TOO:
            for argument in self.parts(call):
                yield from self.values(argument, Rank.EXPECTED if name in _CALLED else Rank.FOUND)
        if name in _FLIPS:
            yield replaced(Rank.SHAPE, attribute.start_byte, attribute.end_byte, _FLIPS[name])

    def _raised(self, call: Node, method: str, arguments: Sequence[Node]) -> Iterator[Alteration]:
        if method == "assertRaisesRegex" and len(arguments) > 1:
            yield from self.patterns(arguments[1])
        for argument in field(call, "arguments").named_children:
            if argument.type == "keyword_argument" and text_of(field(argument, "name")) == "match":
                yield from self.patterns(field(argument, "value"))
        error, name = arguments[0], text_of(arguments[0])
        other = _ERRORS.get(name) or ("" if hasattr(builtins, name) else "ArithmeticError")
        if error.type == "identifier" and other:
            yield replaced(Rank.ERROR, error.start_byte, error.end_byte, other)


def _positional(call: Node) -> list[Node]:
    return [node for node in field(call, "arguments").named_children if node.type not in _HELD]


def _columns(left: Node, rows: Node) -> Iterator[tuple[str, list[Node]]]:
    """Each name on the left side of a loop over a display, with its values."""
    if rows.type not in ("list", "tuple", "set"):
        return
    if left.type == "identifier":
        yield text_of(left), rows.named_children
    elif left.type in ("pattern_list", "tuple_pattern"):
        for place, name in enumerate(left.named_children):
            cells = [row.named_children for row in rows.named_children if row.type in ("tuple", "list")]
            yield text_of(name), [row[place] for row in cells if len(row) > place]
