#!/usr/bin/env python3
"""Stands in for a service manager: prints what a service tells it, a line for each message, until it ends.

    manager.py SOCKET
"""

import os
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
    manager.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o666)
    while True:
        print(manager.recv(4_096).decode(), flush=True)
