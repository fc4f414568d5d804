"""Seeds of opponents follow from a secret, and those of students do not."""

from hypothesis import given
from hypothesis import strategies as st

from grader.seeds import LARGEST_SEED, derived_seed, draw_seed, public_seed, short_seed


def test_a_derived_seed_is_always_the_same():
    assert derived_seed(0, "minimax", 3) == 247520811144392338428466520297150953215
    assert public_seed("run", "hex", 0) == 3557171177


@given(st.integers(0, LARGEST_SEED), st.integers(0, LARGEST_SEED))
def test_seeds_of_different_secrets_or_parts_differ(one, two):
    assert (derived_seed(one, "a") == derived_seed(two, "a")) == (one == two)
    assert len({derived_seed(one, *parts) for parts in ((), ("a",), ("a", 1), ("a", 11), ("a", 1, 1), ("a/1",))}) == 6
    assert 0 <= short_seed(derived_seed(one, "a")) < 2**32


def test_drawn_seeds_are_large_and_never_the_same():
    drawn = {draw_seed() for _ in range(100)}

    assert len(drawn) == 100
    assert max(drawn) > 2**120
