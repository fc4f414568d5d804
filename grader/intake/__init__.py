"""From what a teacher has in a folder to submissions that can be played. Reads student code, and never imports it."""
