"""Planted faults: pairs of runs that are equal but for one fault, by which judges are measured.

`catalogue` reads the data files, `player` makes the runs, `recorded` reads the runs that ship with the project.
"""
