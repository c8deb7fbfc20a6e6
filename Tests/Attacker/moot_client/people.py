"""Users, devices and what introduces them (section 2)."""

import time

from .encoding import Reader, data, listed, number, text
from .sodium import ExchangeKey, H, SigningKey


def now():
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Device:
    """A device of a user, with its wrap key."""

    def __init__(self, user, name="liar", seed=None):
        self.user, self.name = user, name
        self.key = SigningKey(seed)
        self.id = H("moot/1/device", user, self.key.public)
        self.static = ExchangeKey()
        self.wrap_key = ExchangeKey()
        self.counter = 1

    @property
    def wrap_record(self):
        content = self.id + number(self.counter) + self.wrap_key.public
        return content + self.key.sign("moot/1/wrap-record", content)


RETIRED, REVOKED = range(2)
LAST_SERIAL = 4_102_444_800_000


def sign_record(root, serial, devices):
    """An identity record. `devices`: pairs of a device key and a name."""
    ordered = sorted(devices, key=lambda entry: H("moot/1/device", root.public, entry[0]))
    content = root.public + number(serial) + listed(key + text(name) for key, name in ordered)
    return content + root.sign("moot/1/identity", content)


def sign_card(root, version, name, record, photo=b""):
    content = number(version) + text(name) + data(photo) + data(record)
    return content + root.sign("moot/1/card", content)


def sign_tombstone(root, device, kind=RETIRED, user=None):
    """Takes a device out. With `user` it is one of somebody else, in whose name the root does not count."""
    content = (user or root.public) + device + bytes([kind])
    return content + root.sign("moot/1/tombstone", content)


class User:
    """A user with a root key and up to eight devices."""

    def __init__(self, name="Mallory", devices=1):
        self.name = name
        self.root = SigningKey()
        self.id = self.root.public
        self.serial = self.card_version = 1
        self.devices = [Device(self.id) for _ in range(devices)]

    @property
    def device(self):
        return self.devices[0]

    @property
    def identity_record(self):
        return sign_record(self.root, self.serial, [(device.key.public, device.name) for device in self.devices])

    @property
    def wrap_records(self):
        return listed(data(device.wrap_record) for device in sorted(self.devices, key=lambda device: device.id))

    @property
    def credentials(self):
        return data(self.identity_record) + self.wrap_records

    def card(self, photo=b""):
        return sign_card(self.root, self.card_version, self.name, self.identity_record, photo)

    def introduction(self, photo=b""):
        return data(self.card(photo)) + self.wrap_records


class Stolen:
    """A device of somebody else, which a link made theirs, and perhaps their root: what it shows is what they signed last."""

    def __init__(self, device, introduction, root=None):
        self.id, self.device, self.devices, self.root = device.user, device, [device], root
        self.see(introduction)

    def see(self, introduction):
        """Shows the card of an introduction from now on."""
        reader = Reader(introduction)
        self.card = reader.data()
        card = Reader(self.card)
        self.card_version, self.name = card.number(), card.text()
        card.data()
        self.identity_record = card.data()
        self.serial, self.entries = read_record(self.identity_record)

    def sign(self, serial, entries, version=None):
        """Signs a record of its own, and a card with it, by the root."""
        self.card_version = version or self.card_version + 1
        self.identity_record, self.serial, self.entries = sign_record(self.root, serial, entries), serial, list(entries)
        self.card = sign_card(self.root, self.card_version, self.name, self.identity_record)
        return self

    @property
    def wrap_records(self):
        return listed([data(self.device.wrap_record)])

    @property
    def credentials(self):
        return data(self.identity_record) + self.wrap_records

    def introduction(self):
        return data(self.card) + self.wrap_records


def read_record(record):
    """The serial of an identity record, and its devices as pairs of a key and a name."""
    reader = Reader(record)
    reader.id()
    return reader.number(), [(reader.take(32), reader.text()) for _ in range(reader.number())]


class Credentials:
    """What a node says of its user: enough to add them, and to seal for their devices."""

    def __init__(self, encoded):
        reader = Reader(encoded)
        self._read(reader, encoded)

    def _read(self, reader, encoded):
        self.encoded = encoded
        record = Reader(reader.data())
        self.user = record.id()
        self.serial = record.number()
        self.device_keys = {}
        for _ in range(record.number()):
            key = record.take(32)
            record.data()
            self.device_keys[H("moot/1/device", self.user, key)] = key
        self.wrap_keys = {}
        for _ in range(reader.number()):
            wrap = Reader(reader.data())
            device, counter, key = wrap.id(), wrap.number(), wrap.take(32)
            self.wrap_keys[device] = (counter, key)

    @classmethod
    def read(cls, reader):
        """Credentials that stand in a longer text."""
        start = reader.at
        result = cls.__new__(cls)
        result._read(reader, b"")
        result.encoded = reader.source[start : reader.at]
        return result

    @classmethod
    def of_introduction(cls, introduction):
        """The credentials in an introduction, and the name on its card."""
        reader = Reader(introduction)
        card = Reader(reader.data())
        card.number()
        name = card.text()
        card.data()
        record = card.data()
        return cls(data(record) + reader.rest()), name


def channel_proof(user, device, role, handshake_hash):
    """What proves a device in the channel (section 9)."""
    # It reads packed messages.
    capabilities = number(1)
    signature = device.key.sign("moot/1/channel", bytes([role]), handshake_hash, device.static.public, capabilities)
    return data(user.identity_record) + device.key.public + capabilities + signature
