"""Two who work together: one was removed or has left, the other is still a member and carries what they write."""

from moot_client import bodies
from moot_client.node import wait_until
from moot_client.operations import ADD, CONTENT, DELETE, LEAVE, MESSAGE, PROMOTE
from moot_client.people import User

from .authority import Accomplices
from .world import attack


def _deletes(pair, **place):
    """Whether a message that Alice writes now is gone when Eve has carried Mallory's word about it."""
    target = bytes.fromhex(pair.world.alice.say(pair.deck, "Long after they were out")["id"])
    wait_until(lambda: False, 1)
    pair.carry(pair.write(DELETE, target, dependencies=[], **place))
    return not any(message.get("text") == "Long after they were out" for message in pair.shown())


def _cut_off_by(message):
    """The rule by which a message is shown as one that does not count."""
    return message.get("uncounted", {}).get("rule")


@attack("beyond", people=2)
def deletes_of_the_removed(world):
    """A removed moderator deletes, on old heads and at the end of their chain, what is written after their removal."""
    if _deletes(Accomplices(world, 3, "moderator").part()):
        return ["a removed moderator deletes what is written after their removal"]


@attack("beyond", people=2)
def fork_below_the_pin(world):
    """A removed moderator forks their chain below the number that the removal pins, and decides on as a moderator."""
    pair = Accomplices(world, 3, "moderator").part()
    if _deletes(pair, previous=(pair.epoch.sequence, pair.epoch.id)):
        return ["a removed moderator goes on as one below the pin"]


@attack("beyond", people=2)
def leave_that_pins_the_future(world):
    """A moderator leaves, and pins of themselves what they have not written yet: it must not count as if they were in."""
    pair = Accomplices(world, 3, "moderator")
    future = [(pair.user.device.id, 1 << 53, bytes(32))]
    pair.replica.push(pair.to_alice, [pair.replica.write(pair.user, LEAVE, bodies.pins(future))])
    wait_until(lambda: False, 1)
    harms = ["a moderator who left goes on as one under their own pins"] if _deletes(pair) else []
    pair.carry(pair.write(MESSAGE, bodies.message("I left and speak on")))
    if any(message.get("text") == "I left and speak on" and _cut_off_by(message) != "author_removed" for message in pair.shown()):
        harms.append("what somebody writes after they left is shown without a mark that says so")
    return harms


@attack("beyond", people=3)
def moderator_made_up_by_the_removed(world):
    """A removed admin brings in somebody made up, on old heads, and makes them moderator: both void. These write, and delete what Alice wrote."""
    pair = Accomplices(world, role="admin")
    replica, user, made_up = pair.replica, pair.user, User("Unheard-of")
    target = bytes.fromhex(world.alice.say(pair.deck, "Read by everybody")["id"])
    promotion = next(operation for operation in reversed(replica.order) if operation.type == PROMOTE)
    grant = bodies.grant(promotion.id, 1)
    decisions = [
        replica.write(user, ADD, bodies.add(grant, [made_up.credentials])),
        replica.write(user, PROMOTE, bodies.promote(grant, made_up.id, bodies.MODERATOR)),
    ]
    epoch = replica.make_epoch(made_up)
    key = replica.epochs[epoch.id]
    said = replica.say(made_up, "I am one of you", epoch)
    deletion = replica.write(made_up, DELETE, target, CONTENT, seal_with=key, epoch=epoch.id)
    pair.part()
    pair.carry(*decisions)
    pair.carry(epoch, said, deletion)
    shown = pair.shown()
    harms = []
    if not any(message.get("text") == "Read by everybody" for message in shown):
        harms.append("somebody made up deletes what a member wrote")
    of_nobody = [message for message in shown if message.get("text") == "I am one of you"]
    if any(_cut_off_by(message) != "addition_void" for message in of_nobody):
        harms.append("what somebody made up writes is shown without a mark that says so")
    world.note(f"{len(of_nobody)} of their messages are shown")
    return harms
