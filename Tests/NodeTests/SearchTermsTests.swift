import Testing

@testable import Node

@Suite("Words to search for")
struct SearchTermsTests {
    @Test func `all words must be there, of the last one the beginning`() throws {
        let terms = try #require(SearchTerms("ferry nin"))
        #expect(terms.match("The ferry leaves at nine"))
        #expect(terms.match("Nine! The FERRY…"))
        #expect(!terms.match("The ferries leave at nine"))
        #expect(!terms.match("The ferry leaves"))
        #expect(terms.expression == "\"ferry\" \"nin\"*")
    }

    @Test(arguments: ["ferry nin", "nine", "FERRY ", "at the fer", "leaves9", "9", "ferr "])
    func `plain text is matched like any other`(query: String) throws {
        let terms = try #require(SearchTerms(query))
        for text in ["The ferry leaves at nine", "leaves9", "", "Ferry?", "the 9th [ferry]", "at_the@ferry`9{"] {
            // A character beyond ASCII that is in no word makes the text a text like any other.
            #expect(terms.match(text) == terms.match(text + " …"), "\(text)")
        }
    }

    @Test func `a finished word is looked for whole`() throws {
        let terms = try #require(SearchTerms("nin "))
        #expect(!terms.match("nine"))
        #expect(terms.expression == "\"nin\"")
    }

    @Test(arguments: [("Über", "uber"), ("façade", "FACADE"), ("Ελλάδα", "ελλαδα"), ("Ёлка", "елка")])
    func `case and diacritics do not count`(text: String, query: String) throws {
        #expect(try #require(SearchTerms(query)).match(text))
    }

    @Test(arguments: [
        ("ﬁnger", "ﬁnger"), ("ΣΊΣΥΦΟΣ", "ΣΊΣΥΦΟΣ"), ("ẞharp", "ẞharp"), ("Ⓐ circled", "ⓐ"), ("tschüß", "tschüß"),
        ("हिन्दी", "हिन"), ("Ёлка", "ёл"), ("mixedЖ", "mixed"), ("a_b", "b"),
    ])
    func `the index has what a search without it finds`(text: String, query: String) throws {
        let terms = try #require(SearchTerms(query))
        let (word, tokens) = (try #require(terms.words.last), SearchTerms.indexed(text).split(separator: " "))
        let token = try #require(SearchTerms.indexed(word).split(separator: " ").last)
        #expect(terms.match(text) == tokens.contains { $0.hasPrefix(token) })
        #expect(SearchTerms.indexed(text).utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\"") })
    }

    @Test(arguments: ["\" OR texts", "a AND NOT b", "NEAR(a b)", "text:secret*", "a' ; DROP TABLE texts --", "^a"])
    func `operators are words`(query: String) throws {
        let expression = try #require(SearchTerms(query)).expression
        let quoted = expression.split(separator: " ").map { $0.hasSuffix("*") ? $0.dropLast() : $0 }
        #expect(quoted.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
        #expect(quoted.allSatisfy { $0.dropFirst().dropLast().allSatisfy(\.isLetter) })
    }

    @Test(arguments: ["", "  ", "?!", "👍"])
    func `without a word there is nothing to look for`(query: String) {
        #expect(SearchTerms(query) == nil)
    }

    @Test func `a search has a limit of words`() {
        #expect(SearchTerms(Array(repeating: "a", count: SearchTerms.maximumTerms).joined(separator: " ")) != nil)
        #expect(SearchTerms(Array(repeating: "a", count: SearchTerms.maximumTerms + 1).joined(separator: " ")) == nil)
    }

    @Test func `an excerpt stands around the first word found`() throws {
        let terms = try #require(SearchTerms("needle"))
        let hay = Array(repeating: "hay", count: 100).joined(separator: " ")
        #expect(terms.excerpt(of: "a needle") == "a needle")
        #expect(terms.excerpt(of: "one\nneedle\n") == "one needle")
        let middle = terms.excerpt(of: hay + " needle " + hay)
        #expect(middle.contains("needle") && middle.hasPrefix("…") && middle.hasSuffix("…") && middle.count == 82)
        let end = terms.excerpt(of: hay + " needle")
        #expect(end.hasSuffix("needle") && end.hasPrefix("…"))
    }
}
