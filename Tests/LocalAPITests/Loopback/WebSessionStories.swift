import Foundation
import HTTPTypes
import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("Browsers that were let in")
struct WebSessionStories {
    private static let anyPort = LocalServer.Web(port: 0)

    /// What a page has that was let in: its cookie, and the key that it asked for.
    private struct Page {
        let browser: Browser
        let cookie: (String, String)
        let key: (String, String)

        init(letInBy address: WebAddressDescription?) async throws {
            browser = try Browser(address)
            let secrets = try await browser.enter(address)
            (cookie, key) = (secrets[0], secrets[1])
        }

        func ask(_ target: String, _ fields: [(String, String)], method: String = "GET") async throws -> Browser.Answer
        {
            try await browser.ask(method, target, fields)
        }

        func ticket() async throws -> String {
            let answer = try await ask("/api/v1/web/tickets", [cookie, key], method: "POST")
            #expect(answer.status == 200)
            let ticket = try WireFormat.decode(WebTicketDescription.self, from: Array(answer.body.utf8))
            #expect(ticket.expiresInSeconds == 600)
            return ticket.ticket
        }
    }

    @Test func `once the page has its key, neither secret alone opens anything`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let page = try await Page(letInBy: alice.webAddress)
            #expect(try await page.ask("/api/v1/status", [page.cookie, page.key]).status == 200)
            let other = try await Page(letInBy: try await alice.client.makeWebAddress())
            for fields in [
                [page.cookie], [page.key], [page.cookie, other.key], [other.cookie, page.key],
                [page.cookie, ("Moot-Key", "")], [page.cookie, ("Moot-Key", page.key.1 + "0")],
                [page.cookie, ("Authorization", "Bearer \(page.key.1)")],
            ] {
                for target in ["/api/v1/status", "/api/v1/events", "/api/v1/web/sessions"] {
                    let answer = try await page.ask(target, fields)
                    #expect(answer.status == 401 && answer.code == "not_admitted", "\(fields) \(target)")
                }
            }
        }
    }

    @Test func `a session is told its key once`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            let entered = try await browser.follow(alice.webAddress)
            let cookie = ("Cookie", entered.cookie)
            let told = try await browser.claim(entered.claim, cookie)
            let key = ("Moot-Key", try WireFormat.decode(WebKeyDescription.self, from: Array(told.body.utf8)).key)
            let again = try await browser.claim(entered.claim, cookie, key)
            #expect(again.status == 409 && again.code == "key_claimed")
            // Whoever has the cookie alone does not even learn that, whatever proved the page to be the page.
            #expect(try await browser.claim(entered.claim, cookie).status == 401)
            #expect(try await browser.ask("GET", "/api/v1/status", [cookie, key]).status == 200)
            let token = ("Authorization", "Bearer \(try await alice.client.webToken().token)")
            let program = try await browser.claim(entered.claim, token)
            #expect(program.status == 409 && program.code == "no_session")
        }
    }

    /// Another server on 127.0.0.1 is shown the cookie by the browser, and may be faster than the page.
    @Test func `whoever has the cookie alone can do nothing, before the page has its key and after`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let browser = try Browser(alice.webAddress)
            let entered = try await browser.follow(alice.webAddress)
            let other = try await browser.follow(try await alice.client.makeWebAddress())
            let cookie = ("Cookie", entered.cookie)
            let secret = String(entered.cookie.drop { $0 != "=" }.dropFirst())
            func opensNothing() async throws {
                for route in Route.all where route.path != "/health" {
                    let target = APIPath.prefix + route.path.replacing(try Regex("\\{[a-z]+\\}"), with: "0123")
                    let answer = try await browser.ask(route.method.rawValue, target, [cookie])
                    // It may ask for the key, if it could prove to be the page, and whether the node is the one that
                    // the page knows.
                    guard answer.status != 401 else { continue }
                    let isOpen = ["/web/key", "/web/proof"].contains(route.path)
                    #expect(isOpen && answer.status == 400, "\(route.method) \(target)")
                }
                for claim in [
                    "", secret, other.claim, String(repeating: "0", count: 64), entered.claim + "0",
                    entered.claim.uppercased() + " ",
                ] {
                    let answer = try await browser.claim(claim, cookie)
                    #expect(answer.status == 401 && answer.code == "not_admitted", "\(claim)")
                }
                // Nor does what claims the key stand for it.
                let forged = try await browser.ask("GET", "/api/v1/status", [cookie, ("Moot-Key", entered.claim)])
                #expect(forged.status == 401)
            }
            try await opensNothing()
            #expect(try await alice.client.webSessions().isEmpty, "nobody is in")
            #expect(try await browser.claim(entered.claim, ("Cookie", other.cookie)).status == 401)
            // The page is not kept from its key by anybody who tried.
            #expect(try await browser.claim(entered.claim, cookie).status == 200)
            try await opensNothing()
            #expect(try await browser.claim(entered.claim, cookie).status == 401)
        }
    }

    @Test func `a ticket opens streams and files, with the cookie, and nothing else`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let page = try await Page(letInBy: alice.webAddress)
            let ticket = try await page.ticket()
            let file = try await alice.client.upload(Array("hello".utf8), named: "a.txt", mediaType: "text/plain")
            let blob = "/api/v1/blobs/\(file.id)?ticket="
            #expect(try await page.ask(blob + ticket, [page.cookie]).body == "hello")
            #expect(try await page.ask(blob + ticket, []).status == 401)
            #expect(try await page.ask(blob + String(repeating: "0", count: 64), [page.cookie]).status == 401)
            let other = try await Page(letInBy: try await alice.client.makeWebAddress())
            #expect(try await page.ask(blob + ticket, [other.cookie]).status == 401)
            for (method, target) in [
                ("GET", "/api/v1/status"), ("POST", "/api/v1/blobs"), ("GET", "/api/v1/eventsx"),
                ("DELETE", "/api/v1/blobs/\(file.id)/transfer"),
            ] {
                let answer = try await page.ask(target + "?ticket=" + ticket, [page.cookie], method: method)
                #expect(answer.status == 401, "\(method) \(target)")
            }
            let connection = try RawConnection(toPort: page.browser.port)
            let stream = await connection.exchange(
                [
                    "GET /api/v1/events?since=1&ticket=\(ticket) HTTP/1.1\r\nHost: \(page.browser.host)\r\n"
                        + "\(page.cookie.0): \(page.cookie.1)\r\nSec-Fetch-Site: same-origin\r\n\r\n"
                ], until: "\"resync\"")
            #expect(stream.contains("event: resync\n"))
        }
    }

    @Test func `sessions are listed and ended, with their streams`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort, heartbeat: .milliseconds(50)) { alice in
            let page = try await Page(letInBy: alice.webAddress)
            let listed = try await alice.client.webSessions()
            #expect(listed.count == 1 && listed.allSatisfy { !$0.isCurrent })
            let shown = try await page.ask("/api/v1/web/sessions", [page.cookie, page.key])
            #expect(shown.body.contains(#""is_current":true"#) && !shown.body.contains(page.key.1))
            let ticket = try await page.ticket()
            let connection = try RawConnection(toPort: page.browser.port)
            let begin = await connection.exchange(
                [
                    "GET /api/v1/events?ticket=\(ticket) HTTP/1.1\r\nHost: \(page.browser.host)\r\n"
                        + "\(page.cookie.0): \(page.cookie.1)\r\n\r\n"
                ], until: "heartbeat")
            #expect(begin.hasPrefix("HTTP/1.1 200 "))
            let id = try #require(listed.first?.id)
            #expect(try await alice.client.endWebSession(id).id == id)
            let rest = await connection.exchange([], until: "0\r\n\r\n")
            #expect(rest.hasSuffix("0\r\n\r\n"))
            #expect(try await page.ask("/api/v1/status", [page.cookie, page.key]).status == 401)
            #expect(await refusal { try await alice.client.endWebSession(id) } == "session_not_found")
            #expect(try await alice.client.webSessions().isEmpty)
        }
    }

    @Test func `a browser that is let in again has one session`() async throws {
        try await Alice.tells(knowing: [], web: Self.anyPort) { alice in
            let old = try await Page(letInBy: alice.webAddress)
            let entered = try await old.browser.follow(try await alice.client.makeWebAddress())
            let told = try await old.browser.claim(entered.claim, ("Cookie", entered.cookie), old.key)
            #expect(told.status == 200 && told.fields["set-cookie"] == nil)
            #expect(try await alice.client.webSessions().count == 1)
            let key = ("Moot-Key", try WireFormat.decode(WebKeyDescription.self, from: Array(told.body.utf8)).key)
            #expect(try await old.ask("/api/v1/status", [("Cookie", entered.cookie), key]).status == 200)
            #expect(try await old.ask("/api/v1/status", [old.cookie, old.key]).status == 401)
        }
    }

    /// Whoever holds the port between two runs can plant whatever they like in the origin of the page, and is shown
    /// what an open page shows.
    @Test
    func `nothing of one run is good in the next: not the page's name, its files' path, its secrets or its sessions`()
        async throws
    {
        try await Scratch.with { folder in
            /// Runs Alice's node for as long as the story takes.
            func run<Outcome: Sendable>(
                at port: Int = 0, _ story: @Sendable (LocalClient, WebAddressDescription?) async throws -> Outcome
            ) async throws -> Outcome {
                let node = try await Node.open(
                    NodeConfiguration(home: folder, name: "Alice", listen: "127.0.0.1:0", discovery: false),
                    logger: Alice.silent)
                let (ready, becameReady) = AsyncStream<WebAddressDescription?>.makeStream()
                let server = LocalServer(node: node, web: .init(port: port), logger: Alice.silent) {
                    becameReady.yield($0)
                }
                let serving = Task {
                    defer { becameReady.finish() }
                    try await server.run()
                }
                var address: WebAddressDescription?
                for await announced in ready {
                    address = announced
                    break
                }
                let outcome = try await story(LocalClient(socketPath: node.socketPath), address)
                serving.cancel()
                _ = await serving.result
                await node.stop()
                return outcome
            }
            @Sendable func filesPath(_ document: String) throws -> String {
                String(try #require(document.firstMatch(of: /\/page\/([0-9a-f]{32})\/main\.js/)).1)
            }
            let (page, path) = try await run { _, address in
                let page = try await Page(letInBy: address)
                #expect(page.browser.host.wholeMatch(of: /[0-9a-f]{32}\.localhost:[0-9]+/) != nil)
                let path = try filesPath(try await page.ask("/", []).body)
                #expect(try await page.ask("/page/\(path)/main.js", []).status == 200)
                return (page, path)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix("web-") })
            try await run(at: page.browser.port) { client, address in
                let browser = try Browser(address)
                #expect(browser.port == page.browser.port && browser.host != page.browser.host)
                for target in ["/", "/api/v1/health", "/api/v1/status", "/page/\(path)/main.js"] {
                    #expect(try await page.ask(target, [page.cookie, page.key]).status == 421, "\(target)")
                }
                let nonce = #"{"nonce":"\#(String(repeating: "0", count: 64))"}"#
                #expect(try await page.browser.ask("POST", "/api/v1/web/proof", body: nonce).status == 421)
                #expect(try await browser.ask("GET", "/api/v1/status", [page.cookie, page.key]).status == 401)
                #expect(try await browser.ask("GET", "/page/\(path)/main.js").status == 404)
                #expect(try await client.webSessions().isEmpty)
            }
        }
    }
}
