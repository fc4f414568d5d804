"""Scoring: turn finished games into points, grades, ratings and standings."""
