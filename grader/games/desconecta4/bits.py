"""The rules of Desconecta-4 BOOM on bitboards, as functions of small tuples.

The cell (row, col) is bit `col * 8 + row`, with row 0 at the bottom; the eighth bit of each column stays zero. Adding 1 to
a column carries up to its first free cell, which is where a piece lands; lines of four are found with shifts. A state is
relative to the player to move, so that the same code works for both players.
"""

SIZE = 7
BOOM = 7
"""The action that sets off the player's own bomb; the actions 0 to 6 drop a piece into that column."""

BOTTOM = sum(1 << 8 * col for col in range(SIZE))
BOARD = BOTTOM * 0x7F
ROWS = tuple(BOTTOM << row for row in range(SIZE))
CELLS = tuple(tuple(1 << 8 * col + row for col in range(SIZE)) for row in range(SIZE))
"""`CELLS[row][col]` is the bit of that cell."""

UP, RIGHT, RISING, FALLING = 1, 8, 9, 7
DIRECTIONS = (UP, RIGHT, RISING, FALLING)
"""The distance in bits from one cell of a line to the next. The lowest bit of a line is its anchor."""

BitState = tuple[int, int, int, int, int, int | None]
"""My pieces and their pieces (bombs included), my bomb, their bomb, the number of moves so far, and the result.

"My" means the player to move. The result is None until the game ends; then it is the winner (1 or 2), or 0 for a draw.
"""

START: BitState = (0, 0, 0, 0, 0, None)


def player_to_move(state: BitState) -> int:
    """The player to move, 1 or 2."""
    return state[4] % 2 + 1


def round_number(state: BitState) -> int:
    """The round, from 1; it increases after each move of player 2."""
    return state[4] // 2 + 1


def plies(state: BitState) -> int:
    """The number of moves so far."""
    return state[4]


def result_of(state: BitState) -> int | None:
    """The winner, 0 for a draw, or None if the game has not ended."""
    return state[5]


def actions(state: BitState) -> list[int]:
    """The legal actions of the player to move, in listing order."""
    drops = _drops(state[0] | state[1])
    found = [col for col in range(SIZE) if drops >> 8 * col & 0x7F]
    return [*found, BOOM] if state[2] else found


def after(state: BitState, action: int) -> BitState | None:
    """The state after an action, or None if it is not legal."""
    if action == BOOM:
        return _boom(state) if state[2] else None
    drop = _drops(state[0] | state[1]) & 0x7F << 8 * action
    return _drop_piece(state, drop, completing_cells(state[0])) if drop else None


def successors(state: BitState) -> list[tuple[int, BitState]]:
    """Every legal action with the resulting state, in listing order."""
    mine = state[0]
    drops = _drops(mine | state[1])
    fatal = completing_cells(mine)
    found = []
    while drops:
        drop = drops & -drops
        drops ^= drop
        found.append((drop.bit_length() >> 3, _drop_piece(state, drop, fatal)))
    if state[2]:
        found.append((BOOM, _boom(state)))
    return found


def completing_cells(pieces: int) -> int:
    """The cells that complete a line of four with these pieces."""
    found = 0
    for step in DIRECTIONS:
        pairs_below = pieces << step & pieces << 2 * step
        pairs_above = pieces >> step & pieces >> 2 * step
        found |= pairs_below & (pieces << 3 * step | pieces >> step)
        found |= pairs_above & (pieces >> 3 * step | pieces << step)
    return found


def lines(pieces: int) -> int:
    """The anchors of all lines of four."""
    found = 0
    for step in DIRECTIONS:
        pairs = pieces & pieces >> step
        found |= pairs & pairs >> 2 * step
    return found


def loser(one: int, two: int) -> int:
    """The player that has a line: 1, 2, or 0 for neither. If both have one, the first anchor decides, bottom row first."""
    first, second = lines(one), lines(two)
    if not (first and second):
        return 1 if first else 2 if second else 0
    for row in ROWS:
        if anchors := (first | second) & row:
            return 1 if anchors & -anchors & first else 2
    raise AssertionError("every line has its anchor in one of the rows")


def result(one: int, two: int) -> int | None:
    """The winner, 0 for a full board without a line, or None if the game has not ended."""
    if lost := loser(one, two):
        return 3 - lost
    return 0 if one | two == BOARD else None


def twos_and_threes(pieces: int) -> tuple[int, int]:
    """The course's counts: the number of twos that are not part of a three, and the number of threes."""
    twos = threes = 0
    for step in DIRECTIONS:
        pairs = pieces & pieces >> step
        twos += pairs.bit_count()
        threes += (pairs & pairs >> step).bit_count()
    return twos - 2 * threes, threes


def _drops(occupied: int) -> int:
    """The first free cell of every column that is not full."""
    return occupied + BOTTOM & BOARD


def _drop_piece(state: BitState, drop: int, fatal: int) -> BitState:
    mine, theirs, my_bomb, their_bomb, ply, ended = state
    mine |= drop
    if ply % 10 >= 8 and not my_bomb:  # a round that is a multiple of 5
        my_bomb = drop
    if ended is not None:
        ended = _result_after(mine, theirs, ply)
    elif drop & fatal:
        ended = 2 - ply % 2
    elif mine | theirs == BOARD:
        ended = 0
    return theirs, mine, their_bomb, my_bomb, ply + 1, ended


def _boom(state: BitState) -> BitState:
    mine, theirs, my_bomb, their_bomb, ply, _ = state
    row = (my_bomb.bit_length() - 1) % 8
    hit = (mine & ROWS[row]) >> row  # the bottom cell of each column that loses a piece
    below = hit * ((1 << row) - 1) | ~(hit * 0x7F)
    above = hit * (0x7F & -2 << row)
    mine = mine & below | (mine & above) >> 1
    theirs = theirs & below | (theirs & above) >> 1
    their_bomb = their_bomb & below | (their_bomb & above) >> 1
    return theirs, mine, their_bomb, 0, ply + 1, _result_after(mine, theirs, ply)


def _result_after(mine: int, theirs: int, ply: int) -> int | None:
    return result(mine, theirs) if ply % 2 == 0 else result(theirs, mine)
