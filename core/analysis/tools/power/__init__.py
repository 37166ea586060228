"""Questions about where power goes, and how many rays there are of each kind."""
