import TOMLFiles
import Testing

@Suite("Files of TOML")
struct TOMLFileTests {
    @Test func `have keys with their tables, values of every kind, and the line of each`() throws {
        let file = try TOMLFile(
            parsing: """
                # mine
                listen = "0.0.0.0:1"
                web = 8420
                discovery = false
                peers = [
                  'a:1', # home
                  "b:1",
                ]
                files = { quota = "20GiB", "a.b" = 1 }
                [inner.table]
                day = 2026-11-25
                """)
        #expect(
            file.entries.map { "\($0.key) \($0.line)" } == [
                "discovery 4", "files.\"a.b\" 9", "files.quota 9", "inner.table.day 11", "listen 2", "peers 5", "web 3",
            ])
        #expect(
            file.entries.map(\.value) == [
                .boolean(false), .integer(1), .text("20GiB"), .other("a date or a time"), .text("0.0.0.0:1"),
                .list([.text("a:1"), .text("b:1")]), .integer(8_420),
            ])
        #expect(try TOMLFile(parsing: "").entries.isEmpty)
        #expect(
            try TOMLFile(parsing: "a = [[1], {b = 1}]").entries.map(\.value) == [
                .list([.other("a list"), .other("a table")])
            ])
    }

    @Test(arguments: [
        ("a = 1\nb = \"x\nc = 3\n", 2, 7), ("a = 1\n[files\nq = 1\n", 2, 7), ("a = 1\n a = 2\n", 2, 2),
        ("peers = [a:1]\n", 1, 10), ("a = 99999999999999999999999999\n", 1, 31), ("a = 1e999999\n", 1, 13),
        ("a = 1\n\0b = 2\n", 2, 1), ("a = \"x\0y\"\n", 1, 7), ("= 1", 1, 1), ("a", 1, 2),
    ])
    func `that are none are refused with line and column`(text: String, line: Int, column: Int) {
        do {
            _ = try TOMLFile(parsing: text)
            Issue.record("it was read")
        } catch {
            #expect(error.line == line, "\(error)")
            // Of what is there twice, and of what has no end, either end is the place.
            #expect(error.column.map { abs($0 - column) <= 4 } == true, "\(error)")
            #expect(error.reason.count > 10)
        }
    }

    /// Deeper than the stack has room for, each in its own way, within what a file of settings may have.
    @Test(arguments: [
        "a = " + String(repeating: "[", count: 60_000), String(repeating: "a.", count: 30_000) + "a = 1",
        "[" + String(repeating: "a.", count: 30_000) + "a]", String(repeating: "a={", count: 20_000),
        String(repeating: "[a]\n", count: 16_000), String(repeating: "a = 'b.c'\n", count: 6_000),
    ])
    func `that are nested too deeply are refused`(text: String) {
        #expect(throws: TOMLFile.SyntaxError.self) { try TOMLFile(parsing: text) }
    }

    @Test func `may be nested as deeply as they are allowed`() throws {
        let deep = String(repeating: "a.", count: TOMLFile.maximumNestings) + "a = 1"
        #expect(try TOMLFile(parsing: deep).entries.count == 1)
        #expect(throws: TOMLFile.SyntaxError.self) { try TOMLFile(parsing: "b." + deep) }
    }

    @Test func `have texts with anything in them`() throws {
        let file = try TOMLFile(parsing: "a = \"x\\u0000y\\U0001F600\"\n\"\\u0000\" = ''")
        #expect(file.entries.map(\.value).contains(.text("x\0y😀")))
        #expect(file.entries.map(\.key).contains("\"\0\""))
    }
}
