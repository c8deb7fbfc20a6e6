#!/usr/bin/env python3
"""Attacks a real node in every way that is known, and says which do harm. Exit status 1 if one does.

    Tests/Attacker/attack.py --moot .build/debug/moot
    Tests/Attacker/attack.py --moot .build/debug/moot --only many_forks --only removal_proof
    Tests/Attacker/attack.py --moot .build/debug/moot --together --of devices --of private
"""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from attacks import authority, beacons, collusion, devices, handshakes, lists, outsiders  # noqa: E402, F401
from attacks import pace, private, roots, rules, shapes, strangers, words  # noqa: E402, F401
from attacks.world import ATTACKS, World  # noqa: E402

FILES = sorted({function.__module__.removeprefix("attacks.") for function in ATTACKS.values()})


class All:
    """What several attacks together may cost."""

    finding = "together"

    def __init__(self, functions):
        self.memory, self.disk = (max(getattr(one, what) for one in functions) for what in ("memory", "disk"))
        self.people = sum(one.people for one in functions)


def run(function, moot, keeps):
    """Runs one attack in a world of its own. Returns what harm it did, what it notes, and the seconds it took."""
    return witness(function, moot, keeps, lambda world: list(function(world) or []))


def run_together(functions, moot, keeps):
    """Runs attacks one after the other in one world, which is looked at once, at last. Returns whether any did harm."""
    does_harm = False

    def attempt(world):
        nonlocal does_harm
        for function in functions:
            began, world.notes = time.monotonic(), []
            try:
                harms = list(function(world) or [])
            except Exception:
                harms = [failure()]
            world.tidy()
            does_harm = report(function.__name__, function, harms, world.notes, time.monotonic() - began) or does_harm
        world.notes = []
        return []

    together = All(functions)
    return report("all of them", together, *witness(together, moot, keeps, attempt)) or does_harm


def failure():
    return "the attack failed: " + traceback.format_exc(limit=-3).strip().replace("\n", " | ")


def report(name, function, harms, notes, seconds):
    """Says what became of an attack. Returns whether it did harm."""
    verdict = "HARM" if harms else "held"
    print(f"{verdict}  {name:32} {function.finding:14} {seconds:4.0f} s  {'; '.join(harms + notes)}", flush=True)
    return bool(harms)


def witness(function, moot, keeps, attempt):
    """Has somebody attack a world, and looks for harm in general afterwards."""
    folder = tempfile.mkdtemp(prefix="moot-attack-")
    began = time.monotonic()
    harms, notes = [], []
    try:
        world = World(moot, folder)
        try:
            harms = attempt(world)
            harms += [harm for harm in world.harms(function) if harm not in harms]
            notes = world.notes
            words = {node.name: node.last_words() for node in world.nodes}
        finally:
            world.stop()
        if harms and keeps:
            notes.append(f"kept in {folder}; {words}")
    except Exception:
        harms.append(failure())
    if not (harms and keeps):
        shutil.rmtree(folder, ignore_errors=True)
    return harms, notes, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moot", required=True, type=pathlib.Path, help="the program to attack")
    parser.add_argument("--only", action="append", choices=sorted(ATTACKS), metavar="NAME", help="only this attack; may be given again")
    parser.add_argument("--of", action="append", choices=FILES, metavar="FILE", help="only those of this file; may be given again")
    parser.add_argument("--together", action="store_true", help="in one world one after the other, without those that take long")
    parser.add_argument("--list", action="store_true", help="print the attacks and end")
    parser.add_argument("--keep", action="store_true", help="keep the folder of an attack that does harm")
    arguments = parser.parse_args()
    if arguments.list:
        for name, function in ATTACKS.items():
            print(f"{name:32} {function.finding:16} {function.__doc__.splitlines()[0]}")
        return 0
    chosen = [
        function
        for name, function in ATTACKS.items()
        if (not arguments.only or name in arguments.only)
        and (not arguments.of or function.__module__.removeprefix("attacks.") in arguments.of)
        and not (arguments.together and function.takes_long)
    ]
    moot = arguments.moot.resolve()
    if arguments.together:
        return 1 if run_together(chosen, moot, arguments.keep) else 0
    # Each is tried, also after one that did harm.
    return 1 if any([report(one.__name__, one, *run(one, moot, arguments.keep)) for one in chosen]) else 0


if __name__ == "__main__":
    sys.exit(main())
