"""Engines play games: `match` plays one match, `jobs` is the work of a worker, `local` and `cluster` run the workers."""
