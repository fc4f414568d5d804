"""Export grades in the formats of external systems.

There is one module per system. Each takes `ExportedGrade`s, and the file that the instructor downloaded from that system if
there is one, and returns the file to upload. Only the command line reads and writes files. Text written by students is escaped.
"""
