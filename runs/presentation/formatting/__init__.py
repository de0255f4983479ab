"""How values are written: text, numbers, HTML and CSV. Pure functions, used by every layer above."""
