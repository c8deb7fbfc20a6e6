"""The channel of section 9: Noise XX as the initiator, then frames."""

import hashlib
import socket
import threading

from .encoding import Reader
from .packing import RememberedWords
from .people import channel_proof
from .sodium import ExchangeKey, FrameSealer, H, chacha_open, chacha_seal, hkdf

CHUNK = 16_384
REKEY_AFTER = 1 << 20


class ChannelEnded(Exception):
    """The node ended the connection, or never let it begin."""


class Symmetric:
    """The symmetric state of the Noise specification."""

    def __init__(self, prologue=b"moot/1"):
        name = b"Noise_XX_25519_ChaChaPoly_BLAKE2b"
        self.h = self.ck = name + bytes(64 - len(name))
        self.key, self.counter = None, 0
        self.mix_hash(prologue)

    def mix_hash(self, value):
        self.h = hashlib.blake2b(self.h + value).digest()

    def mix_key(self, material):
        self.ck, key = hkdf(self.ck, material, 2)
        self.key, self.counter = key[:32], 0

    def _nonce(self):
        nonce = b"\0\0\0\0" + self.counter.to_bytes(8, "little")
        self.counter += 1
        return nonce

    def seal(self, plaintext):
        sealed = chacha_seal(self.key, self._nonce(), plaintext, self.h)
        self.mix_hash(sealed)
        return sealed

    def open(self, sealed):
        plaintext = chacha_open(self.key, self._nonce(), sealed, self.h)
        self.mix_hash(sealed)
        return plaintext

    def split(self):
        first, second = hkdf(self.ck, b"", 2)
        return first[:32], second[:32]


def receive_exactly(stream, count):
    parts = []
    while count:
        try:
            part = stream.recv(min(count, 1 << 20))
        except OSError as error:
            raise ChannelEnded(str(error)) from error
        if not part:
            raise ChannelEnded("the connection ended")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive_block(stream):
    return receive_exactly(stream, int.from_bytes(receive_exactly(stream, 2), "big"))


class Channel:
    """A channel that this client dialed. Sending is safe from several threads, receiving is for one."""

    def __init__(self, address, user, device, timeout=5.0, receive_buffer=None, source=None, prove=channel_proof):
        self.stream = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
        if receive_buffer:
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream.settimeout(timeout)
        if source:
            self.stream.bind((source, 0))
        try:
            self.stream.connect(address)
            self._handshake(user, device, prove)
        except (OSError, ChannelEnded) as error:
            self.stream.close()
            raise ChannelEnded(str(error)) from error
        self.stream.settimeout(None)
        self._lock = threading.Lock()
        self._parts = {0x00: [], 0x10: []}
        self._words = RememberedWords()

    def _handshake(self, user, device, prove):
        state, ephemeral = Symmetric(), ExchangeKey()
        state.mix_hash(ephemeral.public)
        state.mix_hash(b"")
        self._send_block(ephemeral.public)

        message = Reader(receive_block(self.stream))
        theirs = message.take(32)
        state.mix_hash(theirs)
        state.mix_key(ephemeral.shared(theirs))
        static = state.open(message.take(48))
        state.mix_key(ephemeral.shared(static))
        self.peer_proof = state.open(message.rest())
        proof = Reader(self.peer_proof)
        record = Reader(proof.data())
        self.peer_user, self.peer_device_key = record.id(), proof.take(32)
        self.peer_device = H("moot/1/device", self.peer_user, self.peer_device_key)

        sealed = state.seal(device.static.public)
        state.mix_key(device.static.shared(theirs))
        sealed += state.seal(prove(user, device, 0, state.h))
        self._send_block(sealed)
        self.transcript = state.h
        sending, self._receiving_key = state.split()
        self._sealer, self._sent, self._received = FrameSealer(sending), 0, 0
        self._until_rekey = REKEY_AFTER

    def _send_block(self, block):
        self.stream.sendall(len(block).to_bytes(2, "big") + block)

    def _frame(self, plaintext):
        frame = self._sealer.seal(self._sent, plaintext)
        self._sent += 1
        self._until_rekey -= 1
        if self._until_rekey == 1:
            frame += self._sealer.seal(self._sent, b"\x02")
            self._sent += 1
            self._until_rekey = REKEY_AFTER
            last = b"\xff" * 8
            self._sealer = FrameSealer(chacha_seal(self._sealer.key, b"\0\0\0\0" + last, bytes(32))[:32])
        return frame

    def _frames(self, message, is_bulk):
        kind = 0x10 if is_bulk else 0x00
        if len(message) <= CHUNK:
            return self._frame(bytes([kind]) + message)
        pieces = [message[at : at + CHUNK] for at in range(0, len(message), CHUNK)]
        last = len(pieces) - 1
        return b"".join(self._frame(bytes([kind | (index < last)]) + piece) for index, piece in enumerate(pieces))

    def send(self, *messages, is_bulk=False):
        """Sends messages, all frames of them in one write."""
        with self._lock:
            frames = b"".join(self._frames(message, is_bulk) for message in messages)
            try:
                self.stream.sendall(frames)
            except OSError as error:
                raise ChannelEnded(str(error)) from error

    def send_raw(self, plaintext):
        """Sends one frame with any plaintext, also none that the protocol knows."""
        with self._lock:
            try:
                self.stream.sendall(self._frame(plaintext))
            except OSError as error:
                raise ChannelEnded(str(error)) from error

    def receive(self):
        """The next whole message."""
        while True:
            sealed = receive_block(self.stream)
            nonce = b"\0\0\0\0" + self._received.to_bytes(8, "little")
            self._received += 1
            plaintext = chacha_open(self._receiving_key, nonce, sealed)
            kind = plaintext[0]
            if kind == 0x02:
                last = b"\0\0\0\0" + b"\xff" * 8
                self._receiving_key = chacha_seal(self._receiving_key, last, bytes(32))[:32]
            elif kind == 0x03:
                raise ChannelEnded("closed by the node")
            elif kind == 0x04:
                return self._words.unpack(plaintext[1:])
            else:
                parts = self._parts[kind & 0x10]
                parts.append(plaintext[1:])
                if not kind & 1:
                    message = b"".join(parts)
                    parts.clear()
                    return message

    def close(self):
        try:
            self.stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.stream.close()
