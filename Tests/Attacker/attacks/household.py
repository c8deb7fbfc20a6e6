"""A device of Alice's that is in other hands, as a link made it hers."""

import contextlib
import os
import threading

from moot_client import messages, private
from moot_client.channel import ChannelEnded
from moot_client.link import Newcomer
from moot_client.node import Refused
from moot_client.people import Stolen, now

SENTINEL = bytes(31) + b"\1"
"""A conversation that nobody has, of which a device of Alice's may say something all the same."""


class Household:
    """A device of an honest user that a liar holds, with a connection to their node."""

    def __init__(self, world, node, name="laptop", with_root=False):
        newcomer = Newcomer()
        joined = []

        def join():
            with contextlib.suppress(ChannelEnded, OSError, ValueError):
                joined.append(newcomer.join(name))

        thread = threading.Thread(target=join, daemon=True)
        thread.start()
        link = node.ask("POST", "/device-links", {"code": newcomer.code})
        node.ask("POST", f"/device-links/{link['id']}/agreement", {"name": name, "with_root": with_root})
        thread.join(20)
        if not joined:
            raise RuntimeError("the link does not come to its end")
        if link["digits"] != newcomer.digits:
            raise RuntimeError(f"{node.name} shows {link['digits']}, the new device {newcomer.digits}")
        self.world, self.node = world, node
        world.households.append(self)
        self.user = Stolen(*joined[0], newcomer.root)
        self.device = self.user.device
        self.peer = self.connect()
        # What is there is asked for next to it: so nothing held is an answer, too.
        self.write(private.CONVERSATION, SENTINEL, private.preferences(pinned=self.register(private.YES)))

    def connect(self):
        return self.world.connect(self.node, self.user)

    def register(self, value, time=None):
        return private.register(value, now() if time is None else time, self.device.id)

    def write(self, kind, name, state):
        self.peer.send(messages.private_states({(kind, name): state}))

    def held(self, kind, name, peer=None):
        """The state of a piece that the node holds, or None where nothing of it is written."""
        peer = peer or self.peer
        return self._answer(peer, {(kind, name): private.NOTHING[kind]}).get((kind, name))

    def _answer(self, peer, pieces, timeout=30):
        """What the node answers to states. What it was sent before them, it has looked at by then."""
        seen = len(peer.of_kind(messages.PRIVATE_STATES))
        sentinel = (private.CONVERSATION, SENTINEL)
        peer.send(messages.private_states({**pieces, sentinel: private.NOTHING[0]}))

        def answers():
            found = map(private.read_states, peer.of_kind(messages.PRIVATE_STATES)[seen:])
            return [answer for answer in found if sentinel in answer]

        if not peer.wait(lambda: answers(), timeout):
            raise RuntimeError(f"no answer about private state: {peer.ended}")
        return answers()[0]

    def settle(self):
        """Waits until the node has looked at all that it was sent."""
        self._answer(self.peer, {}, 60)

    def preferences(self, conversation):
        """The registers that the node holds of a conversation."""
        state = self.held(private.CONVERSATION, conversation)
        return private.read_preferences(state) if state else {}

    def inventory(self):
        """Which pieces the node holds, and their versions."""
        self.settle()
        self.peer.forget()
        self.peer.send(messages.private_summary(private.ALL_BUCKETS + os.urandom(8 * 256)))
        self.settle()
        found = {}
        for message in self.peer.of_kind(messages.PRIVATE_VERSIONS):
            found.update(private.read_versions(message))
        return found

    def tombstones(self):
        """The devices of its user that the node shows on a new connection as taken out."""
        self.peer.close()
        self.peer = self.connect()
        shown = [one for message in self.peer.of_kind(messages.TOMBSTONES) for one in messages.read_tombstones(message)]
        return sorted(one[32:64] for one in shown if one[:32] == self.user.id)

    def devices(self):
        """{device: its state}, as the node lists the devices of its user."""
        return {bytes.fromhex(one["id"]): one["state"] for one in self.node.ask("GET", "/devices")}

    def leave(self):
        """Makes room for the next device."""
        self.peer.close()
        with contextlib.suppress(Refused, OSError):
            self.retire()

    def retire(self):
        self.node.ask("POST", f"/devices/{self.device.id.hex()}/retirement", {})

    def revoke(self):
        self.node.ask("POST", f"/devices/{self.device.id.hex()}/revocation", {"force": True})
