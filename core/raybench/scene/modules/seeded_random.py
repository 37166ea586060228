"""Random numbers as defined by the file format: ARC4 with the scene's seed as key. The same seed
always gives the same scene.
"""

STATE_SIZE = 256
DISCARDED_BYTES = 256
"""Bytes discarded at the start of the stream, which correlate with the key."""


class SeededRandom:
    """A sequence of random numbers from 0 to 1 with 53 bits each. ``position`` is the number of
    random numbers drawn so far; it can be set.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.position = 0
        self._restart_generator()

    def __call__(self) -> float:
        if self._made > self.position:
            self._restart_generator()
        while self._made < self.position:
            self._draw_number()
        self.position += 1
        return self._draw_number()

    def _restart_generator(self) -> None:
        key = _seed_key(self._seed)
        self._s, self._i, self._j, self._made = list(range(STATE_SIZE)), 0, 0, 0
        j = 0
        for i in range(STATE_SIZE):
            j = (j + key[i % len(key)] + self._s[i]) % STATE_SIZE
            self._s[i], self._s[j] = self._s[j], self._s[i]
        self._next_bytes(DISCARDED_BYTES)

    def _next_bytes(self, count: int) -> int:
        """The next ``count`` bytes as a big-endian integer."""
        s, i, j = self._s, self._i, self._j
        number = 0
        for _ in range(count):
            i = (i + 1) % STATE_SIZE
            j = (j + s[i]) % STATE_SIZE
            s[i], s[j] = s[j], s[i]
            number = number * STATE_SIZE + s[(s[i] + s[j]) % STATE_SIZE]
        self._i, self._j = i, j
        return number

    def _draw_number(self) -> float:
        """A number in [0, 1): at least 52 bits over a power of two, shifted down to the 53 bits of
        a double.
        """
        self._made += 1
        high, low, below = self._next_bytes(6), 0, 1 << 48
        while high < 1 << 52:
            high, below, low = (high + low) * STATE_SIZE, below * STATE_SIZE, self._next_bytes(1)
        while high >= 1 << 53:
            high, below, low = high / 2, below / 2, low >> 1  # type: ignore[assignment]
        return (high + low) / below


def _seed_key(seed: str) -> list[int]:
    """The ARC4 key: the seed's UTF-16 code units mixed into at most 256 bytes."""
    units = seed.encode("utf-16-le", "surrogatepass")
    key: list[int] = []
    smear = 0
    for n in range(0, len(units), 2):
        at = n // 2 % STATE_SIZE
        smear ^= key[at] * 19 if at < len(key) else 0
        value = (smear + units[n] + 256 * units[n + 1]) % STATE_SIZE
        if at < len(key):
            key[at] = value
        else:
            key.append(value)
    return key or [0]
