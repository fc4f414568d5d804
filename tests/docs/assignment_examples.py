"""An example for each field of an assignment, and what its description leaves out."""

EXAMPLES = {
    "title": "title: Artificial Intelligence 2026, Hex",
    "game": "game: hex",
    "options": "options: {size: 11, adjacency: axial}",
    "entry": 'entry: "solution.py:SmartPlayer"',
    "extended_board": "extended_board: true",
    "time": "time: {move: 5, load: 20}",
    "time.move": "time: {move: 5}",
    "time.bank": "time: {bank: 300}",
    "time.increment": "time: {bank: 120, increment: 2}",
    "time.load": "time: {load: 60}",
    "time.grace": "time: {grace: 0.5}",
    "time.reference_speed": "time: {move: 5, reference_speed: 1.0}",
    "time.machine_speed": "time: {move: 9, machine_speed: 0.55}",
    "overrun": "overrun: random-move",
    "limits": "limits: {memory_mb: 2048}",
    "limits.memory_mb": "limits: {memory_mb: 2048}",
    "limits.descriptors": "limits: {descriptors: 128}",
    "limits.output_kb": "limits: {output_kb: 16}",
    "limits.scratch_mb": "limits: {scratch_mb: 100}",
    "isolation": "isolation: good",
    "forbidden": "forbidden: [network, processes]",
    "forbidden_imports": "forbidden_imports: [torch, requests]",
    "scoring": "scoring: ladder",
    "speed_share": "speed_share: 0.25",
    "opponents": "opponents:\n  - {player: random, points: 10, games: 4}\n  - {player: mcts, points: 30, games: 10}",
    "maximum": "maximum: 10",
    "round": "round: 0.1",
    "pass": "pass: 5",
    "opponents[].player": "opponents:\n  - {player: mcts, points: 30}",
    "opponents[].options": "opponents:\n  - {player: mcts, options: {simulations: 500}, points: 30}",
    "opponents[].points": "opponents:\n  - {player: mcts, points: 2.5}",
    "opponents[].games": "opponents:\n  - {player: mcts, points: 30, games: 20}",
    "opponents[].name": "opponents:\n  - {player: mcts, name: Level 3, points: 30}",
    "opponents[].scoring": ("opponents:\n  - {player: mcts, points: 30, games: 6, scoring: {threshold: {wins: 4}}}"),
    "opponents[].scoring.linear": (
        "opponents:\n  - {player: mcts, points: 30, scoring: {linear: {from: 0, to: 0.75}}}"
    ),
    "opponents[].scoring.linear.from": (
        "opponents:\n  - {player: random, points: 10, scoring: {linear: {from: 0.5}}}   # half of the games give no points"
    ),
    "opponents[].scoring.linear.to": (
        "opponents:\n  - {player: mcts, points: 30, scoring: {linear: {to: 0.75}}}   # three of four games give all points"
    ),
    "opponents[].scoring.threshold": (
        "opponents:\n  - {player: mcts, points: 30, games: 6, scoring: {threshold: {wins: 4}}}"
    ),
    "opponents[].scoring.threshold.wins": (
        "opponents:\n  - {player: mcts, points: 30, games: 6, scoring: {threshold: {wins: 4}}}"
    ),
    "opponents[].hidden": "opponents:\n  - {player: mcts, points: 30, hidden: true}",
    "opponents[].disqualify_on_loss": "opponents:\n  - {player: random, points: 10, disqualify_on_loss: true}",
    "opponents[].time": "opponents:\n  - {player: mcts, points: 30, time: {move: 30, load: 60}}",
    "opponents[].time.move": "opponents:\n  - {player: mcts, points: 30, time: {move: 30}}",
    "opponents[].time.load": "opponents:\n  - {player: mcts, points: 30, time: {load: 60}}",
    "opponents[].limits": "opponents:\n  - {player: mcts, points: 30, limits: {memory_mb: 4096}}",
    "opponents[].limits.memory_mb": "opponents:\n  - {player: mcts, points: 30, limits: {memory_mb: 4096}}",
    "opponents[].limits.scratch_mb": "opponents:\n  - {player: mcts, points: 30, limits: {scratch_mb: 100}}",
    "lifetime": "lifetime: pairing",
    "seed": "seed: 20260531",
    "late": 'late: {percent_per_day: 10, at_most: 50, due: "2026-05-31 23:59"}',
    "late.percent_per_day": "late: {percent_per_day: 20}",
    "late.at_most": "late: {at_most: 30}",
    "late.due": 'late: {due: "2026-05-31 23:59+02:00"}',
    "language": "language: es",
    "overrides": "overrides:\n  ana: {extension: 2d, note: ill}",
    "overrides.ID.entry": 'overrides:\n  ana: {entry: "final/solution.py:SmartPlayer"}',
    "overrides.ID.extension": 'overrides:\n  ana: {extension: "2026-06-02 23:59"}',
    "overrides.ID.excused": "overrides:\n  luis: {excused: true}",
    "overrides.ID.note": "overrides:\n  luis: {excused: true, note: medical certificate}",
}
"""By the path of the field. Each is valid in an assignment, which a test checks."""

NOTES = {
    "game": "A file is relative to the assignment, and is your code: see [Your own game](../instructors/own-game.md).",
    "options": "[Games](games.md) describes those of the installed games.",
    "time.move": "If neither `move` nor `bank` is given, a move may take 9 s.",
    "time.reference_speed": "See [The same grade on another machine](../how-it-works/time.md#the-same-grade-on-another-machine).",
    "overrun": "After a random move, the player plays on.",
    "isolation": "What each level stops is in [Isolation](../how-it-works/isolation.md).",
    "forbidden": "The codes are explained in [Findings](findings.md).",
    "maximum": "The points of the opponents are then weights: 10, 20 and 30 with `maximum: 10` count 1/6, 1/3 and 1/2.",
    "round": "Applied once, after scaling and the late penalty, in exact decimal arithmetic. All points always give the maximum.",
    "pass": "Submissions that are ungraded or excused neither pass nor fail.",
    "speed_share": "See [Points](../instructors/assignment.md#points) for how it is computed.",
    "opponents": "Order matters for `scoring: ladder` and in reports.",
    "opponents[].name": "Two opponents must not have the same name.",
    "opponents[].scoring.linear.to": "It must be above `from`.",
    "seed": "Students who know the seed can predict the opponents: leave it out, or keep it to yourself.",
}
"""Added below the description of a field."""

DEFAULTS = {
    "game": "none (required)",
    "options": "the game's defaults",
    "entry": "found automatically",
    "time.move": "`9`, unless `bank` is given",
    "opponents[].name": "the player with its options",
    "opponents[].scoring.linear": "`{from: 0, to: 1}`, unless there is a threshold",
    "opponents[].time.move": "the students' limit",
    "opponents[].time.load": "the students' limit",
    "opponents[].limits.memory_mb": "the students' limit",
    "opponents[].limits.scratch_mb": "the students' limit",
    "maximum": "the points of all opponents",
    "round": "not rounded (four decimals)",
    "late": "nothing is deducted",
    "late.due": "the platform's deadline, if its download has one",
    "language": "the system's",
}
"""Where the model's own default says less."""
