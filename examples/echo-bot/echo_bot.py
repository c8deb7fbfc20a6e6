#!/usr/bin/env python3
"""Answers every message that mentions the bot or begins with "echo ".

It talks to a running node over the node's Unix socket, with nothing but Python's standard library.
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import time


class Node(http.client.HTTPConnection):
    """A connection to the node's local API."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.path)


def ask(path, method, target, body=None):
    """Asks the node and returns its answer."""
    node = Node(path)
    try:
        node.request(method, "/api/v1" + target, body and json.dumps(body))
        response = node.getresponse()
        answer = json.load(response)
        if response.status >= 300:
            raise RuntimeError(f"{method} {target}: {answer['error']['message']}")
        return answer
    finally:
        node.close()


def events(path, last):
    """Yields (id, event) as they happen, from after the id `last` on; first the id where the stream begins, without an event."""
    node = Node(path)
    try:
        node.request("GET", "/api/v1/events", headers={"Last-Event-ID": last} if last else {})
        response = node.getresponse()
        data = None
        for line in response:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "id":
                last = value
            elif field == "data":
                data = json.loads(value)
            elif not field:
                yield last, data
                data = None
    finally:
        node.close()


def reply_to(message, me):
    """What the bot answers, or None."""
    if message["kind"] != "text" or message.get("sender") == me["user"]:
        return None
    text = message["text"]
    if text.startswith("echo "):
        return text.removeprefix("echo ")
    if f"@{me['name']}" in text:
        return f"{message['sender_name']} said: {text}"
    return None


def answer(path, me, message):
    """Answers a message, if it is one to answer."""
    text = reply_to(message, me)
    if text:
        # Should the connection break before the node says that it is done, the client_id makes asking again harmless.
        body = {"text": text, "reply_to": message["id"], "client_id": "echo-" + message["id"]}
        ask(path, "POST", f"/conversations/{message['conversation']}/messages", body)


def unanswered(path, me):
    """The latest messages of every conversation that the bot has not answered: what it may have missed."""
    for conversation in ask(path, "GET", "/conversations"):
        messages = ask(path, "GET", f"/conversations/{conversation['id']}/messages?limit=100")["messages"]
        answered = {message.get("reply_to") for message in messages if message.get("sender") == me["user"]}
        yield from (message for message in messages if message["id"] not in answered)


def run(path):
    """Answers messages until it is interrupted; when the node restarts it goes on where it was."""
    last = None
    while True:
        try:
            me = ask(path, "GET", "/profile")
            for last, event in events(path, last):
                if event is None:
                    print("listening", flush=True)
                elif event["type"] == "resync":
                    for message in unanswered(path, me):
                        answer(path, me, message)
                elif event["type"] == "message":
                    answer(path, me, event["message"])
        except (OSError, http.client.HTTPException, RuntimeError) as error:
            print(f"trying again: {path}: {error}", file=sys.stderr)
        time.sleep(1)


def own_socket():
    """Where the user's own node listens, as `moot` says: that depends on how the node was started."""
    command = [os.environ.get("MOOT", "moot"), "status", "--socket"]
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip("\n")
    except FileNotFoundError:
        sys.exit("There is no program moot in your PATH: name the node's socket with --socket.")
    except subprocess.CalledProcessError as error:
        # The command has said why.
        sys.exit(error.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--socket", help="the node's Unix socket; without it the one that `moot status --socket` prints")
    try:
        run(parser.parse_args().socket or own_socket())
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
