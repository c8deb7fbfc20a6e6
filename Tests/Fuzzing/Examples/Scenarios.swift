extension Example {
    static var scenarios: [Example] {
        let add = #"{"id":"a","author":"F","type":"add","parents":["g"],"under":"g#0","targets":["A","B"]}"#
        let content = [
            #"{"id":"m","author":"A","type":"message","heads":["a"],"device":"A2"}"#,
            #"{"id":"n","author":"A","type":"edit","heads":["a"],"device":"A2","after":"m"}"#,
            #"{"id":"o","author":"B","type":"pin","heads":["a","r"],"device":"B2"}"#,
        ]
        let valid = [
            "alone": group(),
            "two-lines-and-a-blank-one": group() + "\n \r\n" + group(add) + "\n",
            "every-type-1": group(
                add, #"{"id":"i","author":"F","type":"invite","parents":["a"],"under":"g#0","target":"C"}"#,
                #"{"id":"j","author":"C","type":"join","parents":["i"],"invite":"i"}"#,
                #"{"id":"d","author":"C","type":"decline","parents":["j"],"invite":"i"}"#,
                #"{"id":"c","author":"F","type":"cancel","parents":["j"],"under":"g#0","invite":"i"}"#,
                #"{"id":"p","author":"F","type":"promote","parents":["c"],"under":"g#0","target":"A","role":"admin"}"#,
                #"{"id":"q","author":"F","type":"demote","parents":["p"],"under":"g#0","target":"A","role":"member"}"#,
                #"{"id":"r","author":"A","type":"remove","parents":["p"],"under":"p#0","target":"B"}"#),
            "every-type-2": group(
                add, #"{"id":"s","author":"F","type":"set","parents":["a"],"under":"g#0","field":"é%","value":"\n"}"#,
                #"{"id":"t","author":"F","type":"ratify","parents":["s"],"under":"g#0","keep":[["A","moderator"]],"bans":["B"]}"#,
                #"{"id":"v","author":"A","device":"A2","type":"device","parents":["s"]}"#,
                #"{"id":"k","author":"B","type":"revoke","target":"A","device":"A2","pins":["s"],"parents":["v"]}"#,
                #"{"id":"m","author":"A","type":"merge","parents":["t","v"]}"#,
                #"{"id":"l","author":"F","type":"leave","parents":["m"]}"#,
                #"{"id":"o","author":"A","type":"stepdown","parents":["m"]}"#,
                #"{"id":"w","author":"A","type":"set","parents":["l","o"],"under":"acting","field":"name","value":""}"#),
            "content": group(
                add,
                #"{"id":"r","author":"F","type":"remove","parents":["a"],"under":"g#0","target":"A","seen":["m"]}"#,
                #"{"id":"k","author":"F","type":"revoke","target":"B","device":"B2","seen":["x"],"parents":["a"]}"#
            ).replacing(#"{"ops""#, with: #"{"content":[\#(content.joined(separator: ","))],"ops""#),
            "no-room": group(add).replacing(#"{"ops""#, with: #"{"capacity":2,"ops""#),
        ]
        let malformed = [
            ("not_json", "not-json", "ops"), ("not_json", "zero", "{\"ops\":[]}\0"),
            ("not_json", "nested-too-deep", String(repeating: "[", count: 1_500)),
            ("too_long", "too-long", String(repeating: "x", count: 2_049)),
            ("wrong_kind", "list", "[]"), ("wrong_kind", "capacity-of-a-half", #"{"capacity":0.5,"ops":[]}"#),
            ("wrong_kind", "keep-of-three", operation(#""type":"ratify","keep":[["A","member","x"]]"#)),
            ("missing_field", "without-operations", "{}"),
            ("missing_field", "without-parents", #"{"ops":[{"id":"g","author":"F","type":"create"}]}"#),
            ("incomplete", "add-without-targets", operation(#""type":"add","under":"g#0""#)),
            ("wrong_kind", "content-that-is-none", #"{"ops":[],"content":[7]}"#),
            ("unknown_type", "unknown-type", operation(#""type":"crown""#)),
            ("unknown_role", "unknown-role", operation(#""type":"promote","target":"A","role":"king""#)),
            ("negative_capacity", "negative-capacity", #"{"capacity":-1,"ops":[]}"#),
            ("repeated_operation", "the-same-id-twice", group(add, add)),
            ("missing_parent", "missing-parent", group(add.replacing(#"["g"]"#, with: #"["x"]"#))),
            ("circular_parents", "its-own-parent", group(add.replacing(#"["g"]"#, with: #"["a"]"#))),
            ("no_creation", "no-operations", #"{"ops":[]}"#),
            ("root_is_no_creation", "other-root", group(add.replacing(#"["g"]"#, with: "[]"))),
            (
                "several_roots", "two-creations",
                group(#"{"id":"h","author":"F","type":"create","parents":[]}"#)
            ),
        ]
        return valid.sorted { $0.key < $1.key }.map { accepted(.scenario, $0.key, Array($0.value.utf8)) }
            + malformed.map { refused(.scenario, $0, $1, Array($2.utf8)) }
            + [refused(.scenario, "not_unicode", "latin-1", [0x22, 0xE9, 0x22])]
    }

    /// A line of a group that Frank created, with these operations besides.
    private static func group(_ operations: String...) -> String {
        let creation = #"{"id":"g","author":"F","type":"create","parents":[]}"#
        return #"{"ops":[\#(([creation] + operations).joined(separator: ","))]}"#
    }

    private static func operation(_ fields: String) -> String {
        group(#"{"id":"x","author":"F","parents":["g"],\#(fields)}"#)
    }
}

extension String {
    /// The text with a part replaced wherever it stands.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
