"""Preloaded into a worker with another Python version and without an installed grader."""

import platform
import sys

vars(platform)["python_version"] = lambda: "2.7.18"
vars(sys)["modules"]["grader"] = None
