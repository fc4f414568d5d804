"""Reading submissions in limited processes."""
