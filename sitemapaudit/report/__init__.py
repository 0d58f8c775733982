"""What people read of a run."""
