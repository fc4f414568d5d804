"""Who plays when and where: one match with its replays, what a worker is asked to do, and workers on all cores."""
