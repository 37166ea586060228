"""One turn of a conversation: the loop, its events, history and transcript."""
