"""Serves the page from its source files, with the API of a real node behind it, so that a change shows at once.

    Tests/Page/run --develop          three nodes, and an address for each to open in a browser
"""

import http.client
import http.server
import json
import mimetypes
import pathlib
import re
import threading

from .nodes import _Local

ASSETS = pathlib.Path(__file__).resolve().parents[3] / "Sources/CPage/assets"

# What the node sends with the page: a violation must show while it is being written.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

# Of a request to this server, and not of one to the node.
OWN_FIELDS = {"host", "origin", "cookie", "authorization", "connection", "referer", "moot-key", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    node = None

    def do_GET(self):
        path = self.path.split("?")[0]
        if path.startswith("/api/"):
            return self.forward()
        name = path.split("/", 3)[3] if path.startswith("/page/") else "index.html"
        file = (ASSETS / name).resolve()
        if not file.is_relative_to(ASSETS) or not file.is_file():
            return self.send_error(404)
        content = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", mimetypes.guess_type(name)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def forward(self):
        # The server shows the node's token, so the page needs no secret of its own. What no token is good for goes through the socket.
        if self.path.startswith("/api/v1/device-links"):
            connection = _Local(str(self.node.home / "moot.sock"), 600)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.node.web_port, timeout=600)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fields = {name: value for name, value in self.headers.items() if name.lower() not in OWN_FIELDS}
        fields["Authorization"] = f"Bearer {self.server.token()}"
        try:
            connection.request(self.command, self.path, body, fields)
            answer = connection.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "server", "date"):
                    self.send_header(name, value)
            is_sized = answer.getheader("Content-Length") is not None or answer.status in (204, 304)
            if not is_sized:
                self.send_header("Connection", "close")
            self.end_headers()
            while chunk := answer.read1(65536):
                self.wfile.write(chunk)
                self.wfile.flush()
            self.close_connection = not is_sized
        except OSError:
            self.close_connection = True
        finally:
            connection.close()

    def answer(self, status, value):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = forward

    def log_message(self, *_):
        pass


class PageServer(http.server.ThreadingHTTPServer):
    """The page of one node, from its source files. Anybody on this machine can use it while it runs: it is for development."""

    daemon_threads = True

    def __init__(self, node):
        super().__init__(("127.0.0.1", 0), type("NodeHandler", (Handler,), {"node": node}))
        self.node, self._token = node, (None, None)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def token(self):
        """The node's token, which is another one after each start."""
        process = self.node.process.pid
        if self._token[0] != process:
            self._token = (process, self.node.ask("GET", "/web/token")["token"])
        return self._token[1]

    def handle_error(self, request, client_address):
        pass

