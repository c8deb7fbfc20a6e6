import Foundation
import Testing

/// What the documentation of the libraries shows is what is compiled, run and judged.
@Suite("Documentation catalogs")
struct CatalogTests {
    /// The blocks of one language in an article, each ending with a line break.
    private static func blocks(of language: String, in article: String) -> [String] {
        article.matches(of: /(?ms)^```(\w+)\n(.*?)^```$/).filter { $0.output.1 == language }.map { String($0.output.2) }
    }

    /// A text whose lines begin with what is not a space.
    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }.joined(
            separator: "\n")
    }

    @Test
    func `an article shows Swift that a test or an example compiles`() throws {
        let compiled = try ["examples", "Tests/ReplicatedTypesTests"].flatMap {
            try Repository.paths(below: $0, endingIn: ".swift")
        }
        .map { Self.unindented(try Repository.text($0)) }
        let articles = try Repository.articles()
        try #require(articles.count > 10, "\(articles.count) articles: does this test look in the right place?")
        for path in articles {
            for block in Self.blocks(of: "swift", in: try Repository.text(path)) {
                let text = Self.unindented(block)
                #expect(compiled.contains { $0.contains(text) }, "\(path) shows what nothing compiles:\n\(block)")
            }
        }
    }

    @Test
    func `the duel is shown whole, with what it prints`() throws {
        let article = try Repository.text("Sources/Membership/Membership.docc/BuildADuel.md")
        let example = "examples/duelling-admins"
        let program = try Repository.text("\(example)/Sources/duelling-admins/main.swift")
        let shown = Self.blocks(of: "swift", in: article)
        try #require(!shown.isEmpty)
        #expect(program.hasSuffix("\n" + shown.joined(separator: "\n")))
        let printed = try Repository.text("\(example)/output.txt").trimmingCharacters(in: .newlines)
        #expect(Self.blocks(of: "text", in: article) == [printed + "\n"])
    }

    @Test
    func `a case that an article shows is one of the published cases`() throws {
        let lines = try ["", "-decided", "-devices", "-rules", "-content"].flatMap {
            try Repository.text("Tests/Fixtures/membership\($0).ndjson").split(separator: "\n").map {
                try Self.object(String($0))
            }
        }
        let article = try Repository.text("Sources/Membership/Membership.docc/ConformanceCases.md")
        let shown = try Self.blocks(of: "json", in: article).map(Self.object)
        try #require(!shown.isEmpty)
        for shown in shown { #expect(lines.contains(shown)) }
    }

    private static func object(_ text: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
}
