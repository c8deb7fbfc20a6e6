"""The encodings of section 1."""


def number(value):
    """Base-128 digits, least significant first."""
    if value < 0x80:
        return bytes((value,))
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def difference(value):
    return number(((value << 1) ^ (value >> 63)) & 0xFFFF_FFFF_FFFF_FFFF)


def data(value):
    return number(len(value)) + value


def text(value):
    return data(value.encode() if isinstance(value, str) else value)


def listed(elements):
    """A list of elements that are encoded already."""
    elements = list(elements)
    return number(len(elements)) + b"".join(elements)


def ascending(elements):
    return listed(sorted(set(elements)))


def option(value):
    return b"\0" if value is None else b"\1" + value


class Reader:
    """Reads what a node sent. It is not strict about canonical forms: honest nodes are what is attacked."""

    def __init__(self, source):
        self.source, self.at = source, 0

    def take(self, count):
        end = self.at + count
        if end > len(self.source):
            raise ValueError("the bytes end too early")
        taken = self.source[self.at : end]
        self.at = end
        return taken

    def rest(self):
        return self.take(len(self.source) - self.at)

    def u8(self):
        return self.take(1)[0]

    def id(self):
        return self.take(32)

    def number(self):
        value = shift = 0
        while True:
            digit = self.u8()
            value |= (digit & 0x7F) << shift
            if digit < 0x80:
                return value
            shift += 7

    def difference(self):
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def data(self):
        return self.take(self.number())

    def text(self):
        return self.data().decode()

    def list(self, element):
        return [element() for _ in range(self.number())]

    def ids(self):
        return self.list(self.id)

    def option(self, element):
        return element() if self.u8() else None
