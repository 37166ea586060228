"""Questions that find rays by where they are and what light they carry."""
