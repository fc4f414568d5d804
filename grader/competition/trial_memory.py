"""What earlier trials found out about players, remembered in the store."""

from grader.competition.records import Entrant, Setup
from grader.engine.jobs import Trial
from grader.fixtures import content_key
from grader.store import NOT_OURS, Store


def remembered_trial(store: Store, entrant: Entrant) -> Trial | None:
    """The result of an earlier trial, if it succeeded."""
    note = store.read_note(trial_key(entrant))
    if note is None:
        return None
    try:
        trial = Trial.from_json(note)
    except NOT_OURS as error:
        raise store.unreadable_error(error) from error
    return trial if trial.fault is None else None


def remembered_trials(store: Store, setup: Setup) -> dict[str, Trial]:
    """The successful trials by submission."""
    trials = {entrant.id: remembered_trial(store, entrant) for entrant in setup.entrants}
    return {id_: trial for id_, trial in trials.items() if trial is not None}


def trial_key(entrant: Entrant) -> str:
    """The name of the note about a player's trial."""
    return f"trial/{content_key(entrant.assignment, entrant.identity)}"
