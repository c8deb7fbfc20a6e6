"""Somebody on the network calls out in the names of others. It needs a network of its own, so that nobody else hears it:

    unshare -n sh -c 'ip link set lo up; ip route add multicast 239.0.0.0/8 dev lo
                      exec Tests/Attacker/attack.py --moot .build/debug/moot --only beacons_in_thousands'
"""

import os
import socket
import threading
import time

from moot_client.node import Live, Node, wait_until

from .strangers import slowness
from .world import attack

PORT, GROUP = 47_474, "239.77.79.84"


def beacon(device, port, instance=None, start=b"MOOT\x01"):
    return start + device + (instance or os.urandom(8)) + port.to_bytes(2, "big")


@attack("beyond", people=2)
def beacons_in_thousands(world):
    """Beacons with new instances, others' devices, the node's own, and no sense, as fast as they go; two who call out have to meet."""
    with open("/proc/net/route") as routes:
        if len(routes.readlines()) > 2 or "eth" in open("/proc/net/dev").read():
            world.note("needs a network of its own: see attacks/beacons.py")
            return None
    callers, stopping = [], threading.Event()

    def call():
        stream = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        # Another host: of one, only so many beacons are looked at.
        stream.bind(("127.0.7.7", 0))
        stream.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        own = [node.device for node in world.nodes + callers]
        count = 0
        while not stopping.is_set():
            for device in (os.urandom(32), *own):
                said = [beacon(device, 1 + count % 65_000), beacon(device, 9, bytes(8)), beacon(device, 0)]
                for place in ((GROUP, PORT), ("127.0.0.1", PORT)):
                    for words in (*said, os.urandom(47), b"", bytes(60_000)):
                        count += 1
                        try:
                            stream.sendto(words, place)
                        except OSError:
                            pass
        world.note(f"{count} beacons")
        stream.close()

    try:
        callers.append(Node(world.moot, world.folder / "dora", "Dora", discovers=True))
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        with Live(world.alice, world.bob, world.ship) as live:
            callers.append(Node(world.moot, world.folder / "emil", "Emil", discovers=True))
            began = time.monotonic()
            met = wait_until(lambda: callers[1].user in callers[0].peer_users(), 60)
            world.note(f"{time.monotonic() - began:.0f} s, {callers[0].processor_seconds():.1f} s of processor")
        stopping.set()
        thread.join(10)
        dead = [f"{node.name} died" for node in callers if not node.is_alive]
        return dead + slowness(live, "beacons") + ([] if met else ["two who call out do not meet"])
    finally:
        stopping.set()
        for node in callers:
            node.stop()


@attack("beyond", people=2)
def friends_who_both_start(world):
    """From the same host somebody calls out 60 times a second in the names of two friends who both start: they have to meet."""
    with open("/proc/net/route") as routes:
        if len(routes.readlines()) > 2 or "eth" in open("/proc/net/dev").read():
            world.note("needs a network of its own: see attacks/beacons.py")
            return None
    friends, stopping = [], threading.Event()

    def call():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stream:
            stream.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            count = 0
            while not stopping.wait(1 / 20):
                for device in (os.urandom(32), *(node.device for node in friends)):
                    count += 1
                    stream.sendto(beacon(device, 1 + count % 65_000), (GROUP, PORT))

    try:
        friends += [Node(world.moot, world.folder / name.lower(), name, discovers=True) for name in ("Dora", "Emil")]
        dora, emil = friends
        if not (dora.learns(emil.user) and emil.learns(dora.user)):
            raise RuntimeError("two honest nodes do not meet")
        deck = dora.ask("POST", "/conversations", {"kind": "direct", "members": [emil.user.hex()]})["id"]
        dora.say(deck, "Hello")
        wait_until(lambda: any(one["id"] == deck for one in emil.conversations()))
        emil.say(deck, "Hello yourself")
        wait_until(lambda: "Hello yourself" in dora.texts(deck))
        for node in friends:
            node.stop()
        threading.Thread(target=call, daemon=True).start()
        dora.start()
        # Meanwhile Dora's share of beacons is used up, and Emil hears hers no more.
        time.sleep(3)
        emil.start()
        began = time.monotonic()
        met = wait_until(lambda: emil.user in dora.peer_users(), 60)
        world.note(f"met after {time.monotonic() - began:.1f} s")
        if not met or time.monotonic() - began > 10:
            return ["two friends do not meet again"]
    finally:
        stopping.set()
        for node in friends:
            node.stop()
