"""Competitions: prepare submissions, plan games (a run or a tournament), play them, and grade the results."""
