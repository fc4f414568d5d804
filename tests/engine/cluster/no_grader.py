"""Preloaded into a worker on which no grader is installed."""

import sys

vars(sys)["modules"]["grader"] = None
