"""The adapters: each is a process that reads what its program finds, as the README describes."""
