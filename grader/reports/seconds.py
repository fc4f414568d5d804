"""Times as people read them."""


def format_seconds(seconds: float) -> str:
    """Seconds with as many digits as tell something: quick moves in thousandths, others in hundredths."""
    if seconds < 0.0005:
        return "< 0.001"
    return f"{seconds:.3f}" if seconds < 0.0995 else f"{seconds:.2f}"
