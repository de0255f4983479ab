"""Charts: pure functions from rows to drawings, and to the same figures as Plotly takes them. One module for each mark.

A page carries both: the drawing is its first paint, in two widths, and needs no script; Plotly is loaded when a reader
points at it, and takes its place at the same size.
"""
