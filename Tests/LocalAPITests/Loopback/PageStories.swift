import Foundation
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import LocalAPIServer

/// How a browser gets the page: see `Tests/Page` for what the page does.
@Suite("The page's files")
struct PageStories {
    private static let assets = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CPage/assets")

    @Test func `every file of the folder is in the program, and as it is there`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.assets.path)
        for name in names where name != "index.html" {
            let bytes = Array(try Data(contentsOf: Self.assets.appending(path: name)))
            let file = try #require(
                PageFiles.embedded.file(named: name, of: PageFiles.embedded.digest), "name it in page.c: \(name)")
            #expect(file.bytes == bytes)
        }
        #expect(names.contains("main.js"))
    }

    @Test func `what the document names is there`() {
        let document = String(decoding: PageFiles.embedded.index, as: UTF8.self)
        let named = document.matches(of: /page\/([0-9a-f]+)\/([a-z]+\.[a-z]+)/)
        #expect(named.count > 10)
        for name in named {
            #expect(PageFiles.embedded.file(named: String(name.2), of: String(name.1)) != nil, "\(name.2)")
        }
        #expect(!document.contains("DIGEST"))
    }

    @Test func `another content has another address`() {
        let one = PageFiles([("index.html", Array("<DIGEST>".utf8)), ("main.js", [1])])
        let other = PageFiles([("index.html", Array("<DIGEST>".utf8)), ("main.js", [2])])
        #expect(one.digest != other.digest)
        #expect(one.index == Array("<\(one.digest)>".utf8))
        #expect(other.file(named: "main.js", of: one.digest) == nil)
        #expect(one.file(named: "index.html", of: one.digest) == nil)
    }

    @Test func `a file may be kept, for its address changes with it`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let browser = try Browser(alice.webAddress)
            let cookie = ("Cookie", try await browser.follow(alice.webAddress).cookie)
            let address = "/page/\(PageFiles.embedded.digest)/main.js"
            let answer = try await browser.ask("GET", address, [cookie])
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "text/javascript; charset=utf-8")
            #expect(answer.fields["cache-control"] == "private, max-age=31536000, immutable")
            let tag = try #require(answer.fields["etag"])
            #expect(try await browser.ask("GET", address, [cookie, ("If-None-Match", tag)]).status == 304)
            #expect(try await browser.ask("GET", "/page/0123456789abcdef/main.js", [cookie]).status == 404)
            #expect(
                try await browser.ask("GET", "/page/\(PageFiles.embedded.digest)/nothing.js", [cookie]).status == 404)
            // A refusal is shown in the style of the page.
            #expect(try await browser.ask("GET", address).status == 200)
            #expect(try await browser.ask("POST", address).status == 401)
            #expect(try await browser.ask("GET", address, [("Host", "evil.example")]).status == 421)
            #expect(try await browser.ask("GET", address, [("Sec-Fetch-Site", "cross-site")]).status == 403)
            #expect(
                try await browser.ask("GET", "/nowhere").body.contains("/page/\(PageFiles.embedded.digest)/style.css"))
        }
    }
}
