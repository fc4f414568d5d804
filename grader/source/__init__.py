"""What a Python file says about itself, read from its syntax tree."""
