"""Reading Python files without running them: what a file defines, imports and uses, from its syntax tree."""
