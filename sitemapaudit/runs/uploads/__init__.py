"""Uploads of running audits to object stores, from which another machine can continue them."""
