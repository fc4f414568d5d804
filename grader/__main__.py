"""`python -m grader` runs the `grader` command."""

import os
import sys

# `python -m` looks for modules in the working folder first, and that may be a student's.
if os.path.realpath(sys.path[0]) == os.path.realpath(os.getcwd()) and not os.path.isdir("grader"):  # noqa: PTH109, PTH112
    del sys.path[0]

from grader.cli import main

main()
