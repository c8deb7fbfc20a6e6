import MembershipScenarios
import Testing

@Suite("Names")
struct NameTests {
    @Test func `are equal when their bytes are`() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(Name("\u{E9}") != Name("e\u{301}"))
        #expect(Set([Name("\u{E9}"), Name("e\u{301}"), Name("\u{E9}")]).count == 2)
    }

    @Test func `are ordered by their bytes`() {
        let names: [Name] = [
            "", "A", "AB", "Z", "a", "e\u{301}", "\u{C5}", "\u{E9}", "\u{212B}", "\u{FF5A}", "\u{1F600}",
        ]
        #expect(names.reversed().sorted() == names)
    }

    @Test func `that look alike are two people, two operations and two fields`()
        throws
    {
        let line = group(
            adding("\u{E9}", "e\u{301}"),
            #"{"id":"\#u{E9}","author":"F","type":"remove","parents":["a"],"under":"g#0","target":"e\#u{301}"}"#,
            #"{"id":"e\#u{301}","author":"F","type":"remove","parents":["a"],"under":"g#0","target":"nobody"}"#,
            #"{"id":"1","author":"F","type":"set","parents":["a"],"under":"g#0","field":"\#u{E9}","value":"one"}"#,
            #"{"id":"2","author":"F","type":"set","parents":["a"],"under":"g#0","field":"e\#u{301}","value":"two"}"#,
            #"{"id":"3","author":"F","type":"set","parents":["a"],"under":"g#0","field":"%C3%A9","value":"three"}"#)
        let expected =
            "{\"members\":{\"F\":\"founder\",\"\u{E9}\":\"member\"},\"acting\":null,\"archived\":false,\"waitlist\":[],"
            + "\"fields\":{\"%C3%A9\":\"three\",\"e\u{301}\":\"two\",\"\u{E9}\":\"one\"},\"void\":[\"e\u{301}\"]}"
        #expect(Array(try answer(line).utf8) == Array(expected.utf8))
    }

    @Test func `are escaped as JSON wants it and otherwise left alone`() throws {
        let written = #"\"\\\/\b\f\n\r\t\u0000\u001f\u007f\u00e9\ud83d\ude00\u2028"#
        let line = group(
            adding(written),
            #"{"id":"x","author":"F","type":"set","parents":["a"],"under":"g#0","field":"\#(written)","value":"\#(written)"}"#
        )
        let read = #"\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}\u{E9}\u{1F600}\u{2028}"
        #expect(
            try answer(line)
                == "{\"members\":{\"\(read)\":\"member\",\"F\":\"founder\"},\"acting\":null,\"archived\":false,"
                + "\"waitlist\":[],\"fields\":{\"\(read)\":\"\(read)\"},\"void\":[]}")
    }
}
