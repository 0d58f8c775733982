"""Samples of a finite population → confidence intervals of its shares; no I/O, no dependencies."""
