"""Search algorithms and knowledge about Hex that the reference players share."""
