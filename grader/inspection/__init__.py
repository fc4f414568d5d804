"""Find the player in a submission and check its code by reading it. Student code is never imported here."""
