"""Plays that do harm today. Whoever mends one moves it to `rules.py`, which `scripts/test --all` runs."""

from moot_client import bodies
from moot_client.node import wait_until
from moot_client.operations import MESSAGE, REVOKE
from moot_client.people import REVOKED, User, sign_tombstone

from .rules import admins
from .stage import Stage, paper
from .world import MEGABYTE, attack


@attack("48 V", people=8)
def numbers_of_the_made_up(world):
    """What somebody made up writes on old heads is counted as unread, or in the statistics."""
    x, made_up = paper("X", "S")
    stage = Stage(world, x)
    (grant,) = admins(stage, x)
    stage.begin()
    stage.says(world.alice, "Read by everybody")
    for node in world.nodes:
        stage.has_read(node)
    old = stage.hear().fork()
    stage.honest.remove(stage.fay, x)
    old.add(x, made_up, under=grant)
    said = old.say(made_up, "I am one of you")
    stage.carry(stage.honest, old)
    harms = stage.cut_off(said)
    for node in world.nodes:
        if count := stage.unread(node):
            harms.append(f"{node.name} has {count} unread")
        statistics = node.ask("GET", f"/conversations/{stage.name}/statistics")
        if made_up.id.hex() in str(statistics):
            harms.append(f"{node.name}'s statistics name somebody made up")
    return harms


@attack("48 V", people=8)
def voice_by_a_further_part(world):
    """An admin who had removed a moderator is removed, and pins in a further, void part what that one writes on old heads."""
    y, m = paper("Y", "M")
    stage = Stage(world, y, m)
    honest = stage.honest
    (grant,) = admins(stage, y)
    honest.promote(stage.fay, m, bodies.MODERATOR)
    stage.begin()
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    first = honest.remove(y, m, under=grant)
    accomplice = honest.fork()
    honest.remove(stage.fay, y)
    old.meddle(m, target)
    said = old.say(m, "I was removed long ago")
    part = accomplice.remove(y, m, old.pins(m), under=grant)
    stage.carry(honest, old, accomplice)
    harms = stage.void(first) + stage.void(part, "target_not_a_member", "revoked")
    return harms + stage.untouched(target) + stage.cut_off(said) + stage.disagree()


@attack("48 V", people=8)
def voice_by_a_further_leave(world):
    """A moderator leaves, goes on under heads from before, and leaves once more, with pins of what they wrote in between."""
    (m,) = paper("M")
    stage = Stage(world, m)
    honest = stage.honest
    honest.promote(stage.fay, m, bodies.MODERATOR)
    stage.begin()
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    honest.leave(m)
    again = honest.fork()
    old.meddle(m, target)
    said = old.say(m, "I left long ago")
    again.leave(m, old.pins(m))
    stage.carry(honest, old, again)
    return stage.untouched(target) + stage.cut_off(said) + stage.disagree()


@attack("48 V", people=8)
def say_of_a_thiefs_choice(world):
    """A thief of the founder's device leaves; who is first then deletes as acting admin, also on those heads after the revocation."""
    (t,) = paper("T")
    stage = Stage(world, t, devices=2)
    fay, honest = stage.fay, stage.honest
    stage.begin()
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    old.leave(fay, device=fay.devices[1])
    stage.carry(old)
    tombstone = sign_tombstone(fay.root, fay.devices[1].id, REVOKED)
    honest.decide(fay, REVOKE, bodies.revoke(fay.root, honest.replica.conversation, tombstone))
    stage.carry(honest)
    old.meddle(t, target)
    said = old.say(t, "I am first")
    stage.carry(old)
    return stage.is_member(t, "member") + stage.untouched(target, reacts=True) + stage.counts(said) + stage.disagree()


@attack("48 E11", people=8)
def farewell_that_comes_late(world):
    """An admin removes somebody, with pins, and leaves; Alice's node hears of that before it has what both wrote, and answers the leave."""
    eve, eve_peer = world.friend()
    p, _ = world.friend("P")
    x, replica, _, _ = world.member(friends=[eve, p])
    stage = Stage.of(world, replica, eve, eve_peer)
    honest, grant = stage.honest, stage.given(x, "admin")
    said = honest.say(p, "I am here still"), honest.say(x, "I go")
    honest.remove(x, p, honest.pins(p), under=grant)
    honest.leave(x, honest.pins(x))
    # The membership lane is carried first.
    stage.carry(honest)
    harms = [] if stage.is_ratified() else ["nobody ratifies what who left had decided"]
    return harms + stage.counts(*said) + stage.disagree()


@attack("48 E11", people=8)
def farewell_while_away(world):
    """Bob, a moderator who added somebody, writes and leaves while Alice is away; nobody lies. Once she is back, all of it counts."""
    dora, fred = world.another("Dora", world.alice, world.bob), User("Fred")
    friend, _ = world.friend()
    world.connect(world.bob, fred)
    for node, user in ((world.alice, dora.user), (world.bob, dora.user), (world.bob, fred.id)):
        wait_until(lambda node=node, user=user: user.hex() in {one["user"] for one in node.people()})
    name = world.make_group("Den", world.bob.user, dora.user, friend.id)

    def lane():
        return [one["type"] for one in dora.ask("GET", f"/conversations/{name}/membership")]

    wait_until(lambda: all(name in {one["id"] for one in node.conversations()} for node in (world.bob, dora)))
    world.alice.ask("PATCH", f"/conversations/{name}/members/{world.bob.user.hex()}", {"role": "moderator"})
    wait_until(lambda: world.bob.ask("GET", f"/conversations/{name}")["me"].get("role") == "moderator")
    world.bob.ask("POST", f"/conversations/{name}/members", {"members": [fred.id.hex()]})
    world.alice.say(name, "I am off")
    wait_until(lambda: all("I am off" in node.texts(name) for node in (world.bob, dora)))
    world.alice.stop()
    words = {f"While Alice is away {index}" for index in range(40)}
    for one in sorted(words):
        world.bob.say(name, one)
    wait_until(lambda: words <= set(dora.texts(name)))
    world.bob.ask("POST", f"/conversations/{name}/leave", {})
    wait_until(lambda: "leave" in lane())
    world.alice.start()
    if not wait_until(lambda: any(one.startswith("ratify") for one in lane()), 10):
        return ["Alice's node does not ratify what Bob decided"]
    wait_until(lambda: words <= set(world.alice.texts(name)), 10)
    shown = dora.ask("GET", f"/conversations/{name}/messages?limit=100")["messages"]
    cut = [one for one in shown if one.get("text") in words and one.get("after_removal")]
    return [f"{len(cut)} of {len(words)} messages are shown as if they did not count"] if cut else []


@attack("48 V", people=24, disk=24 * MEGABYTE, takes_long=True)
def flood_of_the_made_up(world):
    """A removed admin makes up ten people on old heads, each of whom writes 3.9 MiB: nobody can remove them."""
    x, *made_up = paper("X", *(f"S{index}" for index in range(10)))
    stage = Stage(world, x)
    (grant,) = admins(stage, x)
    stage.begin()
    # What they wrote in is accepted.
    for node in world.nodes:
        stage.says(node, "Here")
    old = stage.hear().fork()
    stage.honest.remove(stage.fay, x)
    old.add(x, *made_up, under=grant)
    stage.carry(stage.honest, old)
    for one in made_up:
        # So many at a time fit a batch.
        for _ in range(4):
            for _ in range(16):
                old.write(one, MESSAGE, bytes(60_000), dependencies=[])
            stage.carry(old, waits=False)
            # Of what nobody asked for nodes take 4 MiB a second.
            wait_until(lambda: False, 0.4)
    wait_until(lambda: False, 5)
    world.note(f"{world.alice.name}'s disk + {(world.alice.disk() - world._before[world.alice.name][1]) // MEGABYTE} MiB")
