"""The course's own players, one file each, written against the same public API as a student's."""
