"""Notebooks for tests."""

import json


def notebook(*cells: object) -> str:
    """A notebook with a text cell, and these code cells after it."""
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# Hex\n", "class NotCode:"]}
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in cells]
    return json.dumps({"cells": [text, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
