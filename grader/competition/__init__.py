"""Playing: who takes part, who meets whom, and the games that have not been played yet."""
