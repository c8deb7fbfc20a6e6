import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("A page under development")
struct AllowedOriginStories {
    private static let page = "http://localhost:5173"

    /// Tells a story of Alice, who allowed the page.
    private func tells(_ story: (Alice, Browser) async throws -> Void) async throws {
        let origin = try #require(AllowedOrigin(Self.page))
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0, allowedOrigin: origin)) { alice in
            try await story(alice, Browser(alice.webAddress))
        }
    }

    /// What a browser says of a request of the page.
    private static func fields(_ more: (String, String)...) -> [(String, String)] {
        [("Origin", page), ("Sec-Fetch-Site", "same-site")] + more
    }

    @Test func `asks with a token, and may read the answer`() async throws {
        try await tells { alice, browser in
            let token = ("Authorization", "Bearer \(try await alice.client.webToken().token)")
            let answer = try await browser.ask("GET", "/api/v1/status", Self.fields(token))
            #expect(answer.status == 200)
            #expect(answer.fields["access-control-allow-origin"] == Self.page)
            #expect(answer.fields["access-control-allow-credentials"] == "true")
            #expect(answer.fields["access-control-expose-headers"]?.contains("ETag") == true)
            #expect(answer.fields["vary"] == "Origin")
            let changed = try await browser.ask(
                "PATCH", "/api/v1/profile", Self.fields(token), body: #"{"name":"Alice"}"#)
            #expect(changed.status == 200)
        }
    }

    @Test func `asks beforehand without a secret, which opens nothing`() async throws {
        try await tells { alice, browser in
            let question = ("Access-Control-Request-Method", "PATCH")
            let answer = try await browser.ask("OPTIONS", "/api/v1/profile", Self.fields(question))
            #expect(answer.status == 204)
            #expect(answer.fields["access-control-allow-origin"] == Self.page)
            #expect(answer.fields["access-control-allow-methods"]?.contains("PATCH") == true)
            #expect(answer.fields["access-control-allow-headers"]?.contains("Authorization") == true)
            #expect(answer.fields["access-control-max-age"] == "600")
            // The page may read that it was not let in, and nothing more.
            let bare = try await browser.ask("GET", "/api/v1/status", Self.fields())
            #expect(bare.status == 401 && bare.code == "not_admitted")
            #expect(bare.fields["access-control-allow-origin"] == Self.page)
            let elsewhere = try await browser.ask(
                "OPTIONS", "/api/v1/profile", Self.fields(question, ("Host", "evil.example")))
            #expect(elsewhere.status == 421)
        }
    }

    @Test(arguments: [
        "http://localhost:5174", "https://localhost:5173", "http://localhost", "http://127.0.0.1:5173", "null",
        "http://localhost:5173.evil.example", "http://evil.example", "http://localhost:5173/",
    ])
    func `is the only one that is let in`(origin: String) async throws {
        try await tells { alice, browser in
            let cookie = ("Cookie", try await browser.follow(alice.webAddress).cookie)
            for method in ["GET", "POST", "OPTIONS"] {
                for fields in [[("Origin", origin)], [("Origin", origin), ("Origin", Self.page)]] {
                    let answer = try await browser.ask(
                        method, "/api/v1/conversations", fields + [cookie, ("Access-Control-Request-Method", "GET")],
                        body: "{}")
                    #expect(answer.status == 403 && answer.code == "foreign_origin")
                    #expect(answer.fields["access-control-allow-origin"] == nil)
                }
            }
        }
    }

    @Test func `gets nothing outside of the API, and nothing without saying who it is`() async throws {
        try await tells { alice, browser in
            let cookie = ("Cookie", try await browser.follow(alice.webAddress).cookie)
            #expect(try await browser.ask("GET", "/", Self.fields(cookie)).status == 403)
            let silent = try await browser.ask("GET", "/api/v1/status", [cookie, ("Sec-Fetch-Site", "same-site")])
            #expect(silent.status == 403)
            #expect(silent.fields["access-control-allow-origin"] == nil)
            #expect(silent.fields["vary"] == "Origin")
        }
    }

    @Test func `is nobody's unless the user names it`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let browser = try Browser(alice.webAddress)
            let question = ("Access-Control-Request-Method", "GET")
            let answer = try await browser.ask("OPTIONS", "/api/v1/status", Self.fields(question))
            #expect(answer.status == 403)
            #expect(!answer.fields.keys.contains { $0.hasPrefix("access-control-") })
        }
    }

    @Test(arguments: ["http://localhost:5173", "https://app.example", "http://[::1]:3000", "HTTP://LocalHost:1"])
    func `has an origin`(text: String) {
        #expect(AllowedOrigin(text)?.description == text.lowercased())
    }

    @Test(arguments: [
        "", "*", "null", "localhost:5173", "http://", "http://localhost:5173/", "http://a b", "http://u@localhost",
        "file:///a", "http://localhost:", "http://localhost:80", "https://app.example:443", "http://a\r\nX: y",
        "http://-a", "http://*.example",
    ])
    func `has none without scheme and host, or with more than them`(text: String) {
        #expect(AllowedOrigin(text) == nil)
    }
}
