"""Runs during which something goes wrong: killed processes, full disks, changing folders, a busy machine."""
