"""Players of every game: they need nothing but its rules."""
