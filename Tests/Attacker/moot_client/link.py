"""How a host becomes a device (section 10): the newcomer, who shows a code and waits to be dialed."""

import base64
import os
import socket

from .channel import ChannelEnded, Symmetric, receive_block
from .encoding import Reader, data, listed
from .people import Device
from .sodium import ExchangeKey, H, SigningKey, blake2b, chacha_open, chacha_seal

GREETING, ANSWER, CONSENT, WELCOME, STORED, REFUSAL, ROOT = range(1, 8)
HOLDER, NEWCOMER = b"\0", b"\1"


class Newcomer:
    """A host that becomes a device of the user whose node dials it."""

    def __init__(self):
        self.seed, self.secret = os.urandom(32), os.urandom(16)
        self.key = SigningKey(self.seed)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.root = self.digits = None

    @property
    def code(self):
        address = b"\4" + socket.inet_aton("127.0.0.1") + self.listener.getsockname()[1].to_bytes(2, "big")
        content = b"\1" + self.key.public + self.secret + listed([address])
        checked = content + H("moot/1/link-code", content)[:4]
        return "moot:link:" + base64.b32encode(checked).decode().rstrip("=")

    def join(self, name, timeout=20.0):
        """Lets the holder in, agrees, and stores what it is given. Returns the device and the introduction that certifies it."""
        self.listener.settimeout(timeout)
        self.stream, _ = self.listener.accept()
        self.listener.close()
        self.stream.settimeout(timeout)
        try:
            self._handshake()
            return self._adopt(name)
        finally:
            self.stream.close()

    def _handshake(self):
        state, ephemeral, static = Symmetric(b"moot/1/link" + self.key.public), ExchangeKey(), ExchangeKey()
        first = Reader(receive_block(self.stream))
        theirs, payload = first.take(32), first.rest()
        commitment, proof = payload[:32], payload[32:]
        if proof != blake2b(b"moot/1/link-begin" + self.key.public + commitment, 32, self.secret):
            raise ValueError("whoever dialed does not know the secret")
        state.mix_hash(theirs)
        state.mix_hash(payload)

        state.mix_hash(ephemeral.public)
        state.mix_key(ephemeral.shared(theirs))
        message = ephemeral.public + state.seal(static.public)
        state.mix_key(static.shared(theirs))
        message += state.seal(b"")
        self.stream.sendall(len(message).to_bytes(2, "big") + message)

        last = Reader(receive_block(self.stream))
        holder = state.open(last.take(48))
        state.mix_key(ephemeral.shared(holder))
        state.open(last.rest())
        if H("moot/1/link-commit", holder) != commitment:
            raise ValueError("the holder's key is not the one that it bound itself to")
        self.transcript = state.h
        self._receiving, self._sending = state.split()
        self._received = self._sent = 0
        number = int.from_bytes(H("moot/1/link-digits", self.transcript)[:8], "big") % 1_000_000
        self.digits = f"{number:06}"

    def _adopt(self, name):
        greeting = self._receive(GREETING)
        if greeting.take(32) != self._proof(HOLDER):
            raise ValueError("the holder does not know the secret")
        user = Reader(greeting.data())
        user.number()
        user.data()
        user.data()
        device = Device(Reader(user.data()).id(), name, self.seed)
        self._send(ANSWER, self._proof(NEWCOMER) + self.key.sign("moot/1/link", NEWCOMER, self.transcript, device.user))
        self._send(CONSENT, data(device.wrap_record))
        introduction = self._receive(WELCOME).data()
        self._send(STORED, b"")
        self._take_root()
        return device, introduction

    def _take_root(self):
        """The holder hands over the root, or ends the connection."""
        try:
            root = self._receive(ROOT)
        except ChannelEnded:
            return
        self.root = SigningKey(root.take(32))
        self._send(STORED, b"")

    def _proof(self, role):
        return blake2b(b"moot/1/link" + role + self.transcript, 32, self.secret)

    def _send(self, kind, content):
        sealed = chacha_seal(self._sending, bytes(4) + self._sent.to_bytes(8, "little"), bytes([kind]) + content)
        self._sent += 1
        self.stream.sendall(len(sealed).to_bytes(2, "big") + sealed)

    def _next(self):
        frame = chacha_open(self._receiving, bytes(4) + self._received.to_bytes(8, "little"), receive_block(self.stream))
        self._received += 1
        return frame[0], Reader(frame[1:])

    def _receive(self, expected):
        kind, content = self._next()
        if kind != expected:
            raise ValueError(f"the holder says {kind}, not {expected}")
        return content
