"""Figures that the README claims, each as a ratio measured in one run. `python -m tests.bench` prints them all."""
