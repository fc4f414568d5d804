"""The reference players, one file each, written against the same public API as a student's player."""
