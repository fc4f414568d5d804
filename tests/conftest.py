"""What all tests share: hypothesis without a clock, because these machines are noisy."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("steady")
