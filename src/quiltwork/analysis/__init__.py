"""Analysis for people and programs: the protocol, tables, hints, and whether a quilt can be finished."""

from __future__ import annotations
