"""The dock that edits a lens prescription as a table, as lens-design programs do."""
