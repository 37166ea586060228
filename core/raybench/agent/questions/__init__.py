"""Understands questions without a language model, by comparison with example sentences that have
slots.
"""
