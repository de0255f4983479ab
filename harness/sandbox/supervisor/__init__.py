"""Programs of the image in which hidden tests run; see `supervise.py`.

Each is one file that needs the standard library only: they run isolated (`python3 -I`) or beside pytest, and cannot
import each other. So some constants are in several of them.
"""
