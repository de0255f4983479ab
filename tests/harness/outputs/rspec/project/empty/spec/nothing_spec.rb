# No test in here.
