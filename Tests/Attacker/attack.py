#!/usr/bin/env python3
"""Attacks a real node in every way that is known, and says which do harm. Exit status 1 if one does.

    Tests/Attacker/attack.py --moot .build/debug/moot
    Tests/Attacker/attack.py --moot .build/debug/moot --only many_forks --only removal_proof
"""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from attacks import authority, beacons, collusion, handshakes, lists, outsiders, pace, roots, shapes, strangers, words  # noqa: E402, F401
from attacks.world import ATTACKS, World  # noqa: E402


def run(function, moot, keeps):
    """Runs one attack in a world of its own. Returns what harm it did, what it notes, and the seconds it took."""
    folder = tempfile.mkdtemp(prefix="moot-attack-")
    began = time.monotonic()
    harms, notes = [], []
    try:
        world = World(moot, folder)
        try:
            harms = list(function(world) or [])
            harms += [harm for harm in world.harms(function) if harm not in harms]
            notes = world.notes
            words = {node.name: node.last_words() for node in world.nodes}
        finally:
            world.stop()
        if harms and keeps:
            notes.append(f"kept in {folder}; {words}")
    except Exception:
        harms.append("the attack failed: " + traceback.format_exc(limit=-3).strip().replace("\n", " | "))
    if not (harms and keeps):
        shutil.rmtree(folder, ignore_errors=True)
    return harms, notes, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moot", required=True, type=pathlib.Path, help="the program to attack")
    parser.add_argument("--only", action="append", choices=sorted(ATTACKS), metavar="NAME", help="only this attack; may be given again")
    parser.add_argument("--list", action="store_true", help="print the attacks and end")
    parser.add_argument("--keep", action="store_true", help="keep the folder of an attack that does harm")
    arguments = parser.parse_args()
    if arguments.list:
        for name, function in ATTACKS.items():
            print(f"{name:28} {function.finding:16} {function.__doc__.splitlines()[0]}")
        return 0
    does_harm = False
    for name in arguments.only or ATTACKS:
        function = ATTACKS[name]
        harms, notes, seconds = run(function, arguments.moot.resolve(), arguments.keep)
        does_harm = does_harm or bool(harms)
        verdict = "HARM" if harms else "held"
        print(f"{verdict}  {name:28} {function.finding:14} {seconds:4.0f} s  {'; '.join(harms + notes)}", flush=True)
    return 1 if does_harm else 0


if __name__ == "__main__":
    sys.exit(main())
