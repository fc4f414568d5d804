"""Export grades in the formats of the systems around a course.

One module per system. Each is made of pure functions from `ExportedGrade`s, and from the file that the instructor downloaded
there if there is one, to the file that goes back; only the command reads and writes. Whatever a student wrote is escaped.
"""
