"""The chat panel: a conversation with the agent, whose answers highlight rays on the canvas."""
