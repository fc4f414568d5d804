"""Searches and Hex knowledge that the reference players share."""
