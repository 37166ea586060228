"""What can stand behind the agent: a model, or no model at all."""
