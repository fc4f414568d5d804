"""The base class of all players. It belongs to the course: you do not need to change or submit it."""


class Player:
    """Plays one game."""

    def __init__(self, player_id):
        self.player_id = player_id
        """1 if this player moves first, 2 if it moves second."""

    def play(self, environment):
        """Return an action: 0 to 6 drop a piece into that column, 7 is BOOM."""
        raise NotImplementedError(f"{type(self).__name__} has no play(self, environment) method: write one")
