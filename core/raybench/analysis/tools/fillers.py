"""Words that may occur in any question without changing its meaning."""

from __future__ import annotations

import re

FILLERS = frozenset(
    re.findall(
        r"[\w']+",
        "a all an and any anything are at be beams by calculate can coming comes compute could"
        " determine display do does evaluate every find for get give go goes going has have having"
        " here highlight how i in into is it it's its lie lies light list many me measure my now"
        " number of on one ones our please ray rays report run runs see segments show tell that the"
        " their them there these this those to travel travels us want we what which whose will with"
        " would you",
    )
)
"""No negations or comparisons."""
