import Testing

@testable import Node

@Suite("Looking for people by name")
struct NameQueryTests {
    @Test(arguments: [
        ("al", "Alice"), ("ALICE", "Alice"), ("alice", "ALICE"), ("zoe", "Zoë"), ("Zoë", "Zoe"),
        ("mull", "Anna Müller"),
        ("mu an", "Anna Müller"), ("anna müller", "Anna Müller"), ("brien", "Conor O'Brien"), ("o'b", "Conor O'Brien"),
        ("jean", "Marie-Jeanne"), ("ΣΟΦ", "σοφία"), ("", "Alice"), ("  ", "Alice"), ("\u{1F98A}", "Fox \u{1F98A}"),
        ("e\u{301}lo", "\u{C9}lodie"),
    ])
    func `every word begins a word of the name, whatever its case and accents`(query: String, name: String) {
        #expect(NameQuery(query).matches(name))
    }

    @Test(arguments: [
        ("lice", "Alice"), ("alice b", "Alice"), ("alices", "Alice"), ("anna schmidt", "Anna Müller"),
        ("bob", "Unknown"),
        ("a", "\u{1F98A}"),
    ])
    func `what is inside a word, or in no word, is not found`(query: String, name: String) {
        #expect(!NameQuery(query).matches(name))
    }
}
