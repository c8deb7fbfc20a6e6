"""Packed messages of section 9, as they are read."""

from .encoding import Reader

PLACES = 512


class RememberedWords:
    """The words that a node left out and has sent before."""

    def __init__(self):
        self._words, self._oldest = [], 0

    def unpack(self, packed):
        """The message of a packed frame."""
        reader, message = Reader(packed), b""
        while reader.at < len(packed):
            message += reader.data()
            if reader.at == len(packed):
                break
            place = reader.number()
            message += self._words[place - 1] if place else self._remember(reader.take(32))
        return message

    def _remember(self, word):
        if len(self._words) < PLACES:
            self._words.append(word)
        else:
            self._words[self._oldest] = word
            self._oldest = (self._oldest + 1) % PLACES
        return word
