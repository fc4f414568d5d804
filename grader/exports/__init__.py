"""What a run came to, in the forms that the systems around a course take in.

One module a system. Each is made of pure functions from `ExportedGrade`s, and whatever file the instructor downloaded there, to the
file that goes back; the command alone reads and writes. Whatever a student wrote is escaped for the form it goes into.
"""
