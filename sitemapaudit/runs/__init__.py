"""Run folders: ledger, manifest, resuming, merging shards, object stores."""
