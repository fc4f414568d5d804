"""The rules of Desconecta-4 BOOM on bitboards, as functions of small tuples.

The cell (row, col) is bit `col * 8 + row`, row 0 at the bottom; the eighth bit of each column stays zero. A drop is
then an addition that carries up to the first free cell, and a line of four is found by shifting a player's pieces over
themselves. A state is seen from the side to move, so that both players share the same code.
"""

SIZE = 7
BOOM = 7
"""The action that sets off one's own bomb; the actions 0 to 6 drop a piece in that column."""

BOTTOM = sum(1 << 8 * col for col in range(SIZE))
BOARD = BOTTOM * 0x7F
ROWS = tuple(BOTTOM << row for row in range(SIZE))
CELLS = tuple(tuple(1 << 8 * col + row for col in range(SIZE)) for row in range(SIZE))
"""`CELLS[row][col]` is the bit of that cell."""

UP, RIGHT, RISING, FALLING = 1, 8, 9, 7
DIRECTIONS = (UP, RIGHT, RISING, FALLING)
"""How far a bit moves from a cell of a line to the next. The lowest bit of a line is the anchor that the rules name."""

BitState = tuple[int, int, int, int, int, int | None]
"""Mine, theirs (bombs included), my bomb, their bomb, plies played, and the result.

"Me" is the player to move. The result is None while the game goes on, else the winner (1 or 2), or 0 for a draw.
"""

START: BitState = (0, 0, 0, 0, 0, None)


def player_to_move(state: BitState) -> int:
    """1 or 2."""
    return state[4] % 2 + 1


def round_number(state: BitState) -> int:
    """Counts from 1 and goes up after each ply of player 2."""
    return state[4] // 2 + 1


def plies(state: BitState) -> int:
    """How many have been played."""
    return state[4]


def result_of(state: BitState) -> int | None:
    """None while the game goes on, else the winner, or 0 for a draw."""
    return state[5]


def actions(state: BitState) -> list[int]:
    """What the player to move may do, in listing order."""
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
    """Every legal action with the state it leads to, in listing order."""
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
    """The cells that, added to these pieces, complete a line of four."""
    found = 0
    for step in DIRECTIONS:
        pairs_below = pieces << step & pieces << 2 * step
        pairs_above = pieces >> step & pieces >> 2 * step
        found |= pairs_below & (pieces << 3 * step | pieces >> step)
        found |= pairs_above & (pieces >> 3 * step | pieces << step)
    return found


def lines(pieces: int) -> int:
    """The anchors of every line of four."""
    found = 0
    for step in DIRECTIONS:
        pairs = pieces & pieces >> step
        found |= pairs & pairs >> 2 * step
    return found


def loser(one: int, two: int) -> int:
    """Who owns a line: 1, 2, or 0 for nobody. If both do, the first anchor decides, row by row from the bottom."""
    first, second = lines(one), lines(two)
    if not (first and second):
        return 1 if first else 2 if second else 0
    for row in ROWS:
        if anchors := (first | second) & row:
            return 1 if anchors & -anchors & first else 2
    raise AssertionError("a line has its anchor in one of the rows")


def result(one: int, two: int) -> int | None:
    """The winner, 0 for a full board without a line, None while the game goes on."""
    if lost := loser(one, two):
        return 3 - lost
    return 0 if one | two == BOARD else None


def twos_and_threes(pieces: int) -> tuple[int, int]:
    """The course's counts: windows of three in line, and windows of two that lie in none of those."""
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
