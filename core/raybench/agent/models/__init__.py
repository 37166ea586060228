"""Backends of a conversation: language models behind an API, scripted replies, and the offline
agent, which understands simple questions without a model.
"""
