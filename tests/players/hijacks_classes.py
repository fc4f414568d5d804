"""Case 33: a metaclass and an __init_subclass__ that interfere with all code that uses the class."""

from player import Player


class Meta(type):
    def __call__(cls, *arguments, **keywords):
        made = super().__call__(*arguments, **keywords)
        made.winner = 0
        return made

    def __instancecheck__(cls, thing):
        return True


class Base(Player, metaclass=Meta):
    def __init_subclass__(cls, **keywords):
        Player.play = lambda self, board: (0, 0)


class SmartPlayer(Base):
    def play(self, board):
        return board.get_possible_moves()[0]
