import Cryptography
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

    private static let page = PageFiles.embedded(below: "0a")

    @Test func `every file of the folder is in the program, and as it is there`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.assets.path)
        for name in names where name != "index.html" {
            let bytes = Array(try Data(contentsOf: Self.assets.appending(path: name)))
            let file = try #require(
                Self.page.file(named: name, below: "0a"), "name it in page.c: \(name)")
            #expect(file.bytes == bytes)
        }
        #expect(names.contains("main.js"))
    }

    @Test func `what the document names is there, with what must be in it`() throws {
        let document = String(decoding: Self.page.index, as: UTF8.self)
        let named = document.matches(of: /"page\/([0-9a-f]+)\/([a-z]+)\.([a-z]+)"( integrity="sha256-[^"]{44}")?/)
        #expect(named.count > 10)
        for name in named {
            let file = try #require(Self.page.file(named: "\(name.2).\(name.3)", below: String(name.1)))
            guard ["js", "css"].contains(name.3) else { continue }
            let digest = Data(SHA256.hash(file.bytes)).base64EncodedString()
            #expect(name.4.map(String.init) == " integrity=\"sha256-\(digest)\"", "\(name.2)")
        }
        // What is loaded later, too.
        for name in ["devices.js", "linking.js", "screens.css"] {
            let file = try #require(Self.page.file(named: name, below: "0a"))
            let digest = Data(SHA256.hash(file.bytes)).base64EncodedString()
            #expect(document.contains("\"/page/0a/\(name)\":\"sha256-\(digest)\""))
        }
        #expect(!document.contains("DIGEST") && !document.contains("INTEGRITY"))
        let script = try #require(document.firstMatch(of: /<script type="importmap">(.*?)<\/script>/)).1
        let digest = Data(SHA256.hash(Array(script.utf8))).base64EncodedString()
        #expect(Self.page.inlineScript == "'sha256-\(digest)'", "or the browser runs without the list")
    }

    @Test func `another run has other addresses`() {
        let files: [(name: String, bytes: [UInt8])] = [("index.html", Array("<DIGEST>".utf8)), ("main.js", [1])]
        let page = PageFiles(files, below: "0a")
        #expect(page.index == Array("<0a>".utf8))
        #expect(page.file(named: "main.js", below: "0a") != nil && page.file(named: "main.js", below: "0b") == nil)
        #expect(page.file(named: "index.html", below: "0a") == nil)
    }

    @Test func `a file may be kept, for its address changes with it`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let browser = try Browser(alice.webAddress)
            let cookie = ("Cookie", try await browser.follow(alice.webAddress).cookie)
            let document = try await browser.ask("GET", "/").body
            let path = String(try #require(document.firstMatch(of: /page\/([0-9a-f]{32})\/main.js/)).1)
            let address = "/page/\(path)/main.js"
            let answer = try await browser.ask("GET", address, [cookie])
            #expect(answer.status == 200)
            #expect(answer.fields["content-type"] == "text/javascript; charset=utf-8")
            #expect(answer.fields["cache-control"] == "private, max-age=31536000, immutable")
            let tag = try #require(answer.fields["etag"])
            #expect(try await browser.ask("GET", address, [cookie, ("If-None-Match", tag)]).status == 304)
            #expect(try await browser.ask("GET", "/page/0123456789abcdef/main.js", [cookie]).status == 404)
            #expect(
                try await browser.ask("GET", "/page/\(path)/nothing.js", [cookie]).status == 404)
            // A refusal is shown in the style of the page.
            #expect(try await browser.ask("GET", address).status == 200)
            #expect(try await browser.ask("POST", address).status == 401)
            #expect(try await browser.ask("GET", address, [("Host", "evil.example")]).status == 421)
            #expect(try await browser.ask("GET", address, [("Sec-Fetch-Site", "cross-site")]).status == 403)
            #expect(
                try await browser.ask("GET", "/nowhere").body.contains("/page/\(path)/style.css"))
        }
    }
}
