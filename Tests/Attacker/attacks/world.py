"""What an attack starts from, and how one sees whether it did harm."""

import http.client
import itertools
import pathlib
import uuid

from moot_client.node import Node, Refused, wait_until
from moot_client.peer import Peer
from moot_client.people import User
from moot_client.replica import Replica

MEGABYTE = 1 << 20
ATTACKS = {}


def attack(finding, memory=64 * MEGABYTE, disk=64 * MEGABYTE, people=1, takes_long=False):
    """Registers an attack: the finding that it confirms, what it may cost, and whether it takes much longer than others.

    `people` is how many more people a node may list afterwards: an attacker who was made a member is one whom its user knows.
    """

    def register(function):
        function.finding, function.takes_long = finding, takes_long
        function.memory, function.disk, function.people = memory, disk, people
        ATTACKS[function.__name__] = function
        return function

    return register


class World:
    """Alice and Bob, who are honest, run real nodes and share the group Ship; Bob's node dials Alice's."""

    def __init__(self, moot, folder):
        self.moot, self.folder = moot, pathlib.Path(folder)
        self.nodes, self.watched, self.notes, self.peers = [], [], [], []
        # Nodes that an attack starts besides and judges by itself, and devices that it had linked.
        self.others, self.households = [], []
        try:
            self._begin()
        except BaseException:
            self.stop()
            raise

    def _begin(self):
        self.alice = Node(self.moot, self.folder / "alice", "Alice")
        self.nodes.append(self.alice)
        self.bob = Node(self.moot, self.folder / "bob", "Bob", [self.alice.place])
        self.nodes.append(self.bob)
        if not (self.alice.learns(self.bob.user) and self.bob.learns(self.alice.user)):
            raise RuntimeError("two honest nodes do not meet")
        # A group has three members at least. Carol is seen once and never again.
        carol, peer = self.friend("Carol")
        self.ship = self.make_group("Ship", self.bob.user, carol.id)
        self.watched.append(self.ship)
        peer.close()
        if not self.is_live(self.ship):
            raise RuntimeError("two honest nodes do not exchange messages")
        self._before = {node.name: (node.private_memory(), node.disk(), len(node.people())) for node in self.nodes}

    def make_group(self, name, *users):
        body = {"kind": "group", "name": name, "members": [user.hex() for user in users]}
        return self.alice.ask("POST", "/conversations", body, timeout=60)["id"]

    def connect(self, node, user, device=None, **options):
        """A connection to a node, of which its hello has come."""
        peer = Peer(node.address, user, device, **options)
        self.peers.append(peer)
        return peer.greeted(10) if options.get("says_hello", True) else peer

    def member(self, devices=1, name="Mallory", friends=()):
        """Mallory, whom Alice has put into the group Deck with Bob: the user, the replica, and connections to both nodes.

        Alice knows the friends already, and puts them into it as well.
        """
        user = User(name, devices)
        to_alice, to_bob = self.connect(self.alice, user), self.connect(self.bob, user)
        self.alice.learns(user.id)
        deck = self.make_group("Deck", self.bob.user, user.id, *(friend.id for friend in friends))
        self.watched.append(deck)
        self.alice.say(deck, "Welcome")
        replica = Replica(bytes.fromhex(deck))
        if not replica.pull(to_alice) or not wait_until(lambda: "Welcome" in self.bob.texts(deck)):
            raise RuntimeError("the group Deck does not get to everybody")
        return user, replica, to_alice, to_bob

    def credentials(self, node):
        """What a node says of its user."""
        peer = self.connect(node, User("Passer-by"))
        try:
            return peer.credentials
        finally:
            peer.close()

    def friend(self, name="Eve", devices=1):
        """Another liar, known to Alice: the user, and a connection to Alice's node."""
        user = User(name, devices)
        peer = self.connect(self.alice, user)
        self.alice.learns(user.id)
        return user, peer

    def another(self, name, *peers):
        """A node that the general verdict does not ask."""
        node = Node(self.moot, self.folder / f"{name.lower()}-{len(self.others)}", name, [peer.place for peer in peers])
        self.others.append(node)
        return node

    def tidy(self):
        """Leaves Alice and Bob for the next attack with the devices that they had."""
        for household in self.households:
            household.leave()
        for node in self.others:
            node.stop()
        for peer in self.peers:
            peer.close()
        self.households, self.peers = [], []

    def note(self, words):
        self.notes.append(words)

    # The verdict

    def is_live(self, conversation, timeout=15.0):
        """Whether messages pass between Alice and Bob, both ways."""
        try:
            for sender, receiver in itertools.permutations(self.nodes):
                text = uuid.uuid4().hex
                sender.say(conversation, text)
                if not wait_until(lambda r=receiver, t=text: t in r.texts(conversation), timeout):
                    return False
            return True
        except (OSError, Refused, http.client.HTTPException):
            return False

    def are_connected(self):
        def see():
            return self.bob.user in self.alice.peer_users() and self.alice.user in self.bob.peer_users()

        return wait_until(see, 10)

    def are_equal(self):
        """Whether both nodes hold the same of every conversation that is watched, within a while."""

        def digests(node):
            return {one["conversation"]: one["digest"] for one in node.ask("GET", "/verify", timeout=60)["conversations"]}

        def equal():
            ours, theirs = map(digests, self.nodes)
            return all(ours.get(one) == theirs.get(one) for one in self.watched)

        return wait_until(equal, 30, pause=0.5)

    def harms(self, attack):
        """What is worse than it was, when whoever attacked has gone."""
        for peer in self.peers:
            peer.close()
        found = [f"{node.name}'s node died" for node in self.nodes if not node.is_alive]
        if not found and not self.are_connected():
            found.append("Alice and Bob are no longer connected")
        if not found:
            for conversation in self.watched:
                if not self.is_live(conversation):
                    found.append(f"no live messages in {'Ship' if conversation == self.ship else 'Deck'}")
        for node in self.nodes:
            if node.is_alive:
                memory, disk, _ = self._before[node.name]
                grown = node.private_memory() - memory
                if grown > attack.memory:
                    found.append(f"{node.name}'s memory grew by {grown // MEGABYTE} MiB")
                grown = node.disk() - disk
                if grown > attack.disk:
                    found.append(f"{node.name}'s disk grew by {grown // MEGABYTE} MiB")
        return found + self.harms_after_restart(attack.people)

    def harms_after_restart(self, allowed):
        """What is worse after the next start. Of strangers who have gone, who are remembered for a while before it, nothing may be left."""
        found = []
        for node in self.nodes:
            try:
                node.restart()
            except RuntimeError:
                found.append(f"{node.name}'s node does not start again")
        if not found:
            wait_until(lambda: False, 3)
            found += [f"{node.name}'s node dies after its next start" for node in self.nodes if not node.is_alive]
        if not found and not self.are_connected():
            found.append("after a restart Alice and Bob do not connect")
        if not found:
            more = {node.name: len(node.people()) - self._before[node.name][2] for node in self.nodes}
            found += [f"{name} lists {count} more people" for name, count in more.items() if count > allowed]
        if not found:
            found += ["after a restart no live messages" for one in self.watched if not self.is_live(one)][:1]
        if not found and not self.are_equal():
            found.append("Alice and Bob do not hold the same")
        return found

    def stop(self):
        for peer in self.peers:
            peer.close()
        for node in self.nodes + self.others:
            node.stop()

