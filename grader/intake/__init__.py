"""Intake: turn an instructor's folder or download into submissions. Reads students' code, but never imports it."""
