"""Shards of one audit on a cluster of Dask: an adapter, no engine."""
