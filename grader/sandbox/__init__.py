"""Players in sandboxed processes: started clean, isolated, asked for moves over a pipe, and timed from outside.

`process` is the grader's side, and `worker`, which it starts, the player's; `protocol` is how they communicate. `isolation`
sandboxes the worker, `adapter` and `course` turn a student's code into a player there, and `clock` measures it from outside.
"""
