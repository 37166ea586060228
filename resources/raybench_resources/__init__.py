"""Data that Raybench ships: example scenes, prompts, themes."""
