"""A bank of questions and design tasks for models, with scoring. It helps to choose a model."""
