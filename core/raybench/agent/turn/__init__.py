"""A turn of a conversation: the loop, and history and transcript of a conversation."""
