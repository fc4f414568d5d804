"""What people and programs read: each module has a `render(...)` that returns text and prints nothing."""
