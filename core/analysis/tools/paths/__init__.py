"""Questions about the surfaces that light meets on its way."""
