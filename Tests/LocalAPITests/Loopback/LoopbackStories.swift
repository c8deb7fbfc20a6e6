import Cryptography
import Foundation
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The API on loopback")
struct LoopbackStories {
    private static let anyPort = LocalServer.Web(port: 0)

    /// Tells a story of a browser that was let in; what it asks with are the cookie and the key.
    private func tellsOfABrowser(
        _ story: @Sendable (Alice, Browser, _ secrets: [(String, String)]) async throws -> Void
    ) async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            try await story(alice, browser, try await browser.enter(alice.webAddress))
        }
    }

    @Test func `a single-use address sets a cookie that no script reads and no other site sends`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            let answer = try await browser.ask(
                "GET", try browser.path(of: alice.webAddress), [("Sec-Fetch-Site", "none")])
            #expect(answer.status == 303)
            let place = try #require(answer.fields["location"])
            #expect(try place.wholeMatch(of: Regex("/\\?claim=[0-9a-f]{64}")) != nil)
            let cookie = try #require(answer.fields["set-cookie"])
            let device = try await alice.client.profile().device
            #expect(cookie.hasPrefix("moot-\(device.prefix(12))="))
            #expect(Set(cookie.split(separator: "; ").dropFirst()) == ["Path=/", "HttpOnly", "SameSite=Strict"])
        }
    }

    @Test func `a single-use address works once`() async throws {
        try await tellsOfABrowser { alice, browser, _ in
            let again = try await browser.ask("GET", try browser.path(of: alice.webAddress))
            #expect(again.status == 403)
            #expect(again.fields["set-cookie"] == nil)
            #expect(again.body.contains("moot open"))
            // To look at it does not use it up, and each is another.
            let fresh = try await alice.client.makeWebAddress()
            #expect(fresh != alice.webAddress)
            let path = try browser.path(of: fresh)
            #expect(try await browser.ask("HEAD", path).status != 303)
            _ = try await browser.follow(fresh)
        }
    }

    @Test func `the two secrets of a browser open everything, and the token`() async throws {
        try await tellsOfABrowser { alice, browser, secrets in
            let token = try await alice.client.webToken().token
            let among = ("Cookie", "a=b; \(secrets[0].1); c=d")
            for fields in [secrets, [among, secrets[1]], [("Authorization", "Bearer \(token)")]] {
                let status = try await browser.ask("GET", "/api/v1/status", fields)
                #expect(status.status == 200)
                #expect(status.body.contains("\"name\":\"Alice\""))
                let changed = try await browser.ask(
                    "PATCH", "/api/v1/profile",
                    fields + [
                        ("Origin", "http://\(browser.host)"), ("Sec-Fetch-Site", "same-origin"),
                    ],
                    body: #"{"name":"Alice"}"#)
                #expect(changed.status == 200)
            }
        }
    }

    @Test func `without cookie and token nothing is open but the question of health`() async throws {
        try await tellsOfABrowser { alice, browser, secrets in
            let (cookie, key) = (secrets[0], secrets[1])
            let secret = String(cookie.1.drop { $0 != "=" }.dropFirst())
            let strangers: [[(String, String)]] = [
                [], [cookie], [key], [("Cookie", "moot=\(secret)"), key], [("Cookie", cookie.1 + "0"), key],
                [("Cookie", cookie.1.dropLast() + "g"), key],
                [("Authorization", "Bearer \(secret)")], [("Authorization", "Basic \(secret)")],
                [("Authorization", "")],
                // A wrong token is not made good by the cookie.
                [("Authorization", "Bearer 0"), cookie, key],
            ]
            for fields in strangers {
                for (method, target) in [
                    ("GET", "/api/v1/status"), ("POST", "/api/v1/lock"), ("GET", "/api/v1/events"),
                ] {
                    let answer = try await browser.ask(method, target, fields)
                    #expect(answer.status == 401)
                    #expect(answer.code == "not_admitted")
                    #expect(answer.fields["www-authenticate"] == "Bearer")
                }
            }
            for target in ["/nowhere", "//api/v1/status", "/api/v1/health/", "/api/v1/nowhere"] {
                #expect(try await browser.ask("GET", target).status == 401)
            }
            #expect(try await browser.ask("GET", "/nowhere").body.contains("moot open"))
            let page = try await browser.ask("GET", "/")
            #expect(page.status == 200 && !page.body.contains("Alice"), "the page itself says nothing of anybody")
            #expect(try await browser.ask("POST", "/").status == 401)
            #expect(try await browser.ask("GET", "/api/v1/health").status == 200)
            #expect(try await alice.client.health().status == .ok)
        }
    }

    @Test(arguments: ["/open/../api/v1/status", "/open/%2e%2e/api/v1/status", "/open//", "/open/a/b", "/open/"])
    func `what looks like a single-use address opens nothing else`(target: String) async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let answer = try await Browser(alice.webAddress).ask("GET", target)
            #expect((400...499).contains(answer.status))
            #expect(!answer.body.contains("\"user\""))
        }
    }

    @Test(arguments: ["evil.example", "evil.example:80", "localhost", "127.0.0.1:1", ""])
    func `a host that is not the node's is refused, whatever was shown`(host: String) async throws {
        try await tellsOfABrowser { _, browser, secrets in
            for target in ["/api/v1/status", "/api/v1/health", "/", "/open/x"] {
                #expect(try await browser.ask("GET", target, secrets + [("Host", host)]).status == 421)
            }
            let code = try await browser.ask("GET", "/api/v1/health", [("Host", host)]).code
            #expect(code == "wrong_host")
        }
    }

    @Test func `two hosts are refused`() async throws {
        try await tellsOfABrowser { _, browser, secrets in
            let hosts = [("Host", browser.host), ("Host", browser.host)]
            let answer = try await browser.ask("GET", "/api/v1/status", secrets + hosts)
            #expect((400...499).contains(answer.status))
        }
    }

    /// A name that stays from run to run is one in which somebody who had the port can have planted something.
    @Test func `under the names of loopback nothing is shown to a browser, and programs ask with a token`() async throws
    {
        try await tellsOfABrowser { alice, browser, secrets in
            let token = ("Authorization", "Bearer \(try await alice.client.webToken().token)")
            let open = try browser.path(of: try await alice.client.makeWebAddress())
            for name in ["127.0.0.1", "localhost", "[::1]"] {
                let host = ("Host", "\(name):\(browser.port)")
                for target in ["/", "/page/0/main.js", open] {
                    #expect(try await browser.ask("GET", target, secrets + [host]).status == 421, "\(target)")
                }
                #expect(try await browser.ask("GET", "/api/v1/status", secrets + [host]).status == 401)
                #expect(try await browser.ask("GET", "/api/v1/status", [token, host]).status == 200)
                let page = ("Origin", "http://\(name):\(browser.port)")
                #expect(try await browser.ask("GET", "/api/v1/status", [token, host, page]).status == 403)
            }
            #expect(try await browser.ask("GET", open).status == 303, "it was not used up")
        }
    }

    @Test func `a page asks the node to prove itself, and shows nothing for that`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            let entered = try await browser.follow(alice.webAddress)
            let told = try await browser.claim(entered.claim, ("Cookie", entered.cookie))
            let key = try WireFormat.decode(WebKeyDescription.self, from: Array(told.body.utf8))
            let nonce = String(repeating: "5e", count: 32)
            let answer = try await browser.ask("POST", "/api/v1/web/proof", body: #"{"nonce":"\#(nonce)"}"#)
            #expect(answer.status == 200)
            let shared = SecretBytes(try #require(HexadecimalText.decode(key.node)))
            let expected = SHA256.authentication(of: Array("moot/1/web-proof/\(nonce)".utf8), under: shared)
            let proof = try WireFormat.decode(WebProofDescription.self, from: Array(answer.body.utf8))
            #expect(proof.proof == HexadecimalText.encode(expected))
            for wrong in ["", "0", nonce + "00", nonce.uppercased()] {
                let refused = try await browser.ask("POST", "/api/v1/web/proof", body: #"{"nonce":"\#(wrong)"}"#)
                #expect(refused.status == 400)
            }
        }
    }

    /// A browser asks for it where somebody who had the port planted one. The names of loopback had the page in earlier
    /// versions.
    @Test func `where a browser asks for a service worker it is told to forget, and the user is told`() async throws {
        try await tellsOfABrowser { alice, browser, _ in
            let position = try await alice.client.status().lastEvent
            let former = String(repeating: "0f", count: 16) + ".localhost:\(browser.port)"
            for host in [browser.host, "127.0.0.1:\(browser.port)", former] {
                for target in ["/worker.js", "/", "/api/v1/blobs/0"] {
                    let answer = try await browser.ask("GET", target, [("Host", host), ("Service-Worker", "script")])
                    #expect(answer.status == 404)
                    #expect(answer.fields["clear-site-data"] == #""cache", "cookies", "storage""#)
                }
            }
            for (host, header) in [("evil.example", "Service-Worker"), (former, "Accept")] {
                let refused = try await browser.ask("GET", "/", [("Host", host), (header, "script")])
                #expect(refused.status == 421 && refused.fields["clear-site-data"] == nil)
            }
            var told: [String] = []
            for await event in await alice.node.subscribe(since: position).events.map(\.event) {
                if let notification = event.notification, notification.type == .intruder {
                    told.append(notification.title)
                    break
                }
            }
            #expect(told == ["Somebody else was at the page's port"])
        }
    }

    /// Browsers try both addresses of the page's name: whoever had one of them would be the page.
    @Test func `both addresses of loopback are the node's, or neither`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let port = try Browser(alice.webAddress).port
            #expect(throws: (any Error).self) { try OccupiedPort(port) }
            #expect(throws: (any Error).self) { try OccupiedPort(port, isV6: true) }
        }
        try await Scratch.with { folder in
            let node = try await Node.open(
                NodeConfiguration(home: folder, name: "Bob", listen: "127.0.0.1:0", discovery: false),
                logger: Alice.silent)
            let taken = try OccupiedPort(0, isV6: true)
            defer { taken.release() }
            let server = LocalServer(node: node, web: .init(port: taken.port), logger: Alice.silent)
            let error = await #expect(throws: NodeError.self) { try await server.run() }
            #expect(error?.code == .portInUse)
            await node.stop()
        }
    }

    @Test func `a host that was allowed is answered`() async throws {
        let web = LocalServer.Web(port: 0, otherHosts: ["localhost:8080"])
        try await Alice.tells(knowing: [], web: web) { alice in
            let browser = try Browser(alice.webAddress)
            #expect(try await browser.ask("GET", "/api/v1/health", [("Host", "localhost:8080")]).status == 200)
        }
    }

    @Test(arguments: [
        ("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", "http://localhost:3000"),
        ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Site", ""),
    ])
    func `a page of somebody else gets nothing, although the browser shows the cookie`(field: (String, String))
        async throws
    {
        try await tellsOfABrowser { alice, browser, secrets in
            for method in ["GET", "POST", "OPTIONS"] {
                let answer = try await browser.ask(method, "/api/v1/conversations", secrets + [field], body: "{}")
                #expect(answer.status == 403)
                #expect(answer.code == "foreign_origin")
                #expect(answer.fields["access-control-allow-origin"] == nil)
            }
            let fresh = try await alice.client.makeWebAddress()
            let path = try browser.path(of: fresh)
            if field.0 == "Origin" { #expect(try await browser.ask("GET", path, [field]).status == 403) }
            #expect(try await browser.ask("POST", path, [field]).status == 403)
            _ = try await browser.follow(fresh)
        }
    }

    @Test func `a file that leads to a single-use address lets the browser in, and keeps its place in the page`()
        async throws
    {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            let path = try browser.path(of: alice.webAddress)
            // To a browser the file is another site. It follows the redirect without the cookie, and needs none to get
            // the page.
            let answer = try await browser.ask("GET", path, [("Sec-Fetch-Site", "cross-site")])
            #expect(answer.status == 303)
            let place = try #require(answer.fields["location"])
            #expect(!place.contains("#"), "a fragment of its own would take the place of that of the address")
            let cookie = ("Cookie", String(try #require(answer.fields["set-cookie"]).prefix { $0 != ";" }))
            #expect(try await browser.ask("GET", place, [("Sec-Fetch-Site", "cross-site")]).status == 200)
            #expect(try await browser.ask("GET", place, [("Origin", "https://evil.example")]).status == 403)
            #expect(try await browser.ask("GET", "/", [("Sec-Fetch-Site", "cross-site")]).status == 200)
            let claim = String(place.dropFirst("/?claim=".count))
            let foreign = try await browser.claim(claim, cookie, ("Sec-Fetch-Site", "cross-site"))
            #expect(foreign.status == 403 && foreign.code == "foreign_origin")
            #expect(try await browser.claim(claim, cookie, ("Sec-Fetch-Site", "same-origin")).status == 200)
            #expect(try await browser.ask("GET", path, [("Sec-Fetch-Site", "cross-site")]).status == 403)
        }
    }

    @Test func `every answer keeps browsers from using it elsewhere`() async throws {
        try await tellsOfABrowser { _, browser, secrets in
            for (target, fields) in [
                ("/", secrets), ("/", []), ("/open/x", []), ("/nowhere", secrets), ("/api/v1/status", secrets),
                ("/api/v1/status", []), ("/api/v1/nowhere", secrets), ("/api/v1/health", [("Host", "x")]),
            ] {
                let answer = try await browser.ask("GET", target, fields)
                #expect(answer.fields["cross-origin-opener-policy"] == "same-origin")
                let policy = try #require(answer.fields["content-security-policy"])
                #expect(
                    policy.hasPrefix("default-src 'none'; script-src 'self'") && policy.contains("worker-src 'none'"))
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                #expect(answer.fields["referrer-policy"] == "no-referrer")
                #expect(answer.fields["cache-control"] == "no-store")
                #expect(!answer.fields.keys.contains { $0.hasPrefix("access-control-") })
            }
        }
    }

    @Test func `a browser that was let in cannot get another secret`() async throws {
        try await tellsOfABrowser { _, browser, secrets in
            for (method, target) in [("POST", "/api/v1/web/addresses"), ("GET", "/api/v1/web/token")] {
                let answer = try await browser.ask(method, target, secrets)
                #expect(answer.status == 403)
                #expect(answer.code == "socket_only")
            }
        }
    }

    @Test func `a body that is too large is refused`() async throws {
        try await tellsOfABrowser { _, browser, secrets in
            let answer = try await browser.ask(
                "POST", "/api/v1/conversations", secrets,
                body: String(repeating: "x", count: APIRequest.maximumBodyBytes + 1))
            #expect(answer.status == 413)
            #expect(answer.code == "body_too_large")
        }
    }

    @Test func `events come on loopback too`() async throws {
        try await tellsOfABrowser { _, browser, secrets in
            let connection = try RawConnection(toPort: browser.port)
            let stream = await connection.exchange(
                [
                    "GET /api/v1/events?since=1 HTTP/1.1\r\nHost: \(browser.host)\r\n"
                        + secrets.map { "\($0.0): \($0.1)\r\n" }.joined() + "Sec-Fetch-Site: same-origin\r\n\r\n"
                ], until: "\"resync\"")
            #expect(stream.contains("event: resync\n"))
        }
    }

    @Test func `a node that is not served there says so`() async throws {
        try await Alice.tells(knowing: []) { alice in
            #expect(alice.webAddress == nil)
            let refusal = await #expect(throws: LocalClientError.self) { try await alice.client.makeWebAddress() }
            #expect(refusal?.detail.code == "no_web")
            await #expect(throws: LocalClientError.self) { try await alice.client.webToken() }
        }
    }

    @Test func `a port that is taken is told, and the socket is given up`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let port = try Browser(alice.webAddress).port
            try await Scratch.with { folder in
                let node = try await Node.open(
                    NodeConfiguration(home: folder, name: "Bob", listen: "127.0.0.1:0", discovery: false),
                    logger: Alice.silent)
                let server = LocalServer(node: node, web: .init(port: port), logger: Alice.silent)
                let error = await #expect(throws: NodeError.self) { try await server.run() }
                #expect(error?.code == .portInUse)
                #expect(!FileManager.default.fileExists(atPath: node.socketPath))
                await node.stop()
            }
        }
    }

    @Test func `names cannot write into the page`() {
        #expect(HTMLEscaping.escape("<b>\"A&B\"</b>'") == "&lt;b&gt;&quot;A&amp;B&quot;&lt;/b&gt;&#39;")
    }
}
