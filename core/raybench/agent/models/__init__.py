"""Backends of a conversation: models behind an API, scripted replies, or plain questions understood
without a model.
"""
