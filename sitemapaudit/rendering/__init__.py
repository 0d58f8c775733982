"""Pages in a real browser: which, how it is kept in bounds, and what its scripts make of them."""
