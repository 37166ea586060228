"""Running a tool: context, lifetime, approval, cache and preview."""
