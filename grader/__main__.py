"""`python -m grader` is `grader`."""

import os
import sys

# The working folder may be a student's: `python -m` would look for modules there first.
if os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd()) and not os.path.isdir("grader"):  # noqa: PTH109, PTH112
    del sys.path[0]

from grader.cli import main

main()
