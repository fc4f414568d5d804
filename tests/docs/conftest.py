"""What the tests of the documentation share: a small course, graded once."""

import pytest

from tests.docs.scratch import make_course


@pytest.fixture(scope="session")
def course(made_once):
    return made_once("documented-course", make_course)
