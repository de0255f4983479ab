"""Charts: pure functions from rows to SVG drawings and to figures for Plotly. One module for each kind of mark.

A page has both: the drawing is shown first, in two widths, and needs no script. Plotly is loaded when a reader points
at the drawing, and replaces it at the same size.
"""
