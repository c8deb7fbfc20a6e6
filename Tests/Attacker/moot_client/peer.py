"""A connection to a node under attack: it answers pings, keeps what comes, and shows tags."""

import contextlib
import threading
import time
from collections import Counter

from . import messages
from .channel import Channel, ChannelEnded
from .encoding import Reader
from .people import Credentials

ALIVE = 1.0
KEPT = 20_000


class Peer:
    """A connected node, as one of our devices sees it. A thread of its own reads."""

    def __init__(self, address, user, device=None, says_hello=True, port=0, **options):
        self.user, self.device = user, device or user.device
        self.channel = Channel(address, self.user, self.device, **options)
        self.received, self.counts = [], Counter()
        self.node_tags, self.own_slots = [], {}
        self.credentials = self.name = self.ended = None
        self.changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        if says_hello:
            self.send(messages.hello(user.introduction(), port))

    # Reading

    def _read(self):
        try:
            while True:
                self._take(self.channel.receive())
        except (ChannelEnded, ValueError, OSError) as error:
            with self.changed:
                self.ended = str(error) or "ended"
                self.changed.notify_all()

    def _take(self, message):
        kind = message[0]
        with self.changed:
            self.counts[kind] += 1
            if kind == messages.PING:
                pass
            elif kind == messages.HELLO:
                reader = Reader(message[1:])
                reader.take(16)
                reader.number()
                self.credentials, self.name = Credentials.of_introduction(reader.data())
            elif kind == messages.TAGS:
                reader = Reader(message[1:])
                self.node_tags += reader.list(lambda: reader.take(8))
            elif len(self.received) < KEPT:
                self.received += messages.by_lane(message)
            self.changed.notify_all()
        if kind == messages.PING:
            self.channel.send(bytes([messages.PONG]) + message[1:])

    def wait(self, condition, timeout=5.0):
        """Waits until something is true of what came. Returns whether it is."""
        end = time.monotonic() + timeout
        with self.changed:
            while not condition():
                left = end - time.monotonic()
                if left <= 0 or self.ended:
                    return condition()
                self.changed.wait(left)
            return True

    def of_kind(self, kind):
        return [message for message in list(self.received) if message[0] == kind]

    def forget(self):
        with self.changed:
            self.received.clear()
            self.counts.clear()

    @property
    def is_connected(self):
        return self.ended is None

    # Sending

    def send(self, *contents, is_bulk=False):
        self.channel.send(*contents, is_bulk=is_bulk)

    def greeted(self, timeout=5.0):
        """Waits for the node's hello."""
        if not self.wait(lambda: self.credentials is not None, timeout):
            raise ChannelEnded(self.ended or "the node says no hello")
        return self

    def settle(self, timeout=10.0):
        """Waits until the node has looked at all that it was sent. Returns whether the connection is still there then."""
        seen = self.counts[messages.PONG]
        with contextlib.suppress(ChannelEnded):
            self.send(messages.ping(seen))
        self.wait(lambda: self.counts[messages.PONG] > seen, timeout)
        return self.is_connected

    def show(self, conversation):
        """Shows the tag of a conversation, once. Returns its slot."""
        if conversation not in self.own_slots:
            self.own_slots[conversation] = len(self.own_slots)
            self.send(messages.tags([messages.tag(conversation, self.channel.transcript, 0)]))
        return self.own_slots[conversation]

    def node_slot(self, conversation):
        """The slot under which the node shows a conversation, or None."""
        expected = messages.tag(conversation, self.channel.transcript, 1)
        tags = list(self.node_tags)
        return tags.index(expected) if expected in tags else None

    def about(self, kind, conversation, lane):
        """The readers of messages of a kind about a lane, each behind its slot."""
        place = self.node_slot(conversation)
        for message in self.of_kind(kind):
            index, found_lane, reader = messages.read_slot(message)
            if index == place and found_lane == lane:
                yield reader

    def close(self):
        self.channel.close()


def survives_ping(address, user):
    """Whether a new connection of a user gets the node's hello: they are not banned and the node lives."""
    try:
        peer = Peer(address, user)
        try:
            peer.greeted(4.0)
            return True
        finally:
            peer.close()
    except ChannelEnded:
        return False
