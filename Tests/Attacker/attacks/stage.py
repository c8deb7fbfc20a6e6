"""A group whose history an attack writes itself: a founder and others who exist on paper only, and Alice and Bob, who run real nodes."""

import copy

from moot_client import bodies, messages
from moot_client.node import wait_until
from moot_client.operations import (
    ADD,
    CONTENT,
    DELETE,
    LEAVE,
    MEMBERSHIP,
    MESSAGE,
    PIN,
    PROMOTE,
    REACTION,
    REMOVE,
    SET,
)
from moot_client.people import Credentials, User
from moot_client.replica import Replica


def paper(*names):
    """People who exist on paper only."""
    return [User(name) for name in names]


class Branch:
    """What somebody knows of the group, and writes on. Branches that were copied from each other do not know of each other."""

    def __init__(self, replica):
        self.replica, self.epochs, self.written = replica, {}, []

    def fork(self):
        """The same past, for somebody who hears nothing from here on."""
        other = Branch(copy.deepcopy(self.replica))
        other.epochs = dict(self.epochs)
        return other

    def merge(self, *others):
        """Hears of what was written elsewhere."""
        for other in others:
            for operation in other.written:
                self.replica.apply(operation)
        return self

    # Membership

    def decide(self, user, kind, body, **fields):
        operation = self.replica.write(user, kind, body, **fields)
        self.written.append(operation)
        return operation

    def grant(self, user):
        """The grant by which somebody came."""
        return self.replica.grant_of(user.id)

    def add(self, user, *people, under=None, **fields):
        body = bodies.add(under or self.grant(user), [one if isinstance(one, bytes) else one.credentials for one in people])
        return self.decide(user, ADD, body, **fields)

    def promote(self, user, target, role, under=None, **fields):
        """The grant that the promotion makes."""
        body = bodies.promote(under or self.grant(user), getattr(target, "id", target), role)
        return bodies.grant(self.decide(user, PROMOTE, body, **fields).id, 1)

    def remove(self, user, target, pins=(), under=None, **fields):
        return self.decide(user, REMOVE, bodies.remove(under or self.grant(user), getattr(target, "id", target), pins), **fields)

    def leave(self, user, pins=(), **fields):
        return self.decide(user, LEAVE, bodies.pins(pins), **fields)

    def set(self, user, field, value, under=None):
        return self.decide(user, SET, bodies.setting(under or self.grant(user), field, value))

    def pins(self, user):
        """What somebody who takes the user out names of what they wrote: their last operation here."""
        return [(user.device.id, *tip) for tip in sorted(self.replica.tips[CONTENT].get(user.device.id, ()))[-1:]]

    # Content

    def write(self, user, kind, plaintext, **fields):
        """Somebody writes under a key of their own, which they make first."""
        key = (user.id, tuple(sorted(self.replica.heads[MEMBERSHIP])))
        if key not in self.epochs:
            self.epochs[key] = self.replica.make_epoch(user)
            self.written.append(self.epochs[key])
        epoch = self.epochs[key]
        seal = self.replica.epochs[epoch.id]
        operation = self.replica.write(user, kind, plaintext, CONTENT, seal_with=seal, epoch=epoch.id, **fields)
        self.written.append(operation)
        return operation

    def meddle(self, user, target):
        """Somebody deletes, pins and marks a message of somebody else."""
        self.write(user, PIN, target + b"\1")
        self.write(user, REACTION, target + b"\1" + bodies.text("👎"))
        self.write(user, DELETE, target)

    def say(self, user, words):
        return self.write(user, MESSAGE, bodies.message(words))


class Stage:
    """The group Play. Fay founded it; Eve, a member, carries what everybody writes to Alice's and Bob's nodes.

    Fay added `early` first, and then Alice, Bob and Eve, but for the nodes that it is to be `without` at first. `honest` is what Fay knows;
    whoever is hostile writes on a fork of it, which has heard nothing since.
    """

    def __init__(self, world, *early, devices=1, without=()):
        self.world = world
        self.fay, self.eve = User("Fay", devices), User("Eve")
        self.to_alice, self.to_bob = world.connect(world.alice, self.eve), world.connect(world.bob, self.eve)
        self.alice, self.bob = self.to_alice.credentials, self.to_bob.credentials
        people = [self.alice, self.bob, Credentials(self.eve.credentials)]
        people = [one for one in people if one.user not in {node.user for node in without}]
        replica = Replica.found(self.fay, *(Credentials(one.credentials) for one in early), *people)
        self.honest = Branch(replica)
        self.honest.written += replica.order
        self.name, self.sent = replica.conversation.hex(), set()

    @classmethod
    def of(cls, world, replica, eve, to_alice):
        """A group that Alice founded, in which Eve is."""
        stage = cls.__new__(cls)
        stage.world, stage.eve, stage.to_alice, stage.to_bob = world, eve, to_alice, world.connect(world.bob, eve)
        stage.honest, stage.name, stage.sent = Branch(replica), replica.conversation.hex(), set(replica.operations)
        return stage

    def begin(self, *nodes):
        """Alice and Bob are shown the group, and accept it."""
        conversation = self.honest.replica.conversation
        for peer in (self.to_alice, self.to_bob):
            peer.send(messages.announce_group(conversation))
        self.carry(self.honest, waits=False)
        for node in nodes or self.world.nodes:
            if not wait_until(lambda node=node: self._accepts(node), 10, pause=0.02):
                raise RuntimeError(f"{node.name} is not shown the group")
        self.world.watched.append(self.name)
        return self

    def _accepts(self, node):
        me = self.info(node)["me"]
        if me["awaits_answer"]:
            node.ask("POST", f"/conversations/{self.name}/answer", {"accept": True})
        return me["is_member"]

    def carry(self, *branches, waits=True):
        """Eve carries what was written on the branches, the one after the other, and waits until both nodes have what they show of it."""
        for branch in branches:
            fresh = [operation for operation in branch.written if operation.id not in self.sent]
            self.sent.update(operation.id for operation in fresh)
            for lane in (MEMBERSHIP, CONTENT):
                operations = [operation for operation in fresh if operation.lane == lane]
                if operations:
                    for peer in (self.to_alice, self.to_bob):
                        self.honest.replica.push(peer, operations)
            if not waits:
                continue
            names = {operation.id.hex() for operation in fresh if operation.lane == MEMBERSHIP or operation.type == MESSAGE}
            for node in self.world.nodes:
                if not wait_until(lambda node=node, names=names: names <= self._held(node), 6, pause=0.02):
                    missing = [operation.type for operation in fresh if operation.id.hex() in names - self._held(node)]
                    raise RuntimeError(f"{node.name} does not show operations of types {missing}")

    def hear(self):
        """Takes in what Alice and Bob wrote."""
        self.honest.replica.pull(self.to_alice)
        self.sent.update(self.honest.replica.operations)
        return self.honest

    def _held(self, node):
        return set(self.verdicts(node)) | {message["id"] for message in self.shown(node)}

    # What is seen

    def info(self, node):
        return node.ask("GET", f"/conversations/{self.name}")

    def lane(self, node):
        return node.ask("GET", f"/conversations/{self.name}/membership")

    def verdicts(self, node):
        """Which rule made each operation of the lane void, if one did."""
        return {entry["id"]: None if entry["effective"] else entry.get("rule") for entry in self.lane(node)}

    def shown(self, node):
        return node.ask("GET", f"/conversations/{self.name}/messages?limit=100")["messages"]

    def members(self, node):
        """{user: role}"""
        found, page = {}, {"next": ""}
        while "next" in page:
            after = f"&after={page['next']}" if page["next"] else ""
            page = node.ask("GET", f"/conversations/{self.name}/members?limit=100{after}")
            found.update((bytes.fromhex(one["user"]), one["role"]) for one in page["members"])
        return found

    def given(self, user, role):
        """The grant that Alice's node gives somebody in her group."""
        self.world.alice.ask("PATCH", f"/conversations/{self.name}/members/{user.id.hex()}", {"role": role})
        promotions = [bytes.fromhex(one["id"]) for one in self.lane(self.world.alice) if one["type"].startswith("promote")]
        wait_until(lambda: promotions[-1].hex() in self.verdicts(self.world.bob), 5, pause=0.05)
        self.hear()
        return bodies.grant(promotions[-1], 1)

    def is_ratified(self):
        """Whether a node ratifies what is there, soon."""
        return wait_until(lambda: any(one["type"].startswith("ratify") for one in self.lane(self.world.bob)), 5, pause=0.05)

    # What must hold

    def disagree(self):
        """Where Alice and Bob, who have the same, say something else."""

        def views(node):
            info = self.info(node)
            waiting = sorted(one["user"] for one in info.get("waiting", []))
            return self.verdicts(node), self.members(node), waiting, info.get("acting_admin"), info.get("settings")

        agree = wait_until(lambda: views(self.world.alice) == views(self.world.bob), 5, pause=0.05)
        return [] if agree else ["Alice and Bob do not agree"]

    def void(self, operation, *rules):
        """What is wrong where an operation is not void by one of the rules (of none: where it is)."""
        name = operation.id.hex()
        found = {node.name: self.verdicts(node).get(name, "missing") for node in self.world.nodes}
        wanted = set(rules) or {None}
        return [f"{node} says {rule} of an operation of type {operation.type}" for node, rule in found.items() if rule not in wanted]

    def cut_off(self, *messages_cut):
        """What is wrong where messages are shown as if they counted."""
        return self._marks(messages_cut, True, "is shown as if it counted")

    def counts(self, *messages_counting):
        return self._marks(messages_counting, False, "is shown as if it did not count")

    def _marks(self, operations, is_cut, what):
        harms = []
        for node in self.world.nodes:
            marks = {message["id"]: bool(message.get("after_removal")) for message in self.shown(node)}
            found = [marks.get(operation.id.hex()) for operation in operations]
            harms += [f"at {node.name}'s a message {what if mark is not None else 'is not shown'}" for mark in found if mark != is_cut]
        return harms

    def untouched(self, target, reacts=False):
        """What is wrong where a message is deleted, pinned or, unless who meddled may do that, marked with an emoji."""
        harms = []
        for node in self.world.nodes:
            message = next((one for one in self.shown(node) if one["id"] == target.hex()), None)
            if message is None or message.get("deleted"):
                harms.append(f"at {node.name}'s a message is deleted")
            elif message.get("pinned") or (message.get("reactions") and not reacts):
                harms.append(f"at {node.name}'s a message is pinned, or has a reaction")
        return harms

    def says(self, node, words):
        """A real node's message, as soon as both have it."""
        said = node.say(self.name, words)["id"]
        wait_until(lambda: all(any(one["id"] == said for one in self.shown(other)) for other in self.world.nodes), 10, pause=0.02)
        return bytes.fromhex(said)

    def has_read(self, node):
        node.ask("POST", f"/conversations/{self.name}/read", {})

    def unread(self, node):
        return self.info(node)["unread"]

    def is_member(self, person, role=None):
        """What is wrong where somebody is no member, or has another role."""
        user = getattr(person, "user", None) or person.id
        found = {node.name: self.members(node).get(user) for node in self.world.nodes}
        return [f"at {node}'s somebody is {now}" for node, now in found.items() if now is None or (role and now != role)]

    def is_out(self, person):
        user = getattr(person, "user", None) or person.id
        return [f"at {node.name}'s somebody is still in" for node in self.world.nodes if user in self.members(node)]
