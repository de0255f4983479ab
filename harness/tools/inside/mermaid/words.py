"""What Mermaid's grammars call things, in words for people."""

from __future__ import annotations

_WORDS = {
    "an id": "ACTOR ALPHA NODE_STRING NODE_ID ID ENTITY_NAME UNICODE_TEXT BQUOTE_STR "
    "BRKT DOWN DEFAULT MULT TESTSTR WORD U_NUM "
    "unqString qString CLASSDEF_ID CLASSENTITY_IDS STYLE_IDS CALLBACKNAME CALLBACK_NAME",
    "a number": "NUM NUMBER_WITH_DECIMAL DECIMAL_NUM ENTITY_ONE point_x point_y",
    "a text in double quotes": "STR MD_STR COMMENT STATE_DESCR STRING",
    "a text": "TEXT TAGSTART EDGE_TEXT NODE_DESCR NOTE_TEXT title_value "
    "acc_title_value acc_descr_value restOfLine "
    "NON_ESCAPED_TEXT ESCAPED_TEXT class_name LABEL event period taskTxt taskName",
    "the end of the line": "NEWLINE NL EOL SPACELINE",
    "the end of the text": "EOF EOF_IN_STRUCT $end",
    "a space": "SPACE SPACELIST",
    "an arrow": "LINK START_LINK LINK_ID LINE DOTTED_LINE IDENTIFYING NON_IDENTIFYING SOLID_ARROW DOTTED_ARROW "
    "SOLID_OPEN_ARROW DOTTED_OPEN_ARROW SOLID_CROSS DOTTED_CROSS SOLID_POINT DOTTED_POINT BIDIRECTIONAL_SOLID_ARROW "
    "BIDIRECTIONAL_DOTTED_ARROW END_ARROW_L END_ARROW_R ARROW_DELIMITER AXIS-TEXT-DELIMITER -->",
    "an end of an arrow (<| * o < > |>)": "EXTENSION COMPOSITION AGGREGATION DEPENDENCY LOLLIPOP",
    "a cardinality such as || |o }o }|": "ZERO_OR_ONE ZERO_OR_MORE ONE_OR_MORE ONLY_ONE MD_PARENT",
    "a member": "MEMBER SEPARATOR",
    "an attribute": "ATTRIBUTE_WORD",
    "a key (PK, FK, UK)": "ATTRIBUTE_KEY",
    "a direction (TB, BT, LR, RL)": "DIR NODIR direction_tb direction_bt direction_lr direction_rl direction_td",
    "a label in brackets": "PS SQS DIAMOND_START CYLINDERSTART STADIUMSTART SUBROUTINESTART DOUBLECIRCLESTART "
    "TRAPSTART INVTRAPSTART VERTEX_WITH_PROPS_START (- TAGEND NODE_DSTART SHAPE_DATA",
    "the bracket that closes the label": "PE SQE DIAMOND_STOP CYLINDEREND STADIUMEND SUBROUTINEEND DOUBLECIRCLEEND "
    "TRAPEND INVTRAPEND -) NODE_DEND",
    "':' and its data": "taskData",
    "':' and a text": "TXT",
    "'{'": "STRUCT_START BLOCK_START",
    "'}'": "STRUCT_STOP BLOCK_STOP CONFIG_END",
    "':'": "COLON COLONSEP DESCR",
    "';'": "SEMI SEMICOLON",
    "','": "COMMA",
    "'&'": "AMP",
    "'|'": "PIPE",
    "'-'": "MINUS",
    "'+'": "PLUS",
    "'.'": "DOT",
    "'%'": "PCT",
    "'~type~'": "GENERICTYPE",
    "':::'": "STYLE_SEPARATOR",
    "'[*]'": "EDGE_STATE",
    "'--'": "CONCURRENT",
    "'<<'": "ANNOTATION_START",
    "'>>'": "ANNOTATION_END",
    "'@{'": "CONFIG_START",
    "accTitle": "acc_title",
    "accDescr": "acc_descr acc_descr_multiline_value",
    "'note for'": "NOTE_FOR",
    "'left of'": "left_of",
    "'right of'": "right_of",
    "participant": "participant",
    "actor": "participant_actor",
    "state": "COMPOSIT_STATE FORK JOIN CHOICE",
    "hide empty description": "HIDE_EMPTY",
    "title": "legacy_title",
}
_SAID = {name: words for words, names in _WORDS.items() for name in names.split()}


def said(name: str) -> str:
    """What a word of a grammar is called in a message."""
    if name in _SAID:
        return _SAID[name]
    if "ARROW" in name:
        return "an arrow"
    return f"'{name.lower().replace('_', ' ')}'" if name.isupper() else f"'{name}'"


def hint(kind: str, state: str, name: str, text: str) -> str:
    """What is behind the mistakes that are made most often, as the end of a sentence; '' when it is another one."""
    if kind == "flowchart" and name == "end":
        return ": in lower case, end closes a subgraph; as an id it has to be written End"
    if kind == "flowchart" and name == "MINUS":
        return ": arrows are -->, ---, -.-> or ==>"
    if kind in ("flowchart", "mindmap") and state in ("text", "trapText", "ellipseText", "string", "NODE"):
        if not text.strip():
            return ": a label was not closed"
        return ': a label that holds brackets or quotes goes into double quotes, as in A["f(x)"], with #quot; for "'
    return ""
