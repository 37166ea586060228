"""Queries on traced rays: functions that return rows or numbers."""
