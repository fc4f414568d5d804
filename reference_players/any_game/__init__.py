"""Reference players that can play any game: they need only its rules."""
