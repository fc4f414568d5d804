"""Whether a player's code may read a clock."""

import pytest

from grader.inspection.inspect_code import inspect_code
from tests.workflow.folders import FIRST


@pytest.mark.parametrize(
    ("code", "may"),
    [
        ("import random, numpy as np\nfrom collections import deque\n", False),
        ("import numpy.random\nfrom functools import lru_cache\n", False),
        ("import time\n", True),
        ("from time import perf_counter as now\n", True),
        ("import datetime\n", True),
        ("import threading\n", True),
        ("import unheard_of\n", True),
        ("clock = __import__('time')\n", True),
        ("exec('import time')\n", True),
        ("import helpers\n", True),
        ("import tables\n", False),
    ],
)
def test_code_may_read_a_clock_unless_all_that_it_imports_is_known_not_to(tmp_path, code, may):
    (tmp_path / "helpers.py").write_text("import time\n", encoding="utf-8")
    (tmp_path / "tables.py").write_text("import math\n", encoding="utf-8")
    (tmp_path / "solution.py").write_text(code + FIRST, encoding="utf-8")

    entry = inspect_code(tmp_path).entry

    assert entry is not None and entry.may_read_clock == may
