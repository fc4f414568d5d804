"""Players in processes of their own: started clean, walled in, asked for moves over a pipe, and timed from outside.

`process` is the grader's side and starts `worker` on the other; `protocol` is what they say to each other. `isolation` walls
the worker in, `adapter` and `course` make a student's code into a player there, and `clock` measures it from outside.
"""
