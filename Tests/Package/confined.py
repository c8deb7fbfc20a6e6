#!/usr/bin/env python3
"""Runs a program as a unit of systemd would, where no systemd runs.

    confined.py UNIT NAME ROOT [VARIABLE=VALUE…]

It is called as root, in mount and network namespaces of its own. It does what the unit's settings say, with the file system at ROOT: a
user of its own, no capability and no new rights; the system read-only but for the home, with devices, /tmp and /proc of its own; and
filters of system calls for `SystemCallFilter`, `RestrictAddressFamilies`, `MemoryDenyWriteExecute`, `RestrictNamespaces` and
`SystemCallArchitectures`. A setting that it does not know is an error, so that none is forgotten.
"""

import ctypes
import errno
import os
import re
import shlex
import socket
import subprocess
import sys

import seccomp

UID = 61_470
# These say when and how often the program is started, or are in force by what is done below anyway.
LIFE = {
    "Type", "ExecStart", "ExecReload", "Environment", "EnvironmentFile", "LoadCredentialEncrypted", "Restart", "RestartSec", "RestartPreventExitStatus",
    "TimeoutStartSec", "TimeoutStopSec", "WatchdogSec", "LimitNOFILE", "User", "DynamicUser", "StateDirectory", "StateDirectoryMode",
    "UMask", "SystemCallErrorNumber",
}
# In force by the namespaces, the empty set of capabilities and the file system that are made below.
BY_PLACE = {
    "AmbientCapabilities", "CapabilityBoundingSet", "NoNewPrivileges", "DevicePolicy", "PrivateDevices", "PrivateTmp", "ProtectHome",
    "ProtectProc", "ProcSubset", "ProtectSystem", "ProtectClock", "ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs",
    "ProtectKernelModules", "ProtectKernelTunables", "RestrictSUIDSGID", "RestrictRealtime", "LockPersonality",
}
# Of no effect on what one program can do on a test's host.
NOT_TRIED = {"PrivateIPC", "PrivateUsers", "RemoveIPC", "KeyringMode"}
BY_FILTER = {
    "SystemCallFilter", "SystemCallArchitectures", "RestrictAddressFamilies", "MemoryDenyWriteExecute", "RestrictNamespaces",
}

libc = ctypes.CDLL(None, use_errno=True)


def settings(unit):
    """What the section of the service says, each setting with all its values."""
    found = {}
    section = ""
    for line in open(unit, encoding="utf-8"):
        line = line.strip()
        if line.startswith("["):
            section = line
        elif section == "[Service]" and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    if unknown := set(found) - LIFE - BY_PLACE - NOT_TRIED - BY_FILTER:
        sys.exit(f"error: what are these? {', '.join(sorted(unknown))}")
    return found


def group(name):
    """The system calls of one of systemd's groups."""
    calls = set()
    listing = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines()[1:]:
        word = line.strip()
        if word.startswith("@"):
            calls |= group(word)
        elif re.fullmatch(r"\w+", word):
            calls.add(word)
    return calls


def allowed(values):
    """The calls that lines of `SystemCallFilter` leave."""
    calls = group("@default")
    for value in values:
        named = set()
        for word in value.lstrip("~").split():
            named |= group(word) if word.startswith("@") else {word}
        calls = calls - named if value.startswith("~") else calls | named
    return calls


def put_filters_in_force(service, calls):
    """The filters of system calls. What they refuse fails with EPERM, as the units say."""
    refused = seccomp.ERRNO(errno.EPERM)
    listed = seccomp.SyscallFilter(refused)
    for call in calls:
        try:
            listed.add_rule(seccomp.ALLOW, call)
        except RuntimeError:
            # Another instruction set has it.
            pass
    rest = seccomp.SyscallFilter(seccomp.ALLOW)
    families = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
    permitted = {families[name] for name in service["RestrictAddressFamilies"][0].split()}
    for family in set(range(46)) - permitted:
        rest.add_rule(seccomp.ERRNO(errno.EAFNOSUPPORT), "socket", seccomp.Arg(0, seccomp.EQ, family))
    write, execute = 2, 4
    rest.add_rule(refused, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, write | execute, write | execute))
    rest.add_rule(refused, "mprotect", seccomp.Arg(2, seccomp.MASKED_EQ, execute, execute))
    rest.add_rule(refused, "pkey_mprotect", seccomp.Arg(2, seccomp.MASKED_EQ, execute, execute))
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        for call, argument in (("unshare", 0), ("clone", 0)):
            rest.add_rule(refused, call, seccomp.Arg(argument, seccomp.MASKED_EQ, flag, flag))
    # Its flags are in memory, where no filter sees them: whoever starts a thread tries the older call next.
    rest.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rest.add_rule(refused, "setns")
    # The list comes last, as it refuses to load further filters.
    rest.load()
    listed.load()


def make_place(root, home):
    """The file system: read-only but for the home, with a /tmp, a /dev and a /proc of its own."""
    def mount(*words):
        subprocess.run(["mount", *words], check=True)

    mount("--bind", root, root)
    mount("-t", "tmpfs", "tmpfs", f"{root}/dev")
    for device in ("null", "zero", "full", "random", "urandom"):
        open(f"{root}/dev/{device}", "w", encoding="ascii").close()
        mount("--bind", f"/dev/{device}", f"{root}/dev/{device}")
    mount("-t", "tmpfs", "tmpfs", f"{root}/tmp")
    os.chmod(f"{root}/tmp", 0o1777)
    mount("-t", "proc", "-o", "hidepid=invisible,subset=pid", "proc", f"{root}/proc")
    # The home of a user who exists only while it runs is below a folder that is root's alone, and behind a link in its own place. The service
    # sees of that folder its own home.
    private = f"{root}/var/lib/private"
    real = private + home.removeprefix("/var/lib")
    os.makedirs(private, mode=0o700, exist_ok=True)
    os.chmod(private, 0o700)
    os.makedirs(os.path.dirname(root + home), exist_ok=True)
    if not os.path.lexists(root + home):
        os.symlink(os.path.relpath(real, os.path.dirname(root + home)), root + home)
    os.makedirs(real, mode=0o700, exist_ok=True)
    # As systemd does, which looks at the folder alone: what root wrote below it stays root's.
    if os.stat(real).st_uid != UID:
        subprocess.run(["chown", "--recursive", "--no-dereference", f"{UID}:{UID}", real], check=True)
    mount("--bind", real, f"{root}/mnt")
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", private)
    os.makedirs(real)
    mount("--bind", f"{root}/mnt", real)
    subprocess.run(["umount", f"{root}/mnt"], check=True)
    mount("-o", "remount,bind,ro", root)


def give_up_rights():
    """A user of its own with no capability, which no program gives back."""
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    if libc.prctl(38, 1, 0, 0, 0):  # PR_SET_NO_NEW_PRIVS
        sys.exit("error: no_new_privs is refused")


def main():
    unit, name, root, *variables = sys.argv[1:]
    service = settings(unit)
    home = f"/var/lib/{service['StateDirectory'][0].replace('%i', name)}"
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "JOURNAL_STREAM": "8:1", "HOME": "/"}
    for value in service.get("Environment", []) + variables:
        variable, _, text = value.replace("%i", name).partition("=")
        environment[variable] = text
    words = []
    for word in shlex.split(service["ExecStart"][0]):
        word = word.replace("%S", "/var/lib").replace("%i", name)
        words += shlex.split(environment.get(word[1:], "")) if word.startswith("$") else [word]
    # The tools of the host are gone after this.
    calls = allowed(service["SystemCallFilter"])
    make_place(root, home)
    os.chroot(root)
    os.chdir("/")
    os.umask(0o077)
    give_up_rights()
    put_filters_in_force(service, calls)
    # From here on it is the service's time. The file is found after the change of root.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(b"STARTING=1", environment["NOTIFY_SOCKET"])
    os.execve(words[0], words, environment)


if __name__ == "__main__":
    main()
