"""A bank of questions and design tasks, put to a model and scored, to choose a model by."""
