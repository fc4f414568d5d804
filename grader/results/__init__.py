"""The results folder: save and load a competition, verify it, publish its reports, and grade it again."""
