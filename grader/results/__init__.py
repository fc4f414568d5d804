"""The results folder: what a competition leaves in it, read back, verified, published and graded again."""
