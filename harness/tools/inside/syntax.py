"""Whether Python source can be parsed, by the Python that is here."""

from __future__ import annotations

import ast
import warnings


def syntax_error(source: bytes) -> str | None:
    """What is wrong with `source` and where; None when it parses, or is in an encoding that is not loaded here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        if "encoding" in str(error.msg):
            return None
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return None
