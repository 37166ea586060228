"""The default limits of a trace: segments and memory."""

from functools import cache

from raybench.system.process import machine_memory_bytes

DEFAULT_LIMIT = 10_000_000
"""The default limit on the number of segments."""
MEMORY_FRACTION = 0.5
"""The default memory limit of a trace, as a fraction of the machine's memory."""
UNKNOWN_MEMORY = 4 << 30
"""The assumed memory in bytes of a machine whose memory cannot be determined."""


@cache
def default_memory_limit() -> int:
    """The default memory limit of a trace in bytes."""
    return int(MEMORY_FRACTION * (machine_memory_bytes() or UNKNOWN_MEMORY))
