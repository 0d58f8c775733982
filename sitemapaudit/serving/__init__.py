"""A local website of all runs: reports, comparisons, and audits that are started and stopped."""
