"""One module for each format that tests are reported in, JUnit XML aside. Pure functions from text to results."""
