"""Traps: altered twins of hidden tests, which a correct solution must fail. Pure: no files, no engine.

A trap that passes proves a forged verdict, if the code under test cannot tell it from the other tests. That code runs
in the same process and can read the test files. What it finds, and what it can still tell:

- **Two similar tests** are a twin and its original: the bodies are the same but for one value. Which is which is not in
  the code: the value is of the same form; the alteration is its own inverse (`values.py`), so that either could have
  been made from the other; and a twin stands before its original as often as behind it. A guess is right every second
  time for each pair, so the number of traps counts: k traps are all guessed with probability 1 / 2^k.
- **A test without a similar one** is no twin. Traps prove nothing about single tests, only that results were made up.
- **Three similar tests** betray the original: it differs from each twin in one place, and the twins from one another in
  two. Choose at most one twin of each test in a grading.
- **What a test expects can be computed** by code that solves the task. A test that the unchanged code passes, too,
  shows its twin by failing: choose originals that fail without the reference patch.
- **Values have meanings**: `parse("-12") == -12` is likelier than `== -17`, 0 is a likelier exit code than 7, and a
  total is the sum of its parts. `values.py` puts conspicuous values last: a changed letter makes a word that may not
  exist. The class of an exception that replaces one of the project's own stands nowhere else.
- **Names have meanings**: a twin's name is made from its original's by exchanging a word. Words that the test's code
  contains, or that no other name has, are left alone where possible, but a reader with a sense of language sees which
  name is the odd one. An algorithm that was written before it saw the tests hardly does.
- **Names that are known from elsewhere** (a public repository, a report of an earlier grading, the arguments of the
  test command) tell everything: whoever has the list of the original names needs no analysis.
"""
