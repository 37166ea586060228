"""Images as arrays of linear light: lines and points added to pixels."""
