"""An autograder for courses in which students write game-playing agents."""

__version__ = "0.1.0"
