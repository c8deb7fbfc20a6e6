"""Real nodes on loopback, each in a fresh home, with the page on a port of its own."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Attacker"))

from moot_client.node import Node, Refused, _Local, free_port, wait_until  # noqa: E402, F401


class WebNode(Node):
    """A node that serves the page. Its port stays the same over a restart; the name of the page is another one then."""

    def __init__(self, moot, home, name, peers=()):
        self.web_port, self._origin, self.origins = free_port(), (None, None), set()
        super().__init__(moot, home, name, peers, options=["--web", str(self.web_port)])
        self.by_name[name] = self.user.hex()

    # The ids of the users of all nodes, by the names they began with.
    by_name = {}
    # Who serves the page in the place of the node, while it is being written.
    stand_in = None

    @property
    def origin(self):
        if self.stand_in:
            return self.stand_in
        # What a browser shows after the node has stopped is of that run still.
        if self._origin[0] != self.process.pid and self.is_alive:
            self.one_time_address()
        return self._origin[1]

    def one_time_address(self):
        """An address that lets one browser in, once."""
        if self.stand_in:
            return self.stand_in + "/"
        address = self.ask("POST", "/web/addresses")["address"]
        self._origin = (self.process.pid, address.split("/open/")[0])
        self.origins.add(self._origin[1])
        return address

    def user_id(self, name):
        """The id of somebody, whatever they call themselves now."""
        return self.by_name[name]

    def group(self, title, *names):
        """Makes a group with those people and returns its id."""
        members = [self.user_id(name) for name in names]
        return self.ask("POST", "/conversations", {"kind": "group", "name": title, "members": members})["id"]

    def has(self, conversation):
        return any(each["id"] == conversation for each in self.conversations())

    def all_messages(self, conversation):
        """Every message, the oldest first."""
        found, before = [], ""
        while True:
            page = self.ask("GET", f"/conversations/{conversation}/messages?limit=200{before}")
            found = page["messages"] + found
            if "earlier" not in page:
                return found
            before = f"&before={page['earlier']}"

    def message(self, conversation, text):
        """The message of that text as this node shows it; None while it is not here."""
        messages = self.ask("GET", f"/conversations/{conversation}/messages?limit=100")["messages"]
        return next((each for each in messages if each.get("text") == text), None)


def connected_nodes(moot, folder, *names):
    """A node for each name, Alice, Bob and Carol without one, connected with each other."""
    nodes = []
    for name in names or ("Alice", "Bob", "Carol"):
        nodes.append(WebNode(moot, folder / name.lower(), name, [node.place for node in nodes]))
    everybody = {node.user for node in nodes}
    for node in nodes:
        if not wait_until(lambda node=node: node.peer_users() >= everybody - {node.user}, 60):
            raise RuntimeError(f"{node.name} does not reach everybody: {node.last_words()}")
    return nodes
