#!/usr/bin/env python3
"""Stands in for a service manager: prints what a service tells it, a line for each message, until it ends.

    manager.py SOCKET

Whoever starts the service says STARTING=1 just before. Below READY=1 it prints how long the service took, as `after 120 ms`.
"""

import os
import socket
import sys
import time

with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
    manager.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o666)
    began = None
    while True:
        message = manager.recv(4_096).decode()
        now = time.monotonic()
        print(message, flush=True)
        if message == "STARTING=1":
            began = now
        elif message == "READY=1" and began is not None:
            print(f"after {(now - began) * 1000:.0f} ms", flush=True)
