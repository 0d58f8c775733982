"""Audits of build folders, made by real generators of websites."""
