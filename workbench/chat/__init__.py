"""The chat panel: a conversation with the agent, whose answers light up on the canvas."""
