"""One parser module for each format of test results except JUnit XML. Pure functions from text to results."""
