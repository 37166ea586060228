"""Which tools there are: built-in ones and those of a trusted project folder."""
