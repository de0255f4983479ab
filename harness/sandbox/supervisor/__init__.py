"""Programs of the image in which hidden tests run; see `supervise.py`."""
