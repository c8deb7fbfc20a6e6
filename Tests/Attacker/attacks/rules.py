"""Plays against the rules: whoever is out, or may not, brings others in, gives them roles, has them speak, or fills the group.

Each writes the whole history of a group. Honest people who exist on paper only do in it what their nodes would. A play that Protocol.md
names under "What it does not do" is held where what comes of it is what is said there.
"""

from moot_client import bodies
from moot_client.node import Refused, wait_until
from moot_client.operations import DEMOTE, INVITE, JOIN, MESSAGE, REVOKE, STEPDOWN
from moot_client.people import REVOKED, Device, User, now, sign_tombstone
from moot_client.sodium import H, SigningKey

from .stage import Stage, paper
from .world import MEGABYTE, attack


def admins(stage, *people):
    """Fay makes them admins. Returns the grants."""
    return [stage.honest.promote(stage.fay, one, bodies.ADMIN) for one in people]


def reason(refused):
    """What a refusal says in words."""
    return str(refused).rsplit(": ", 1)[-1].rstrip("'}").lstrip("'")


# What a void operation lends


@attack("48 V", people=8)
def voices_of_the_made_up(world):
    """A removed admin brings in somebody made up on old heads, who deletes, pins and marks what Alice wrote, and speaks."""
    x, made_up, d = paper("X", "S", "D")
    stage = Stage(world, x)
    (grant,) = admins(stage, x)
    stage.begin()
    # What whoever removes them has seen stays.
    stage.honest.add(x, d, under=grant)
    stays = stage.honest.say(d, "X brought me in"), stage.honest.say(x, "I was one of you")
    stage.carry(stage.honest)
    target = stage.says(world.alice, "Read by everybody")
    for node in world.nodes:
        stage.has_read(node)
    old = stage.hear().fork()
    removal = stage.honest.remove(stage.fay, x, stage.honest.pins(x))
    addition = old.add(x, made_up, under=grant)
    old.promote(x, made_up, bodies.MODERATOR, under=grant)
    old.meddle(made_up, target)
    said = old.say(made_up, "I am one of you")
    stage.carry(stage.honest, old)
    harms = stage.void(removal) + stage.void(addition, "revoked") + stage.untouched(target) + stage.cut_off(said)
    return harms + stage.counts(*stays) + stage.is_member(d, "member") + stage.disagree()


@attack("48 V", people=8)
def moderator_by_a_void_promotion(world):
    """A removed admin promotes a plain member on old heads: these delete what Alice wrote, and are removed in the end."""
    x, m = paper("X", "M")
    stage = Stage(world, x, m)
    (grant,) = admins(stage, x)
    stage.begin()
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    stage.honest.remove(stage.fay, x)
    old.promote(x, m, bodies.MODERATOR, under=grant)
    old.meddle(m, target)
    said = old.say(m, "I decide here")
    stage.carry(old, stage.honest)
    # Who was a plain member all along may speak and mark, and decides about nothing.
    harms = stage.untouched(target, reacts=True) + stage.counts(said)
    stage.honest.merge(old).remove(stage.fay, m, old.pins(m))
    stage.carry(stage.honest)
    return harms + stage.untouched(target, reacts=True) + stage.counts(said) + stage.disagree()


@attack("48 V", people=10)
def voices_by_those_who_add(world):
    """A removed moderator, and a removed plain member where everybody adds, go on through people whom they add or invite on old heads."""
    y, m, s, t, i = paper("Y", "M", "S", "T", "I")
    stage = Stage(world, y, m)
    honest = stage.honest
    grant = honest.promote(stage.fay, y, bodies.MODERATOR)
    honest.set(stage.fay, "members-add", "everyone")
    stage.begin()
    old, older = honest.fork(), honest.fork()
    honest.remove(stage.fay, y)
    honest.remove(stage.fay, m)
    old.add(y, s, under=grant)
    older.add(m, t)
    invite = old.decide(y, INVITE, bodies.invite_person(grant, i.credentials))
    old.decide(i, JOIN, bodies.join(invite.id, i.credentials))
    said = old.say(s, "For Y"), old.say(i, "For Y, too"), older.say(t, "For M")
    stage.carry(honest, old, older)
    return stage.cut_off(*said) + [harm for one in (s, t, i) for harm in stage.is_out(one)] + stage.disagree()


@attack("48 V", people=8)
def voices_by_a_stolen_device(world):
    """A thief of a device of the founder's brings in a moderator, who deletes and speaks; the device is revoked."""
    (s,) = paper("S")
    stage = Stage(world, devices=2)
    fay, honest = stage.fay, stage.honest
    stage.begin()
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    addition = old.add(fay, s, device=fay.devices[1])
    old.promote(fay, s, bodies.MODERATOR, device=fay.devices[1])
    old.meddle(s, target)
    said = old.say(s, "By a thief's grace")
    stage.carry(old)
    harms = stage.counts(said)
    tombstone = sign_tombstone(fay.root, fay.devices[1].id, REVOKED)
    honest.decide(fay, REVOKE, bodies.revoke(fay.root, honest.replica.conversation, tombstone))
    stage.carry(honest)
    harms += stage.void(addition, "device_revoked")
    wait_until(lambda: not stage.untouched(target), 3, pause=0.05)
    return harms + stage.untouched(target) + stage.cut_off(said) + stage.is_out(s) + stage.disagree()


@attack("48 V", people=8)
def voice_of_who_lost_a_code(world):
    """Two accept one invite by code where they do not know of each other: the one who loses speaks as if they were in."""
    i, j = paper("I", "J")
    stage = Stage(world)
    honest, code = stage.honest, SigningKey()
    body = bodies.invite_by_code(honest.grant(stage.fay), code.public, now() + 3_600_000)
    invite = honest.decide(stage.fay, INVITE, body)
    stage.begin()
    said, joins = {}, {}
    branches = {one: honest.fork() for one in (i, j)}
    for one, branch in branches.items():
        proof = code.sign("moot/1/invite", honest.replica.conversation, invite.id, one.id)
        joins[one] = branch.decide(one, JOIN, bodies.join(invite.id, one.credentials, proof))
        said[one] = branch.say(one, "I was first")
    stage.carry(*branches.values())
    winner, loser = sorted((i, j), key=lambda one: H("moot/1/tie", honest.replica.conversation, one.id))
    harms = stage.void(joins[winner]) + stage.void(joins[loser], "invite_used")
    return harms + stage.counts(said[winner]) + stage.cut_off(said[loser]) + stage.is_out(loser) + stage.disagree()


# Announcements


@attack("48 Ann", people=8)
def voices_where_moderators_write(world):
    """A plain member writes and edits where only moderators do; removed admins switch that on and off on old heads."""
    x, y, m = paper("X", "Y", "M")
    stage = Stage(world, x, y, m)
    fay, honest = stage.fay, stage.honest
    grants = admins(stage, x, y)
    stage.begin()
    before = honest.fork()
    before.set(x, "announcement", "on", under=grants[0])
    heard = before.say(m, "The setting is void")
    honest.set(fay, "announcement", "on")
    after = honest.fork()
    after.set(y, "announcement", "off", under=grants[1])
    lent = after.say(m, "So is this one")
    plain = honest.say(m, "I am a plain member")
    word = honest.say(fay, "I am not")
    honest.remove(fay, x)
    honest.remove(fay, y)
    stage.carry(honest, before, after)
    harms = stage.counts(heard, word) + stage.cut_off(lent, plain) + stage.disagree()
    try:
        world.bob.say(stage.name, "Nor is Bob")
        harms.append("Bob's node writes where only moderators do")
    except Refused as refused:
        world.note(reason(refused))
    honest.set(fay, "announcement", "off")
    stage.carry(honest)
    return harms


@attack("48 V", people=8)
def addition_by_a_void_setting(world):
    """A removed admin lets everybody add on old heads; a plain member adds somebody under that, who speaks."""
    x, m, d = paper("X", "M", "D")
    stage = Stage(world, x, m)
    honest = stage.honest
    (grant,) = admins(stage, x)
    stage.begin()
    old = honest.fork()
    old.set(x, "members-add", "everyone", under=grant)
    addition = old.add(m, d)
    said = old.say(d, "Everybody adds here")
    honest.remove(stage.fay, x)
    stage.carry(honest, old)
    return stage.void(addition, "setting_void") + stage.cut_off(said) + stage.is_out(d) + stage.disagree()


# Room


@attack("48 E1", people=300)
def pushed_out_of_a_full_group(world):
    """A plain member adds 254 made-up people on heads from before Bob was added: Bob stays, and they wait."""
    (m,) = paper("M")
    stage = Stage(world, m, without=[world.bob])
    fay, honest = stage.fay, stage.honest
    honest.set(fay, "members-add", "everyone")
    old = honest.fork()
    honest.add(fay, stage.bob.encoded)
    stage.begin()
    stage.says(world.bob, "I was here before them")
    crowd = paper(*(f"Z{index}" for index in range(254)))
    for first in range(0, len(crowd), 100):
        old.add(m, *crowd[first : first + 100])
    stage.carry(old)
    harms = stage.is_member(stage.bob) + stage.is_member(stage.alice) + stage.disagree()
    for node in world.nodes:
        waiting = {bytes.fromhex(one["user"]) for one in stage.info(node).get("waiting", [])}
        if len(waiting) != 3 or not waiting <= {one.id for one in crowd}:
            harms.append(f"at {node.name}'s {len(waiting)} people wait, {len(waiting - {one.id for one in crowd})} of them not made up")
    stage.says(world.bob, "I am here after them")
    return harms


@attack("48 E1", people=300)
def invited_into_a_full_group(world):
    """Bob accepts an invite while others, who do not hear it, fill the group: he waits, is told so, and comes in when there is room."""
    (m,) = paper("M")
    stage = Stage(world, m, without=[world.bob])
    fay, honest = stage.fay, stage.honest
    honest.decide(fay, INVITE, bodies.invite_person(honest.grant(fay), stage.bob.encoded))
    for count in (84, 84, 83):
        honest.add(fay, *paper(*(f"Z{index}" for index in range(count))))
    stage.begin(world.alice)
    honest.add(fay, *paper("Last"))
    if not wait_until(lambda: stage.info(world.bob)["me"]["awaits_answer"], 5, pause=0.05):
        return ["Bob is not asked"]
    world.bob.ask("POST", f"/conversations/{stage.name}/answer", {"accept": True})
    stage.carry(honest)
    harms = stage.disagree()
    if [one["user"] for one in stage.info(world.alice).get("waiting", [])] != [world.bob.user.hex()]:
        harms.append("Alice is not shown that Bob waits")
    me = stage.info(world.bob)["me"]
    if not me.get("waits") or me["may"]["write"]:
        harms.append(f"Bob is told {me}")
    try:
        world.bob.say(stage.name, "Somebody may hear me")
        harms.append("Bob's node writes while he waits")
    except Refused as refused:
        world.note(reason(refused))
    harms += stage.is_member(stage.alice) + stage.is_member(m)
    stage.hear().remove(fay, m)
    stage.carry(honest)
    if not wait_until(lambda: stage.info(world.bob)["me"]["may"]["write"], 5, pause=0.05):
        return [*harms, "Bob is not let in when there is room"]
    stage.says(world.bob, "Now I am in")
    return harms + stage.disagree()


# Who is first


@attack("48 E1", people=8)
def first_by_an_old_date(world):
    """A plain member adds somebody, and an invitee joins, on heads from before Alice was added; all before her leave: Alice acts."""
    m, t, i = paper("M", "T", "I")
    stage = Stage(world, m, without=[world.alice, world.bob])
    fay, honest = stage.fay, stage.honest
    honest.set(fay, "members-add", "everyone")
    invite = honest.decide(fay, INVITE, bodies.invite_person(honest.grant(fay), i.credentials))
    old = honest.fork()
    honest.add(fay, stage.alice.encoded, stage.bob.encoded)
    # Eve gives way to Alice.
    honest.leave(stage.eve)
    honest.add(fay, stage.eve)
    stage.begin()
    old.decide(i, JOIN, bodies.join(invite.id, i.credentials))
    old.add(m, t)
    stage.carry(old)
    honest.leave(m)
    honest.leave(fay)
    stage.carry(honest)
    harms = stage.is_member(t) + stage.is_member(i) + stage.disagree()
    found = {node.name: stage.info(node).get("acting_admin") for node in world.nodes}
    if set(found.values()) != {world.alice.user.hex()}:
        harms.append(f"first are {found}, not Alice {world.alice.user.hex()[:8]}")
    return harms


@attack("48 E2", people=8)
def setting_written_again(world):
    """The founder lets everybody add; an admin says so again, and is removed by somebody who has not heard it: additions stay."""
    x, m, d = paper("X", "M", "D")
    stage = Stage(world, x, m)
    fay, honest = stage.fay, stage.honest
    (grant,) = admins(stage, x)
    honest.set(fay, "members-add", "everyone")
    stage.begin()
    other = honest.fork()
    again = other.set(x, "members-add", "everyone", under=grant)
    addition = other.add(m, d)
    said = other.say(d, "Everybody adds here")
    honest.remove(fay, x)
    stage.carry(honest, other)
    harms = stage.void(again, "revoked") + stage.void(addition) + stage.is_member(d, "member") + stage.counts(said)
    return harms + stage.disagree()


@attack("48 E5", people=8)
def grant_that_will_fall(world):
    """An admin who is removed gives Bob, a moderator, a second, older grant; Bob removes somebody by his node: that stays."""
    x, s = paper("X", "S")
    stage = Stage(world, x, s)
    fay, honest = stage.fay, stage.honest
    (grant,) = admins(stage, x)
    old = honest.fork()
    # So the grant of the hostile one is older.
    honest.set(fay, "name", "Play")
    honest.promote(fay, stage.bob.user, bodies.MODERATOR)
    stage.begin()
    promotion = old.promote(x, stage.bob.user, bodies.MODERATOR, under=grant)
    stage.carry(old)
    laptop = honest.fork()
    world.bob.ask("DELETE", f"/conversations/{stage.name}/members/{s.id.hex()}")
    wait_until(lambda: not stage.is_out(s), 5, pause=0.05)
    removal = laptop.remove(fay, x)
    stage.carry(laptop)
    harms = stage.void(removal) + stage.is_out(s) + stage.is_member(stage.bob, "moderator") + stage.disagree()
    if not stage.verdicts(world.bob)[promotion[1:33].hex()]:
        harms.append("what the removed admin promoted counts")
    return harms


@attack("48 E10", people=8)
def removal_by_who_is_demoted(world):
    """An admin is demoted while they remove a plain member: what they did as admin is void, as Protocol.md says."""
    a, s = paper("A", "S")
    stage = Stage(world, a, s)
    fay, honest = stage.fay, stage.honest
    (grant,) = admins(stage, a)
    stage.begin()
    other = honest.fork()
    removal = other.remove(a, s, under=grant)
    honest.decide(fay, DEMOTE, bodies.promote(honest.grant(fay), a.id, bodies.MODERATOR))
    stage.carry(other, honest)
    return stage.void(removal, "revoked") + stage.is_member(s) + stage.is_member(a, "moderator") + stage.disagree()


@attack("48 E11", people=8)
def left_and_taken_back(world):
    """A moderator who brought somebody in leaves, and their root revokes their only device later: who they brought in stays."""
    eve, eve_peer = world.friend()
    m, replica, to_alice, _ = world.member(friends=[eve])
    d = User("D")
    stage = Stage.of(world, replica, eve, eve_peer)
    honest, name = stage.honest, stage.name
    grant = stage.given(m, "moderator")
    stage.hear()
    addition = honest.add(m, d, under=grant)
    said = honest.say(d, "M brought me in"), honest.say(m, "I go")
    stage.carry(honest)
    honest.leave(m, honest.pins(m))
    stage.carry(honest)
    harms = []
    if not stage.is_ratified():
        harms.append("nobody ratifies what who left had decided")
    stage.hear()
    tombstone = sign_tombstone(m.root, m.device.id, REVOKED)
    honest.decide(eve, REVOKE, bodies.revoke(m.root, replica.conversation, tombstone))
    stage.carry(honest)
    return harms + stage.void(addition) + stage.counts(*said) + stage.is_member(d, "member") + stage.is_out(m) + stage.disagree()


@attack("48 E11", people=8)
def admin_who_left_goes_on(world):
    """An admin leaves, is answered by a `ratify`, and brings in a moderator on heads from before: void, and cut off."""
    eve, eve_peer = world.friend()
    x, replica, _, _ = world.member(friends=[eve])
    (s,) = paper("S")
    stage = Stage.of(world, replica, eve, eve_peer)
    grant = stage.given(x, "admin")
    target = stage.says(world.alice, "Read by everybody")
    old = stage.hear().fork()
    farewell = stage.honest.say(x, "I go")
    stage.carry(stage.honest)
    stage.honest.leave(x, stage.honest.pins(x))
    stage.carry(stage.honest)
    harms = [] if stage.is_ratified() else ["nobody ratifies what who left had decided"]
    addition = old.add(x, s, under=grant)
    old.promote(x, s, bodies.MODERATOR, under=grant)
    old.meddle(s, target)
    said = old.say(s, "For X")
    stage.carry(old)
    harms += stage.void(addition, "revoked") + stage.untouched(target) + stage.cut_off(said) + stage.counts(farewell)
    return harms + stage.is_out(s) + stage.disagree()


@attack("48 E3", people=8)
def thief_who_leaves(world):
    """A thief of the founder's device removes somebody, and leaves: Alice's node makes nobody admin, and the revocation undoes it."""
    (p,) = paper("P")
    stage = Stage(world, p, without=[world.bob], devices=2)
    fay, honest = stage.fay, stage.honest
    honest.add(fay, stage.bob.encoded)
    honest.add(fay, *paper("Q"))
    stage.begin()
    before = len(stage.lane(world.alice))
    old = honest.fork()
    removal = old.remove(fay, p, device=fay.devices[1])
    leaving = old.leave(fay, device=fay.devices[1])
    said = honest.say(fay, "I am still here")
    stage.carry(old)
    harms = stage.void(removal) + stage.is_out(p) + stage.is_out(fay)
    if (first := stage.info(world.bob).get("acting_admin")) != world.alice.user.hex():
        harms.append(f"{first} acts, not Alice")
    wait_until(lambda: len(stage.lane(world.alice)) > before + 2, 1.5)
    written = [one["type"] for one in stage.lane(world.alice)[before + 2 :]]
    if [one for one in written if not one.startswith(("merge", "device"))]:
        harms.append(f"nodes answer a thief's leave with {written}")
    tombstone = sign_tombstone(fay.root, fay.devices[1].id, REVOKED)
    honest.decide(fay, REVOKE, bodies.revoke(fay.root, honest.replica.conversation, tombstone))
    stage.carry(honest)
    harms += stage.void(removal, "device_revoked") + stage.void(leaving, "device_revoked")
    harms += stage.counts(said)
    return harms + stage.is_member(p) + stage.is_member(fay, "founder") + stage.is_member(stage.alice, "member") + stage.disagree()


@attack("48 E3c", people=8)
def office_by_a_void_removal(world):
    """A removed admin removes, on old heads, who comes first after a leave, and steps down: a friend acts, as Protocol.md says."""
    x, o, t = paper("X", "O", "T")
    stage = Stage(world, o, t, x, devices=2)
    fay, honest = stage.fay, stage.honest
    (grant,) = admins(stage, x)
    stage.begin()
    old = honest.fork()
    removal = honest.remove(fay, x)
    old.leave(fay, device=fay.devices[1])
    void = old.remove(x, o, under=grant)
    old.decide(x, STEPDOWN, b"")
    act = old.add(t, *paper("U"), under=bodies.ACTING)
    stage.carry(honest, old)
    harms = stage.void(removal) + stage.void(void, "revoked") + stage.void(act)
    return harms + stage.is_member(o, "member") + stage.is_member(t, "admin") + stage.is_out(x) + stage.disagree()


# The order of the words


@attack("48", people=8)
def circle_of_a_device(world):
    """A device that is revoked promotes too high, and the promoted removes its owner under that: nodes answer, and nobody is out."""
    x, s = paper("X", "S")
    x.devices.append(Device(x.id))
    stage = Stage(world, x, s)
    fay, honest = stage.fay, stage.honest
    (grant,) = admins(stage, x)
    stage.begin()
    made = honest.promote(x, s, bodies.FOUNDER, under=grant, device=x.devices[1])
    promotion = honest.written[-1]
    removal = honest.remove(s, x, under=made)
    tombstone = sign_tombstone(x.root, x.devices[1].id, REVOKED)
    honest.decide(fay, REVOKE, bodies.revoke(x.root, honest.replica.conversation, tombstone))
    stage.carry(honest)
    harms = stage.void(promotion, "grants_too_much") + stage.void(removal, "grant_void")
    return harms + stage.is_member(x, "admin") + stage.is_member(s, "member") + stage.disagree()


@attack("48", people=8)
def joined_twice(world):
    """Somebody accepts one invite on two devices that do not know of each other: one answer, also after a removal."""
    i = User("I", 2)
    stage = Stage(world)
    fay, honest = stage.fay, stage.honest
    invite = honest.decide(fay, INVITE, bodies.invite_person(honest.grant(fay), i.credentials))
    stage.begin()
    branches = [honest.fork(), honest.fork()]
    joins = [
        branch.decide(i, JOIN, bodies.join(invite.id, i.credentials), device=device)
        for branch, device in zip(branches, i.devices, strict=True)
    ]
    stage.carry(*branches)
    harms = [harm for one in joins for harm in stage.void(one)] + stage.is_member(i) + stage.disagree()
    honest.merge(*branches).remove(fay, i)
    stage.carry(honest)
    return harms + stage.is_out(i) + stage.disagree()


# What once did harm


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
