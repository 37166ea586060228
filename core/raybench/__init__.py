"""Everything Raybench computes: scenes, tracing, analysis and the agent's loop. Imports no Qt and
no network client.
"""
