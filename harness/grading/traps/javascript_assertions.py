"""What can be altered in the body of a JavaScript or TypeScript test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from harness.grading.traps.assertions import Body, both_ways, columns, replaced
from harness.grading.traps.source import Alteration, Kind, Rank, Spot, field, text_of, walk

# Methods by what their argument is: of expect(actual) and of chai's chains.
_MATCHERS = {
    "toBe", "toBeCloseTo", "toEqual", "toStrictEqual", "toMatchObject", "toHaveLength", "toHaveBeenCalledTimes",
    "toHaveBeenLastCalledWith", "toHaveReturnedWith", "toHaveText", "toMatchInlineSnapshot",
    "equal", "equals", "eq", "eql", "eqls", "lengthOf", "length", "a", "an", "members", "closeTo",
}  # fmt: skip
_FOUND = {
    "toHaveBeenCalledWith",
    "toContain",
    "toContainEqual",
    "toHaveProperty",
    "include",
    "includes",
    "contain",
    "contains",
    "property",
    "string",
}
_PATTERNS = {"toMatch", "match", "toThrow", "toThrowError", "throw", "throws", "rejectedWith"}
# Functions whose second argument is what the first has to be: of node:assert, chai's assert, tape and ava.
_EQUAL = {
    "deepEqual", "deepStrictEqual", "equal", "equals", "is", "same", "sameMembers", "strictEqual",
    "partialDeepStrictEqual", "lengthOf", "typeOf", "closeTo", "isDeeply", "deepEquals", "approximately",
}  # fmt: skip
_RAISED = {"throws", "rejects", "match"}
_TRUE = {"ok", "isTrue", "assert", "true", "truthy", "isOk"}
_EXACT = {
    "closeTo",
    "toBeCloseTo",
    "approximately",
    "objectContaining",
}
# Built in: what makes a value of its first argument.
_MAKERS = {"BigInt", "Buffer.from", "new Date", "new Map", "new Set"}
_FLIPS = both_ways(
    [
        ("toBeTruthy", "toBeFalsy"),
        ("toBeDefined", "toBeUndefined"),
        ("isTrue", "isFalse"),
        ("strictEqual", "notStrictEqual"),
        ("deepStrictEqual", "notDeepStrictEqual"),
        ("deepEqual", "notDeepEqual"),
        ("isNull", "isNotNull"),
        ("isUndefined", "isDefined"),
    ]
)
_OPTIONAL = {
    "if_statement", "while_statement", "do_statement", "for_statement", "try_statement", "switch_statement",
    "arrow_function", "function_expression", "function_declaration",
}  # fmt: skip
_WORDS = both_ways([("true", "false")])
_SIGNS = both_ways([("===", "!=="), ("==", "!="), ("<", ">="), (">", "<=")])
_ERRORS = both_ways([("TypeError", "RangeError"), ("SyntaxError", "ReferenceError")]) | {"Error": "TypeError"}


class JavaScriptBody(Body):
    """The body of a callback."""

    calls = frozenset({"call_expression", "new_expression"})
    choices = frozenset({"ternary_expression"})
    arguments = "arguments"
    literals = frozenset({"string", "number", "template_string"})
    plain = frozenset(
        {
            "array", "as_expression", "binary_expression", "false", "identifier", "null", "number", "object",
            "parenthesized_expression", "regex", "satisfies_expression", "spread_element", "string", "template_string",
            "ternary_expression", "true", "unary_expression", "undefined",
        }
    )  # fmt: skip

    def asserted(self) -> Iterator[Alteration]:
        for node in walk(self.body):
            if node.type == "call_expression":
                yield from self.at(node, self._called(node))
            elif node.type == "expression_statement" and node.named_children[0].type == "member_expression":
                # Chai's `expect(x).to.be.true;` is an assertion without a call.
                member = node.named_children[0]
                word = field(member, "property")
                if text_of(word) in _WORDS and _is_expectation(member) and not _is_negated(member):
                    yield replaced(Rank.EXPECTED, word.start_byte, word.end_byte, _WORDS[text_of(word)])

    def assigned(self) -> Iterator[tuple[str, Sequence[Node]]]:
        for node in walk(self.body):
            value = node.child_by_field_name("value")
            if node.type == "variable_declarator" and field(node, "name").type == "identifier" and value:
                yield text_of(field(node, "name")), [value]
            elif node.type == "for_in_statement" and field(node, "right").type == "array":
                yield from table(field(node, "left"), field(node, "right")).items()

    def is_optional(self, node: Node) -> bool:
        if node.type == "for_in_statement":
            return field(node, "right").type != "array"
        return node.type in _OPTIONAL

    def compares(self, call: Node) -> bool:
        return _method(call) in _MATCHERS | _EQUAL | _EXACT

    def makes_value(self, call: Node) -> bool:
        constructor = call.child_by_field_name("constructor")
        made = f"new {text_of(constructor)}" if constructor else text_of(field(call, "function"))
        return made in _MAKERS or self._joins(call)

    def _joins(self, call: Node) -> bool:
        """Whether this is `[...].join(...)`."""
        return _method(call) == "join" and field(field(call, "function"), "object").type == "array"

    def parts(self, node: Node) -> Sequence[Node]:
        match node.type:
            case "call_expression" | "new_expression":
                joined = [field(field(node, "function"), "object")] if self._joins(node) else []
                return joined or _arguments(node)[: 1 if self.makes_value(node) else None]
            case "object":
                return [field(pair, "value") for pair in node.named_children if pair.type == "pair"]
            case "ternary_expression":
                return [field(node, "consequence"), field(node, "alternative")]
            case "as_expression" | "satisfies_expression":
                return node.named_children[:1]
            case kind if kind in self.plain and kind not in ("regex", "template_string"):
                return [child for child in node.named_children if child.type != "comment"]
        return []

    def spots(self, node: Node) -> Iterator[Spot]:
        match node.type:
            case "number":
                yield Spot(node.start_byte, node.end_byte, Kind.NUMBER)
            case "string" if node.end_byte - node.start_byte > 2:
                yield Spot(node.start_byte + 1, node.end_byte - 1, Kind.TEXT)
            case "template_string":
                for child in node.named_children:
                    if child.type == "string_fragment":
                        yield Spot(child.start_byte, child.end_byte, Kind.TEXT)
            case "regex":
                pattern = field(node, "pattern")
                yield Spot(pattern.start_byte, pattern.end_byte, Kind.PATTERN)
            case "true" | "false":
                yield Spot(node.start_byte, node.end_byte, Kind.FIXED, _WORDS[node.type].encode())

    def _called(self, call: Node) -> Iterator[Alteration]:
        """Of a call that asserts."""
        function, name, arguments = field(call, "function"), _method(call), _arguments(call)
        subject = field(function, "object") if function.type == "member_expression" else None
        if subject is not None and _is_expectation(subject):
            if not _is_negated(subject):
                if name in _MATCHERS:
                    single = name in ("toBeCloseTo", "closeTo")
                    for argument in arguments[:1] if single else arguments:
                        yield from self.values(argument, Rank.EXPECTED)
                elif name in _FOUND:
                    for argument in reversed(arguments):
                        yield from self.values(argument, Rank.FOUND)
                elif name in _PATTERNS:
                    for argument in arguments:
                        yield from self._raised(argument)
                yield from _flipped(function, name)
            return
        if name in _EQUAL and len(arguments) > 1 and subject is not None:
            yield from self.expected(arguments[0], arguments[1])
        elif name in _RAISED and len(arguments) > 1 and subject is not None:
            yield from self._raised(arguments[1])
        elif name in _TRUE and arguments and text_of(function).startswith(("assert", "t.", "expect")):
            yield from self._claimed(arguments[0])
        if name in _FLIPS and subject is not None:
            yield from _flipped(function, name)

    def _raised(self, argument: Node) -> Iterator[Alteration]:
        """Of an expected error: its class, its message or the message's pattern."""
        name = text_of(argument)
        if argument.type == "identifier" and (name in _ERRORS or name.endswith("Error")):
            other = _ERRORS.get(name, "EvalError")
            yield replaced(Rank.ERROR, argument.start_byte, argument.end_byte, other)
        else:
            yield from self.patterns(argument)

    def _claimed(self, claim: Node) -> Iterator[Alteration]:
        """Of an expression that has to be true."""
        operator = claim.child_by_field_name("operator")
        sign = text_of(operator)
        if claim.type == "binary_expression" and operator is not None:
            if sign == "&&":
                yield from self._claimed(field(claim, "left"))
                yield from self._claimed(field(claim, "right"))
            if sign in ("===", "=="):
                yield from self.expected(field(claim, "left"), field(claim, "right"))
            if sign in _SIGNS:
                yield replaced(Rank.SHAPE, operator.start_byte, operator.end_byte, _SIGNS[sign])
        elif claim.type == "unary_expression" and sign == "!":
            yield replaced(Rank.SHAPE, claim.start_byte, field(claim, "argument").start_byte, "")
        elif claim.type in ("call_expression", "identifier", "member_expression"):
            if _method(claim) in ("includes", "startsWith", "endsWith") and (arguments := _arguments(claim)):
                yield from self.values(arguments[0], Rank.FOUND)
            yield replaced(Rank.SHAPE, claim.start_byte, claim.start_byte, "!")


def table(names: Node, rows: Node) -> dict[str, list[Node]]:
    """For each name of a pattern its values in the rows of an array; empty if they do not fit."""
    cells = [row for row in rows.named_children if row.type != "comment"]
    if names.type == "identifier":
        return columns([text_of(names)], [[row] for row in cells])
    if names.type == "array_pattern":
        return columns(
            [text_of(name) for name in names.named_children], [row.named_children for row in cells]
        )
    found: dict[str, list[Node]] = {}
    for name in names.named_children if names.type == "object_pattern" else ():
        values = [value for row in cells for value in _property(row, text_of(name))]
        if len(values) == len(cells):
            found[text_of(name)] = values
    return found


def _property(row: Node, name: str) -> Iterator[Node]:
    for pair in row.named_children if row.type == "object" else ():
        if pair.type == "pair" and text_of(field(pair, "key")) == name:
            yield field(pair, "value")


def _flipped(function: Node, name: str) -> Iterator[Alteration]:
    """The matcher's opposite, or `not` before it."""
    method = field(function, "property")
    if name in _FLIPS:
        yield replaced(Rank.SHAPE, method.start_byte, method.end_byte, _FLIPS[name])
    elif _is_expectation(field(function, "object")):
        yield replaced(Rank.SHAPE, method.start_byte, method.start_byte, "not.")


def _is_expectation(node: Node) -> bool:
    """Whether a chain begins with `expect(...)` or goes on from `x.should`."""
    while node.type in ("member_expression", "call_expression"):
        function = field(node, "function")
        if node.type == "call_expression" and function.type == "identifier":
            return text_of(function) == "expect"
        if text_of(field(node, "property")) == "should":
            return True
        node = function if node.type == "call_expression" else field(node, "object")
    return False


def _is_negated(chain: Node) -> bool:
    while chain.type == "member_expression":
        if text_of(field(chain, "property")) == "not":
            return True
        chain = field(chain, "object")
    return False


def _method(call: Node) -> str:
    """`c` of `a.b.c(...)` and of `c(...)`."""
    function = field(call, "function")
    return text_of(field(function, "property")) if function.type == "member_expression" else text_of(function)


def _arguments(call: Node) -> list[Node]:
    arguments = field(call, "arguments")
    children = arguments.named_children if arguments.type == "arguments" else []
    return [node for node in children if node.type != "comment"]
