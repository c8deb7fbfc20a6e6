import Conversations
import Testing

@Suite("Links in texts")
struct WebLinksTests {
    @Test(arguments: [
        ("https://example.org", ["https://example.org"]),
        ("See https://example.org/a?b=c&d=%20#e, and go.", ["https://example.org/a?b=c&d=%20#e"]),
        ("HTTP://EXAMPLE.ORG/Way", ["HTTP://EXAMPLE.ORG/Way"]),
        ("(https://example.org)", ["https://example.org"]),
        ("https://en.wikipedia.org/wiki/Ship_(ferry)", ["https://en.wikipedia.org/wiki/Ship_(ferry)"]),
        ("(see https://example.org/a_(b)).", ["https://example.org/a_(b)"]),
        ("[text](https://example.org/x)", ["https://example.org/x"]),
        ("<https://example.org>", ["https://example.org"]),
        ("„https://example.org“", ["https://example.org"]), ("http://[::1]:8420/", ["http://[::1]:8420/"]),
        ("http://192.0.2.1:80/x", ["http://192.0.2.1:80/x"]),
        ("https://bücher.example/ä", ["https://bücher.example/ä"]),
        ("first http://a.example\nthen https://b.example!", ["http://a.example", "https://b.example"]),
        ("twice http://a.example http://a.example", ["http://a.example"]),
        ("**https://example.org/**", ["https://example.org/"]), ("https://example.org/…", ["https://example.org/"]),
    ])
    func `are found as they are`(text: String, expected: [String]) {
        #expect(WebLinks.find(in: text) == expected)
    }

    @Test(arguments: [
        "", "http", "http://", "https://", "https:// example.org", "https://.", "xhttps://example.org",
        "1http://a.example",
        "éhttp://a.example", "ftp://example.org", "javascript:alert(1)", "www.example.org", "https:/example.org",
        "https://)",
        "https://?x", "file:///etc/passwd", "httpſ://a.example",
    ])
    func `are nothing else`(text: String) {
        #expect(WebLinks.find(in: text) == [])
    }

    @Test func `hide nothing and say nothing to a terminal`() {
        #expect(WebLinks.find(in: "https://a.example/\u{202E}gpj") == ["https://a.example/gpj"])
        #expect(WebLinks.find(in: "https://a.example/\u{1B}[2J") == ["https://a.example/[2J"])
        #expect(WebLinks.find(in: "https://a.example/\u{200B}b") == ["https://a.example/b"])
        #expect(WebLinks.find(in: "https://a.example\u{0}/b") == ["https://a.example/b"])
    }

    @Test func `keep their limits`() {
        let link = "https://a.example/"
        let longest = link + String(repeating: "b", count: WebLinks.maximumBytes - link.utf8.count)
        #expect(WebLinks.find(in: longest) == [longest])
        #expect(WebLinks.find(in: longest + "b \(link)") == [link])
        let many = (1...100).map { "https://a.example/\($0)" }
        #expect(WebLinks.find(in: many.joined(separator: " ")) == Array(many.prefix(WebLinks.maximumLinks)))
    }

    @Test(arguments: ["https://a", "https://", "http", "h", "((", "https://a)", "https://a.(", "\u{301}", "."])
    func `are looked for in a time that grows with the text alone`(part: String) {
        let text = String(repeating: part, count: 16_384 / part.utf8.count)
        let clock = ContinuousClock()
        let time = clock.measure { for _ in 1...4 { _ = WebLinks.find(in: text) } }
        // Far above what it takes, far below what going back and forth would.
        #expect(time < .seconds(4))
    }
}
