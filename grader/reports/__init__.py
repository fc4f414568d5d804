"""The reports for people and programs. Each module has a `render(...)` that returns text and prints nothing."""
