"""Play on many machines through dask.distributed.

    this machine                                        each worker (one process with one thread per core)
    connect        finds a running scheduler or starts one (slurm: one whose workers Slurm starts), which only this run can
                   use (private_cluster)
    transport      asks each worker without blocking    →   worker: answers, unless it is frozen
    worker_checks  which workers may play, on which core ←  worker: reports its versions, keeps a session for this run
    packages       packs submissions, keyed by content  →   worker: unpacks each once, in a folder of its own
    engine         a sliding window of jobs             →   worker: hands the job to one process that plays
    codec          outcomes as JSON                     ←

Only the scheduler is shared: no file system, and no object built from a player's data. A worker that is lost loses only the
games it was playing, which another worker plays again; each result is stored once, by its key.

All games of a run are played at one isolation level, the highest that every worker offers, so that all submissions are graded
under the same conditions; workers that join later and offer less are not used. Only workers run players: the isolation level of
this machine does not matter.
"""
