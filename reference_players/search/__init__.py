"""What the reference players share: searches, and what they know about Hex boards as bits."""
