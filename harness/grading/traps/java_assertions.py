"""What can be altered in the body of a Java test, so that it still compiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from harness.grading.traps.assertions import Body, both_ways, replaced
from harness.grading.traps.source import Alteration, Kind, Rank, Spot, field, text_of, walk

_EQUAL = {"assertEquals", "assertArrayEquals", "assertIterableEquals", "assertLinesMatch", "assertSame"}
# Methods behind AssertJ's and Truth's assertThat(actual).
_MATCHERS = {
    "isEqualTo", "hasSize", "containsExactly", "containsOnly", "containsExactlyInAnyOrder", "isSameAs", "hasMessage",
    "hasToString", "isCloseTo", "isEqualByComparingTo", "hasLength", "isEqualToIgnoringCase",
}  # fmt: skip
_FOUND = {
    "containsEntry",
    "contains",
    "startsWith",
    "endsWith",
    "hasMessageContaining",
    "hasMessageStartingWith",
    "containsKey",
    "isIn",
}
_QUESTIONS = {"equals", "contains", "startsWith", "endsWith", "containsKey"}
# Hamcrest's matchers, assertThat(actual, is(5)), and functions that only make a value.
_EXACT = {"is", "equalTo", "hasSize", "contains", "closeTo"}
_TOLERANCES = {"within", "offset", "withinPercentage", "withPercentage", "byLessThan"}
# What makes a value of its arguments, if it is imported from Java's library.
_MAKERS = {
    "Arrays.asList", "BigDecimal", "BigInteger", "Collections.singleton", "Collections.singletonList",
    "Duration.ofDays", "Duration.ofHours", "Duration.ofMillis", "Duration.ofMinutes", "Duration.ofSeconds", "List.of",
    "LocalDate.of", "LocalDateTime.of", "LocalTime.of", "Map.entry", "Map.of", "Map.ofEntries", "Optional.of", "Set.of",
}  # fmt: skip
_FLIPS = both_ways(
    [
        ("assertTrue", "assertFalse"),
        ("assertNull", "assertNotNull"),
        ("assertEquals", "assertNotEquals"),
        ("isTrue", "isFalse"),
        ("isNull", "isNotNull"),
        ("isEmpty", "isNotEmpty"),
    ]
)
_OPTIONAL = {
    "if_statement", "while_statement", "do_statement", "for_statement", "enhanced_for_statement", "try_statement",
    "try_with_resources_statement", "switch_expression", "lambda_expression", "class_body",
}  # fmt: skip
_WORDS = both_ways([("true", "false")])
_SIGNS = both_ways([("==", "!="), ("<", ">="), (">", "<=")])
_ERRORS = both_ways(
    [
        ("IllegalArgumentException", "IllegalStateException"),
        ("NullPointerException", "IndexOutOfBoundsException"),
        ("ArithmeticException", "UnsupportedOperationException"),
        ("NumberFormatException", "ClassCastException"),
    ]
)
_NUMBERS = {"decimal_integer_literal", "decimal_floating_point_literal", "hex_integer_literal"}
# Digits that a number may have with any value: int, long, and the same in hexadecimal.
_MAX_DIGITS = {False: 9, True: 18}
_MAX_HEX_DIGITS = {False: 7, True: 15}


class JavaBody(Body):
    """The body of a test method."""

    calls = frozenset({"method_invocation", "object_creation_expression"})
    choices = frozenset({"ternary_expression"})
    arguments = "argument_list"
    literals = frozenset({"string_literal", *_NUMBERS})
    plain = frozenset(
        {
            "array_creation_expression", "array_initializer", "binary_expression", "cast_expression",
            "character_literal", "false", "identifier", "null_literal", "parenthesized_expression", "string_literal",
            "ternary_expression", "true", "unary_expression", *_NUMBERS,
        }
    )  # fmt: skip

    def __init__(self, body: Node, cases: Mapping[str, Sequence[Node | Spot]], file: bytes) -> None:
        """`file`: the text of the whole file, which says which assertions are imported."""
        super().__init__(body, cases)
        self._file = file

    def asserted(self) -> Iterator[Alteration]:
        for node in walk(self.body):
            if node.type == "method_invocation":
                yield from self.at(node, self._called(node))

    def assigned(self) -> Iterator[tuple[str, Sequence[Node]]]:
        for node in walk(self.body):
            value = node.child_by_field_name("value")
            if node.type == "variable_declarator" and value is not None:
                yield text_of(field(node, "name")), [value]

    def is_optional(self, node: Node) -> bool:
        return node.type in _OPTIONAL

    def compares(self, call: Node) -> bool:
        return text_of(field(call, "name")) in _EQUAL | _MATCHERS | _EXACT

    def makes_value(self, call: Node) -> bool:
        if call.type == "object_creation_expression":
            made = text_of(field(call, "type"))
        else:
            made = f"{text_of(call.child_by_field_name('object'))}.{text_of(field(call, 'name'))}"
        imported = rb"import\s+java\.(?:util|time|math)\.(?:%s|\*)\s*;" % made.partition(".")[0].encode()
        return made in _MAKERS and re.search(imported, self._file) is not None

    def parts(self, node: Node) -> Sequence[Node]:
        match node.type:
            case "method_invocation" | "object_creation_expression":
                name = text_of(field(node, "name"))
                most = 0 if name in _TOLERANCES else 1 if name == "closeTo" else None
                return _arguments(node)[:most]
            case "ternary_expression":
                return [field(node, "consequence"), field(node, "alternative")]
            case "cast_expression" | "array_creation_expression":
                value = node.child_by_field_name("value")
                return [value] if value is not None else []
            case kind if kind in self.plain:
                return [child for child in node.named_children if not child.type.endswith("comment")]
        return []

    def spots(self, node: Node) -> Iterator[Spot]:
        match node.type:
            case "string_literal":
                yield text_spot(node)
            case "true" | "false":
                yield Spot(node.start_byte, node.end_byte, Kind.FIXED, _WORDS[node.type].encode())
            case kind if kind in _NUMBERS and _has_room(text_of(node)):
                yield Spot(node.start_byte, node.end_byte, Kind.NUMBER)

    def _called(self, call: Node) -> Iterator[Alteration]:
        """Of a call that asserts."""
        method, arguments = field(call, "name"), _arguments(call)
        name = text_of(method)
        if name in _EQUAL:
            expected, actual = self._sides(arguments)
            if expected and actual:
                yield from self.expected(actual, expected)
        elif name in ("assertTrue", "assertFalse") and arguments:
            yield from self._claimed([one for one in arguments if one.type != "string_literal"][:1], name)
        elif name in ("assertThrows", "assertThrowsExactly") and arguments:
            # A variable that takes the exception has its class as type.
            if call.parent is not None and call.parent.type == "expression_statement":
                yield from raised(arguments[0])
        elif name == "assertThat" and len(arguments) > 1:
            yield from self.values(arguments[-1], Rank.EXPECTED)
        elif name in _MATCHERS | _FOUND and _is_about_a_value(call):
            for argument in arguments:
                yield from self.values(argument, Rank.EXPECTED if name in _MATCHERS else Rank.FOUND)
        if name in _FLIPS and self._is_known(call, _FLIPS[name]):
            yield replaced(Rank.SHAPE, method.start_byte, method.end_byte, _FLIPS[name])

    def _sides(self, arguments: Sequence[Node]) -> tuple[Node | None, Node | None]:
        """What is expected and what it is compared with, without a message: JUnit 4 has it in front, 5 behind."""
        if len(arguments) > 2 and b"org.junit.jupiter" not in self._file and _is_message(arguments[0]):
            arguments = arguments[1:]
        return (arguments[0], arguments[1]) if len(arguments) > 1 else (None, None)

    def _claimed(self, claims: Sequence[Node], name: str) -> Iterator[Alteration]:
        """Of an expression that has to be true; of one that has to be false, only its operator."""
        for claim in claims:
            operator = claim.child_by_field_name("operator")
            if claim.type == "binary_expression" and operator is not None:
                if text_of(operator) == "==" and name == "assertTrue":
                    yield from self.expected(field(claim, "left"), field(claim, "right"))
                if other := _SIGNS.get(text_of(operator)):
                    yield replaced(Rank.SHAPE, operator.start_byte, operator.end_byte, other)
            elif name == "assertTrue" and text_of(field(claim, "name")) in _QUESTIONS:
                for argument in _arguments(claim)[:1]:
                    yield from self.values(argument, Rank.FOUND)

    def _is_known(self, call: Node, name: str) -> bool:
        """Whether a method of this name can be called in the place of the call's."""
        if name.startswith("is"):
            return _is_about_a_value(call)
        if call.child_by_field_name("object") is not None:
            return True
        imported = (
            rb"import\s+static\s+[\w.]+\.(?:\*|%s)\s*;|extends\s+(?:\w+\.)*\w*TestCase\b" % name.encode()
        )
        return re.search(imported, self._file) is not None


def text_spot(node: Node) -> Spot:
    """What stands between the quotes of a text or text block."""
    quotes = 3 if text_of(node).startswith('"""') else 1
    return Spot(node.start_byte + quotes, node.end_byte - quotes, Kind.TEXT)


def raised(place: Node) -> Iterator[Alteration]:
    """Of the class of an expected exception, `X.class`."""
    name = place.named_children[0] if place.type == "class_literal" and place.named_children else place
    if text_of(name) in _ERRORS:
        yield replaced(Rank.ERROR, name.start_byte, name.end_byte, _ERRORS[text_of(name)])


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    children = arguments.named_children if arguments is not None else []
    return [node for node in children if not node.type.endswith("comment")]


def _is_message(node: Node) -> bool:
    return node.type == "string_literal" or (
        node.type == "binary_expression" and any(part.type == "string_literal" for part in walk(node))
    )


def _is_about_a_value(call: Node) -> bool:
    """Whether a chain begins with `assertThat(...)` and has no `not` in it."""
    node = call.child_by_field_name("object")
    while node is not None and node.type == "method_invocation":
        name = text_of(field(node, "name"))
        if name.startswith(("assertThat", "then", "expectThat")):
            return True
        node = node.child_by_field_name("object")
    return False


def _has_room(number: str) -> bool:
    """Whether the number can have any other digits."""
    is_long = number[-1:] in "lL"
    if number[:2] in ("0x", "0X"):
        return len(number.rstrip("lL").replace("_", "")) - 2 <= _MAX_HEX_DIGITS[is_long]
    return "." in number or len(number.rstrip("lLfFdD").replace("_", "")) <= _MAX_DIGITS[is_long]
