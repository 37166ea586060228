"""Running a tool: context, scope, approval, cache, preview."""
