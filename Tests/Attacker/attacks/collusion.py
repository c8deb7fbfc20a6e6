"""Two who work together: one was removed or has left, the other is still a member and carries what they write."""

from moot_client import bodies
from moot_client.node import wait_until
from moot_client.operations import DELETE, LEAVE, MESSAGE

from .authority import Accomplices
from .world import attack


def _deletes(pair, **place):
    """Whether a message that Alice writes now is gone when Eve has carried Mallory's word about it."""
    target = bytes.fromhex(pair.world.alice.say(pair.deck, "Long after they were out")["id"])
    wait_until(lambda: False, 1)
    pair.carry(pair.write(DELETE, target, dependencies=[], **place))
    return not any(message.get("text") == "Long after they were out" for message in pair.shown())


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
    if any(message.get("text") == "I left and speak on" and not message.get("after_removal") for message in pair.shown()):
        harms.append("what somebody writes after they left is shown without a mark")
    return harms
