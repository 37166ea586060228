"""Random numbers as the file format means them: ARC4 keyed with the scene's seed, so that the same seed gives the scene its author saw."""

from __future__ import annotations

WIDTH = 256
DISCARDED = 256
"""Bytes left out at the start of the stream, which tell too much of the key."""


class SeededRandom:
    """A stream of numbers from 0 to 1 with 53 random bits each. ``place`` is how many were drawn; setting it skips to another place."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.place = 0
        self._restart()

    def __call__(self) -> float:
        if self._made > self.place:
            self._restart()
        while self._made < self.place:
            self._draw()
        self.place += 1
        return self._draw()

    def _restart(self) -> None:
        key = _key(self._seed)
        self._s, self._i, self._j, self._made = list(range(WIDTH)), 0, 0, 0
        j = 0
        for i in range(WIDTH):
            j = (j + key[i % len(key)] + self._s[i]) % WIDTH
            self._s[i], self._s[j] = self._s[j], self._s[i]
        self._bytes(DISCARDED)

    def _bytes(self, count: int) -> int:
        """The next bytes as one whole number, the first the most significant."""
        s, i, j = self._s, self._i, self._j
        number = 0
        for _ in range(count):
            i = (i + 1) % WIDTH
            j = (j + s[i]) % WIDTH
            s[i], s[j] = s[j], s[i]
            number = number * WIDTH + s[(s[i] + s[j]) % WIDTH]
        self._i, self._j = i, j
        return number

    def _draw(self) -> float:
        """At least 52 bits over 2^48 and more, shifted down while they are more than a double holds."""
        self._made += 1
        high, low, below = self._bytes(6), 0, 1 << 48
        while high < 1 << 52:
            high, below, low = (high + low) * WIDTH, below * WIDTH, self._bytes(1)
        while high >= 1 << 53:
            high, below, low = high / 2, below / 2, low >> 1  # type: ignore[assignment]
        return (high + low) / below


def _key(seed: str) -> list[int]:
    """The seed's UTF-16 units, smeared over at most 256 bytes."""
    units = seed.encode("utf-16-le", "surrogatepass")
    key: list[int] = []
    smear = 0
    for n in range(0, len(units), 2):
        at = n // 2 % WIDTH
        smear ^= key[at] * 19 if at < len(key) else 0
        value = (smear + units[n] + 256 * units[n + 1]) % WIDTH
        if at < len(key):
            key[at] = value
        else:
            key.append(value)
    return key or [0]
