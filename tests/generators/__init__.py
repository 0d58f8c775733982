"""Tests of the generators of sites."""
