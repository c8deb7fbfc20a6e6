"""One process that floods a node over one connection after the other."""

import os
import socket
import time

from moot_client.channel import ChannelEnded
from moot_client.peer import Peer
from moot_client.people import User

from .kinds import KINDS, Source

HALF_OPEN, FULL = "half-open-connections", "full-connections"


def flood(address, name, seconds, source, index, results):
    """Floods until the time is over, and puts into `results` what was sent: messages, bytes, and connections used.

    `source` is a user and their replica, or None for a stranger; the worker takes the device of its own index.
    """
    end = time.monotonic() + seconds
    if name == HALF_OPEN:
        results.put(_half_open(address, end))
    elif name == FULL:
        results.put(_full(address, end))
    else:
        results.put(_send(address, KINDS[name], end, source, index))


def _send(address, kind, end, member, index):
    sent = weight = connections = 0
    began = time.monotonic()
    while time.monotonic() < end:
        user = member[0] if member else User(f"Flood {os.getpid()}")
        device = user.devices[index % len(user.devices)]
        peer = None
        try:
            peer = Peer(address, user, device).greeted(3)
            connections += 1
            source = Source(peer, user, device, member and member[1])
            for round_of in kind(source):
                peer.send(*round_of)
                sent += len(round_of)
                weight += sum(map(len, round_of))
                if time.monotonic() > end or not peer.is_connected:
                    break
        except (ChannelEnded, OSError):
            time.sleep(0.05)
        finally:
            if peer:
                peer.close()
    took = time.monotonic() - began
    return sent, weight, connections, took


def _half_open(address, end):
    streams, opened, began = [], 0, time.monotonic()
    while time.monotonic() < end:
        stream = socket.socket()
        stream.settimeout(0.5)
        try:
            stream.connect(address)
            opened += 1
            streams.append(stream)
        except OSError:
            stream.close()
            time.sleep(0.01)
        if len(streams) > 500:
            streams.pop(0).close()
    for stream in streams:
        stream.close()
    return opened, 0, opened, time.monotonic() - began


def _full(address, end):
    peers, opened, began = [], 0, time.monotonic()
    while time.monotonic() < end:
        try:
            peers.append(Peer(address, User(f"Squatter {opened}")))
            opened += 1
        except (ChannelEnded, OSError):
            time.sleep(0.01)
        if len(peers) > 400:
            peers.pop(0).close()
    for peer in peers:
        peer.close()
    return opened, 0, opened, time.monotonic() - began
