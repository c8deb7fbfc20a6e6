import Foundation
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("Lasting tokens")
struct LastingTokenStories {
    /// Tells a story of Alice, whose node is served on loopback.
    private func tells(_ story: (Alice, Browser) async throws -> Void) async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            try await story(alice, Browser(alice.webAddress))
        }
    }

    private func bearer(_ token: NewTokenDescription) -> (String, String) { ("Authorization", "Bearer \(token.token)") }

    @Test func `one that can only look reads, and changes nothing`() async throws {
        try await tells { alice, browser in
            let token = try await alice.client.createToken(named: "prometheus", readOnly: true)
            for target in ["/api/v1/metrics", "/api/v1/status", "/api/v1/conversations"] {
                #expect(try await browser.ask("GET", target, [bearer(token)]).status == 200)
                #expect(try await browser.ask("HEAD", target, [bearer(token)]).status == 200)
            }
            for (method, target) in [
                ("PATCH", "/api/v1/profile"), ("POST", "/api/v1/lock"), ("POST", "/api/v1/conversations"),
                ("DELETE", "/api/v1/messages/x"), ("PUT", "/api/v1/people/x/blocked"), ("POST", "/api/v1/blobs?name=a"),
                ("OPTIONS", "/api/v1/status"), ("POST", "/api/v1/nowhere"), ("GET", "/api/v1/events?open=x"),
            ] {
                let refused = try await browser.ask(method, target, [bearer(token)], body: "{}")
                #expect(refused.status == 403 && refused.code == "read_only_token", "\(method) \(target)")
            }
        }
    }

    @Test func `one for everything changes things, but makes no other token`() async throws {
        try await tells { alice, browser in
            let token = try await alice.client.createToken(named: "bot", readOnly: false)
            let changed = try await browser.ask(
                "PATCH", "/api/v1/profile", [bearer(token)], body: #"{"name":"Alicia"}"#)
            #expect(changed.status == 200)
            for (method, target) in [
                ("GET", "/api/v1/web/tokens"), ("POST", "/api/v1/web/tokens"), ("DELETE", "/api/v1/web/tokens/bot"),
            ] {
                let refused = try await browser.ask(method, target, [bearer(token)], body: #"{"name":"x"}"#)
                #expect(refused.status == 403 && refused.code == "socket_only")
            }
        }
    }

    @Test func `one is good until it is revoked, and no longer, also for a stream that is open`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0), heartbeat: .milliseconds(50)) { alice in
            let browser = try Browser(alice.webAddress)
            let token = try await alice.client.createToken(named: "bot", readOnly: true)
            let connection = try RawConnection(toPort: browser.port)
            let begin = await connection.exchange(
                [
                    "GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(browser.port)\r\n"
                        + "Authorization: Bearer \(token.token)\r\n\r\n"
                ], until: "heartbeat")
            #expect(begin.hasPrefix("HTTP/1.1 200 "))
            #expect(try await alice.client.revokeToken("bot").name == "bot")
            _ = try await alice.client.setProfile(name: "Alicia")
            let rest = await connection.exchange([], until: "0\r\n\r\n")
            #expect(rest.hasSuffix("0\r\n\r\n") && !rest.contains("Alicia"))
            let refused = try await browser.ask("GET", "/api/v1/status", [bearer(token)])
            #expect(refused.status == 401 && refused.code == "not_admitted")
            #expect(await refusal { try await alice.client.revokeToken("bot") } == "token_not_found")
        }
    }

    @Test func `names are unique, plain and bounded in number`() async throws {
        try await Alice.tells(knowing: []) { alice in
            _ = try await alice.client.createToken(named: "bot", readOnly: true)
            #expect(
                await refusal { try await alice.client.createToken(named: "bot", readOnly: true) } == "token_exists")
            for name in ["", "a b", "../x", "é", String(repeating: "x", count: 65), "a\n"] {
                #expect(
                    await refusal { try await alice.client.createToken(named: name, readOnly: true) } == "name_invalid")
            }
            for number in 2...TokenStore.maximumCount {
                _ = try await alice.client.createToken(named: "bot-\(number)", readOnly: true)
            }
            #expect(
                await refusal { try await alice.client.createToken(named: "x", readOnly: true) } == "too_many_tokens")
            #expect(try await alice.client.tokens().count == TokenStore.maximumCount)
        }
    }

    @Test func `the disk has a hash that only the user can read, and it outlives the node`() async throws {
        try await Scratch.with { folder in
            let store = try TokenStore(home: folder)
            let made = try store.create(named: "bot", readOnly: true)
            let path = folder + "/tokens.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(made.token.dropFirst("moot_".count)))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let later = try TokenStore(home: folder)
            #expect(later.admission(of: made.token) == .reading)
            #expect(later.descriptions == store.descriptions)
            _ = try later.revoke("bot")
            #expect(later.admission(of: made.token) == nil)
            #expect(try TokenStore(home: folder).descriptions.isEmpty)
        }
    }

    @Test func `what is no token opens nothing`() async throws {
        try await Scratch.with { folder in
            let store = try TokenStore(home: folder)
            let made = try store.create(named: "bot", readOnly: false).token
            #expect(store.admission(of: made) == .everything)
            for text in [
                "", "moot_", String(made.dropLast()), made + "0", String(made.dropFirst(5)), made.uppercased(),
            ] {
                #expect(store.admission(of: text) == nil, "\(text)")
            }
            let kept = try #require(
                try PrivateFile<LastingToken>(home: folder, name: "tokens.json", of: "tokens").read().first)
            #expect(store.admission(of: kept.hash) == nil)
        }
    }

    @Test(arguments: ["", "{", "[{}]", "[1]"])
    func `a damaged file is said to be one`(text: String) async throws {
        try await Scratch.with { folder in
            try text.write(toFile: folder + "/tokens.json", atomically: true, encoding: .utf8)
            let error = #expect(throws: NodeError.self) { try TokenStore(home: folder) }
            #expect(error?.code == .badConfiguration)
        }
    }
}
