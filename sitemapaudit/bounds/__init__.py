"""Samples of a finite population → intervals of the shares in it; no I/O, no dependencies."""
