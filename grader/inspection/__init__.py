"""Finding the player in a submission and checking its code, by reading it: student code is never imported here."""
