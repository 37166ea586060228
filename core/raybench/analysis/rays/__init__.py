"""Queries on traced rays: functions from a trace result to rows or numbers."""
