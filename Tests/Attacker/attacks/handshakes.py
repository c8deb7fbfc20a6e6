"""Somebody proves who they are in ways that prove nothing, or on another host account reads what is not theirs."""

import os
import shutil
import socket
import subprocess

from moot_client.channel import ChannelEnded
from moot_client.encoding import data, number
from moot_client.node import wait_until
from moot_client.people import User, channel_proof
from moot_client.peer import Peer, survives_ping

from .world import attack


def _signed(user, device, role, handshake_hash, static, record=None, capabilities=0):
    signature = device.key.sign("moot/1/channel", bytes([role]), handshake_hash, static, number(capabilities))
    return data(record or user.identity_record) + device.key.public + number(capabilities) + signature


@attack("channel", people=0)
def proofs_that_prove_nothing(world):
    """Channel proofs with a wrong role, hash, key, record or device, and Bob's own proof repeated to Alice: nobody gets a hello."""
    bob = Peer(world.bob.address, User("Listener")).greeted()
    repeated = bob.channel.peer_proof
    bob.close()
    two = User("Two", devices=2)
    one_of_two = two.identity_record
    stranger = User("Somebody else")

    def other_record(user, device, role, handshake_hash):
        return _signed(user, device, role, handshake_hash, device.static.public, stranger.identity_record)

    def older_record(user, device, role, handshake_hash):
        # The record that certified another device.
        return _signed(user, device, role, handshake_hash, device.static.public, one_of_two)

    cases = {
        "the role of the other side": lambda u, d, r, h: channel_proof(u, d, 1, h),
        "another handshake": lambda u, d, r, h: channel_proof(u, d, r, os.urandom(64)),
        "another static key": lambda u, d, r, h: _signed(u, d, r, h, os.urandom(32)),
        "the record of somebody else": other_record,
        "a record without the device": older_record,
        "Bob's own proof": lambda u, d, r, h: repeated,
        "Bob's record and our key": lambda u, d, r, h: repeated[: -97] + d.key.public + channel_proof(u, d, r, h)[-65:],
        "nothing": lambda u, d, r, h: b"",
        "a key of small order": lambda u, d, r, h: data(u.identity_record) + bytes(32) + b"\0" + bytes(64),
        "bytes behind it": lambda u, d, r, h: channel_proof(u, d, r, h) + b"\0",
        "as many bytes as there may be": lambda u, d, r, h: os.urandom(2_500),
        "more bytes than there may be": lambda u, d, r, h: os.urandom(60_000),
    }
    harms = []
    for name, prove in cases.items():
        try:
            peer = Peer(world.alice.address, User("Prover"), prove=prove)
            peer.greeted(2)
            harms.append(f"Alice greets somebody who proves {name}")
            peer.close()
        except ChannelEnded:
            pass
        if not world.alice.is_alive:
            return [f"dead by {name}"]
    if not survives_ping(world.alice.address, User("Honest")):
        harms.append("Alice greets nobody any more")
    return harms


@attack("channel", people=0)
def first_messages_of_every_length(world):
    """Handshake messages of every odd length, keys that give zero, and one byte at a time."""
    zero, small = bytes(32), bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")
    starts = [b"", b"\0", b"\0\0", b"\0\x1f" + bytes(31), b"\0\x20" + zero, b"\0\x20" + small, b"\x0a\x29" + bytes(2_601)]
    starts += [b"\xff\xff" + bytes(65_535), os.urandom(100_000), b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\0\x21" + os.urandom(33)]
    for start in starts:
        stream = socket.create_connection(world.alice.address)
        stream.settimeout(1)
        try:
            stream.sendall(start)
            answer = stream.recv(4_096)
            if len(answer) > 2:
                stream.sendall(b"\0\x40" + os.urandom(64))
                stream.recv(4_096)
        except OSError:
            pass
        stream.close()
        if not world.alice.is_alive:
            return [f"dead by {start[:40].hex()}"]
    if not survives_ping(world.alice.address, User("Honest")):
        return ["Alice greets nobody any more"]


@attack("host", people=0)
def other_user_of_the_host(world):
    """Another user of the host reads the home, opens the socket, and looks at the process."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        world.note("needs root, to be somebody else")
        return None
    for folder in (world.folder, world.folder.parent):
        folder.chmod(0o755)
    home, process = world.alice.home, world.alice.process.pid
    for path in (home / "replica.sqlite", home / "moot.sock"):
        if not path.exists():
            return [f"{path.name} is not where it was looked for"]
    tries = {
        "lists the home": f"ls {home}",
        "reads the database": f"cat {home}/replica.sqlite",
        "reads a key": f"cat {home}/*key* {home}/keys/*",
        "opens the socket": f"python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"{home}/moot.sock\")'",
        "reads the memory": f"cat /proc/{process}/maps",
        "reads the environment": f"cat /proc/{process}/environ",
        "lists open files": f"ls /proc/{process}/fd/",
    }
    harms = []
    for name, command in tries.items():
        done = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", command], capture_output=True, timeout=20
        )
        if done.returncode == 0:
            harms.append(f"another user {name}")
    wait_until(lambda: False, 0.2)
    return harms
