"""Texts of positions, moves and records, version 1."""

VERSION = 1
