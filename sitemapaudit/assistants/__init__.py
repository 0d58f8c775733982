"""Runs for assistants: a server of the Model Context Protocol over standard input and output."""
