"""Preloaded into a worker without an installed grader."""

import sys

vars(sys)["modules"]["grader"] = None
