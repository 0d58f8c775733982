"""How the results of an audit are built."""
