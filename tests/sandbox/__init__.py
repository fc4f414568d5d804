"""The sandbox, proved with real processes."""
