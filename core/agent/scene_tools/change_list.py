"""The type of a tool's parameter that takes changes: a list of them, or a single one."""

from __future__ import annotations

from typing import Annotated, Any


class _OneIsAList:
    """Puts a single JSON object into a list. The JSON schema stays that of the list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(lambda v: [v] if isinstance(v, dict) else v, handler(source))


ChangeList = Annotated[list[dict[str, Any]], _OneIsAList()]
"""Changes as JSON, as `core.scene.changes.written.changes_from_json` takes them."""
