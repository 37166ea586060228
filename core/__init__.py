"""Everything Raybench can compute: scenes, tracing, analysis, the agent's loop. Imports no Qt and no network client."""
