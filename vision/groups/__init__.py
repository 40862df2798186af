"""Shared tables: photos of a table on which several groups draw, each with its own pen."""
