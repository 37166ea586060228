"""What can answer in a conversation: a model behind an API, scripted replies, or keywords without a model."""
