"""Links of real websites: served, audited, and compared with networkx."""
