"""Preloaded into a worker that runs another Python, for which no grader is installed."""

import platform
import sys

vars(platform)["python_version"] = lambda: "2.7.18"
vars(sys)["modules"]["grader"] = None
