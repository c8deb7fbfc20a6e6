"""What the program says about its commands: for scripts/cli-reference and scripts/manual."""

import json
import re
import subprocess


def answer(moot, *arguments):
    """What the program prints."""
    return subprocess.run([moot, *arguments], check=True, capture_output=True, text=True).stdout


def groups(overview):
    """The titles of the groups of commands, each with the names of its commands, as `moot help` has them."""
    found = []
    for line in overview.splitlines():
        if match := re.fullmatch(r"([A-Z ]+) SUBCOMMANDS:", line):
            found.append((match[1].capitalize(), []))
        elif found and (match := re.match(r"  ([a-z-]+)(  |$)", line)):
            found[-1][1].append(match[1])
    return found


def leaves(command, path=()):
    """Every command that does something, with the words that call it, and whether they may do without the last one."""
    path = (*path, command["commandName"])
    for child in command.get("subcommands", []):
        if child["commandName"] == "help":
            continue
        if child.get("subcommands"):
            yield from leaves(child, path)
        else:
            yield (*path, child["commandName"]), child, command.get("defaultSubcommand") == child["commandName"]


def arguments(command):
    """The arguments of a command that are for people, without --help and --version."""
    return [
        argument
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and argument.get("preferredName", {}).get("name") not in ("help", "version")
    ]


def shared(commands):
    """The arguments that every command has."""
    first, *others = [arguments(command) for _, command, _ in commands]
    return [argument for argument in first if all(argument in other for other in others)]


def spelling(argument):
    """How an argument is typed, for example `--name <name>`."""
    if argument["kind"] == "positional":
        text = f"<{argument['valueName']}>"
    elif argument["kind"] == "option":
        text = f"--{argument['preferredName']['name']} <{argument['valueName']}>"
    else:
        text = f"--{argument['preferredName']['name']}"
    return text + (" ..." if argument["isRepeating"] else "")


def commands(moot):
    """The program as its argument parser describes it."""
    return json.loads(answer(moot, "--experimental-dump-help"))["command"]
