"""Play on many machines through dask.distributed.

    this machine                                        each worker (one process and one thread a core)
    places   starts or finds a scheduler (address: one that runs; slurm: one whose workers Slurm starts)
    line     asks each worker, and waits for none   →   worker: answers, unless it is frozen
    roll     who is fit to play, and on which core  ←   worker: introduces itself, keeps a session of this run
    parcels  packs submissions, known by content    →   worker: unpacks each once, below a folder of its own
    engine   a sliding window of jobs               →   worker: gives the job to one process that plays
    letters  outcomes as JSON                       ←

Nothing is shared but the scheduler: no file system, and no object that anything of a player's went into. A worker that is lost
loses only what it was playing, which is played again by another; what is stored is stored once, by its key.

All games of a run are played at one isolation level, the highest that every worker offers, so that everybody is graded under
the same conditions; workers that join later and offer less are not used. Only workers run players: what this machine itself
offers does not matter.
"""
