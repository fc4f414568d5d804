"""From finished games to points, grades, ratings and standings."""
