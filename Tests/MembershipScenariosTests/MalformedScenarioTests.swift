import MembershipScenarios
import Testing

@Suite("Malformed scenarios")
struct MalformedScenarioTests {
    @Test(arguments: [
        ("{", "the line is not JSON"),
        ("not JSON", "the line is not JSON"),
        ("{\"ops\":[]} {}", "the line is not JSON"),
        ("{\"ops\":[],\"label\":\"\u{0}\"}", "the line is not JSON"),
        (#"{"ops":[],"label":"\ud800"}"#, "no operation creates the group"),
        (#"{"ops":[{"id":"\ud800","author":"F","type":"create","parents":[]}]}"#, "the line is not JSON"),
        ("[]", "the line must be an object"),
        ("7", "the line must be an object"),
        ("null", "the line must be an object"),
        ("{}", "the field ops is missing"),
        (#"{"ops":{}}"#, "the field ops must be a list"),
        (#"{"ops":null}"#, "the field ops must be a list"),
        (#"{"ops":[7]}"#, "the field ops[0] must be an object"),
        (#"{"ops":[]}"#, "no operation creates the group"),
        (#"{"ops":[{"author":"F","type":"create","parents":[]}]}"#, "the field ops[0].id is missing"),
        (#"{"ops":[{"id":"g","type":"create","parents":[]}]}"#, "the field ops[0].author is missing"),
        (#"{"ops":[{"id":"g","author":"F","parents":[]}]}"#, "the field ops[0].type is missing"),
        (#"{"ops":[{"id":"g","author":"F","type":"create"}]}"#, "the field ops[0].parents is missing"),
        (#"{"ops":[{"id":7,"author":"F","type":"create","parents":[]}]}"#, "the field ops[0].id must be a string"),
        (
            #"{"ops":[{"id":"g","author":"F","type":"create","parents":"g"}]}"#,
            "the field ops[0].parents must be a list"
        ),
        (
            #"{"ops":[{"id":"g","author":"F","type":"create","parents":[null]}]}"#,
            "the field ops[0].parents[0] must be a string"
        ),
    ])
    func `are not what a line must be`(line: String, sentence: String) throws {
        #expect(try complaint(about: line) == sentence)
    }

    @Test(arguments: [
        ("-1", "the capacity -1 is negative"),
        ("1.5", "the field capacity must be a whole number"),
        ("1e300", "the field capacity must be a whole number"),
        ("99999999999999999999", "the field capacity must be a whole number"),
        ("\"7\"", "the field capacity must be a whole number"),
        ("[]", "the field capacity must be a whole number"),
    ])
    func `have no such capacity`(capacity: String, sentence: String) throws {
        #expect(try complaint(about: group(capacity: capacity)) == sentence)
    }

    @Test(arguments: [
        (#""type":"annex""#, #"operation "x" has the unknown type "annex""#),
        (#""type":"Create""#, #"operation "x" has the unknown type "Create""#),
        (#""type":"add""#, #"operation "x" lacks the field targets"#),
        (#""type":"add","targets":"A""#, "the field ops[1].targets must be a list"),
        (#""type":"revoke","device":"A2""#, #"operation "x" lacks the field target"#),
        (#""type":"revoke","target":"A""#, #"operation "x" lacks the field device"#),
        (#""type":"revoke","target":"A","device":"A2","pins":"g""#, "the field ops[1].pins must be a list"),
        (#""type":"invite""#, #"operation "x" lacks the field target"#),
        (#""type":"remove""#, #"operation "x" lacks the field target"#),
        (#""type":"remove","target":["A"]"#, "the field ops[1].target must be a string"),
        (#""type":"promote","target":"A""#, #"operation "x" lacks the field role"#),
        (#""type":"promote","role":"admin""#, #"operation "x" lacks the field target"#),
        (#""type":"promote","target":"A","role":"king""#, #"operation "x" names the unknown role "king""#),
        (#""type":"demote","target":"A","role":"""#, #"operation "x" names the unknown role """#),
        (#""type":"set","field":"name""#, #"operation "x" lacks the field value"#),
        (#""type":"set","value":"Ship""#, #"operation "x" lacks the field field"#),
        (#""type":"set","field":"name","value":7"#, "the field ops[1].value must be a string"),
        (#""type":"ratify","keep":["A"]"#, "the field ops[1].keep[0] must be a list"),
        (#""type":"ratify","keep":[["A"]]"#, "the field ops[1].keep[0] must be a list of a person and a role"),
        (
            #""type":"ratify","keep":[["A","member","B"]]"#,
            "the field ops[1].keep[0] must be a list of a person and a role"
        ),
        (#""type":"ratify","keep":[["A",1]]"#, "the field ops[1].keep[0][1] must be a string"),
        (#""type":"ratify","keep":[["A","king"]]"#, #"operation "x" names the unknown role "king""#),
        (#""type":"ratify","bans":[["A"]]"#, "the field ops[1].bans[0] must be a string"),
        (#""type":"merge","under":7"#, "the field ops[1].under must be a string"),
        (#""type":"join","invite":7"#, "the field ops[1].invite must be a string"),
    ])
    func `have an operation that is none`(fields: String, sentence: String) throws {
        let operation = #"{"id":"x","author":"F","parents":["g"],\#(fields)}"#
        #expect(try complaint(about: group(operation)) == sentence)
    }

    @Test(arguments: [
        (#""m""#, "the field content must be a list"),
        ("[7]", "the field content[0] must be an object"),
        (#"[{"id":"m","author":"F","type":"message"}]"#, "the field content[0].heads is missing"),
        (#"[{"id":"m","author":"F","type":"song","heads":["g"]}]"#, #"operation "m" has the unknown type "song""#),
        (#"[{"id":"m","author":"F","type":"pin","heads":["x"]}]"#, #"the parent "x" of operation "m" is missing"#),
        (
            #"[{"id":"m","author":"F","type":"edit","heads":["g"],"after":"m"}]"#,
            #"the parent "m" of operation "m" is missing"#
        ),
        (
            #"[{"id":"m","author":"F","type":"file","heads":["g"]},{"id":"m","author":"F","type":"pin","heads":[]}]"#,
            #"two operations have the id "m""#
        ),
    ])
    func `have content that is none`(content: String, sentence: String) throws {
        let line = group().dropLast() + #","content":\#(content)}"#
        #expect(try complaint(about: String(line)) == sentence)
    }

    @Test func `have operations that are no graph`() throws {
        func merge(_ id: String, _ parents: String...) -> String {
            let list = parents.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"id":"\#(id)","author":"F","type":"merge","parents":[\#(list)]}"#
        }
        let other = #"{"id":"h","author":"A","type":"create","parents":[]}"#
        #expect(try complaint(about: group(merge("g", "g"))) == #"two operations have the id "g""#)
        #expect(try complaint(about: group(merge("x", "g", "y"))) == #"the parent "y" of operation "x" is missing"#)
        #expect(try complaint(about: group(merge("x", "x"))) == #"operation "x" is among its own ancestors"#)
        #expect(
            try complaint(about: group(merge("x", "g", "z"), merge("y", "x"), merge("z", "y")))
                == #"operation "x" is among its own ancestors"#)
        #expect(try complaint(about: group(merge("x"))) == #"operation "x" has no parents and is not the creation"#)
        #expect(
            try complaint(about: group(other))
                == #"operations "g" and "h" both have no parents; only the creation has none"#)
        #expect(try complaint(about: #"{"ops":[\#(merge("x", "x"))]}"#) == #"operation "x" is among its own ancestors"#)
        #expect(
            try complaint(about: #"{"ops":[\#(merge("x"))]}"#)
                == #"operation "x" has no parents and is not the creation"#)
    }

    @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func `are not UTF-8, even where nobody reads them`(bytes: [UInt8]) throws {
        let line = Array(#"{"label":""#.utf8) + bytes + Array("\",".utf8) + Array(group().utf8).dropFirst()
        #expect(try #require(throws: MalformedScenario.self) { try Scenario(line: line) } == .notUnicode)
    }

    @Test func `are deeper than anybody needs`() throws {
        let depth = 100_000
        let line = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try complaint(about: line) == "the line is not JSON")
    }

    @Test func `name long names by their beginning`() throws {
        let name = String(repeating: "x", count: 100)
        let sentence = try complaint(about: group(#"{"id":"\#(name)","author":"F","type":"\#(name)","parents":["g"]}"#))
        let beginning = "\"\(name.prefix(64))…\""
        #expect(sentence == "operation \(beginning) has the unknown type \(beginning)")
    }
}
