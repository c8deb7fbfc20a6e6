import MembershipScenarios
import Testing

@Suite("Scenarios")
struct ScenarioTests {
    @Test(arguments: [
        #""type":"remove","target":"A""#,
        #""type":"remove","target":"A","under":null"#,
        #""type":"remove","target":"A","under":"""#,
        #""type":"remove","target":"A","under":"g""#,
        #""type":"remove","target":"A","under":"g#""#,
        #""type":"remove","target":"A","under":"g#-0""#,
        #""type":"remove","target":"A","under":"g#2""#,
        #""type":"remove","target":"A","under":"g#18446744073709551616""#,
        #""type":"remove","target":"A","under":"nobody#0""#,
        #""type":"remove","target":"A","under":"x#0""#,
    ])
    func `that name no grant are void and not malformed`(fields: String) throws {
        let operation = #"{"id":"x","author":"F","parents":["a"],\#(fields)}"#
        #expect(
            try answer(group(adding("A"), operation), isExplained: true)
                == #"{"members":{"A":"member","F":"founder"},"acting":null,"archived":false,"waitlist":[],"fields":{},"#
                + #""void":["x"],"why":{"x":{"rule":"grant_unknown","by":null}}}"#)
    }

    @Test(arguments: ["join", "decline", "cancel"])
    func `that name no invite are void and not malformed`(type: String) throws {
        for invite in ["", #","invite":"nothing""#, #","invite":"x""#, #","invite":"g""#] {
            let operation = #"{"id":"x","author":"F","parents":["g"],"type":"\#(type)","under":"g#0"\#(invite)}"#
            #expect(
                try answer(group(operation), isExplained: true)
                    .hasSuffix(#""void":["x"],"why":{"x":{"rule":"invite_unknown","by":null}}}"#))
        }
    }

    @Test func `have invites by code, which the first who joins uses up`() throws {
        let operations = [
            #"{"id":"i","author":"F","type":"invite","parents":["g"],"under":"g#0","code":true}"#,
            #"{"id":"b","author":"B","type":"join","parents":["i"],"invite":"i"}"#,
            #"{"id":"a","author":"A","type":"join","parents":["i"],"invite":"i"}"#,
            #"{"id":"c","author":"C","type":"join","parents":["a"],"invite":"i"}"#,
        ]
        #expect(
            try answer(group(operations.joined(separator: ",")), isExplained: true)
                == #"{"members":{"A":"member","F":"founder"},"acting":null,"archived":false,"waitlist":[],"fields":{},"#
                + #""void":["b","c"],"why":{"b":{"rule":"invite_used","by":"a"},"c":{"rule":"invite_used","by":"a"}}}"#)
    }

    @Test func `have ids that hold the sign of a slot`() throws {
        let line = #"""
            {"ops":[{"id":"#0","author":"#","type":"create","parents":[]},
            {"id":"a#1#","author":"#","type":"add","parents":["#0"],"under":"#0#0","targets":["A"]},
            {"id":"p","author":"#","type":"promote","parents":["a#1#"],"under":"#0#0","target":"A","role":"admin"},
            {"id":"s","author":"A","type":"set","parents":["p"],"under":"p#1","field":"name","value":"Ship"}]}
            """#
        #expect(
            try answer(line)
                == ##"{"members":{"#":"founder","A":"admin"},"acting":null,"archived":false,"waitlist":[],"##
                + ##""fields":{"name":"Ship"},"void":[]}"##)
    }

    @Test func `tell which operation decided`() throws {
        let line = group(
            adding("A", "B"),
            #"{"id":"p","author":"F","type":"promote","parents":["a"],"under":"g#0","target":"A","role":"admin"}"#,
            #"{"id":"r","author":"F","type":"remove","parents":["p"],"under":"g#0","target":"A"}"#,
            #"{"id":"x","author":"A","type":"remove","parents":["p"],"under":"p#1","target":"B"}"#)
        #expect(
            try answer(line, isExplained: true)
                == #"{"members":{"B":"member","F":"founder"},"acting":null,"archived":false,"waitlist":[],"fields":{},"#
                + #""void":["x"],"why":{"x":{"rule":"revoked","by":"r"}}}"#)
    }

    @Test func `tell what became of each grant, also where an effective operation had no effect`() throws {
        let line = group(
            adding("A", "B"),
            #"{"id":"p","author":"F","type":"promote","parents":["a"],"under":"g#0","target":"A","role":"admin"}"#,
            #"{"id":"r1","author":"F","type":"remove","parents":["p"],"under":"g#0","target":"B"}"#,
            #"{"id":"a2","author":"F","type":"add","parents":["r1"],"under":"g#0","targets":["B"]}"#,
            #"{"id":"r2","author":"A","type":"remove","parents":["p"],"under":"p#1","target":"B"}"#,
            #"{"id":"x","author":"B","type":"add","parents":["a2"],"under":"a#2","targets":["C"]}"#)
        #expect(
            try accounts(line)
                == ##"{"A":[{"grant":"a#1","role":"member","remaining_role":"member","counts":true,"void":false,"by":[]},"##
                + ##"{"grant":"p#1","role":"admin","remaining_role":"admin","counts":false,"void":false,"by":[]}],"##
                + ##""B":[{"grant":"a#2","role":"member","remaining_role":null,"counts":false,"void":false,"by":["r1","r2"]},"##
                + ##"{"grant":"a2#1","role":"member","remaining_role":null,"counts":false,"void":false,"by":["r2"]}],"##
                + ##""C":[{"grant":"x#1","role":"member","remaining_role":null,"counts":false,"void":true,"by":[]}],"##
                + ##""F":[{"grant":"g#0","role":"founder","remaining_role":"founder","counts":true,"void":false,"by":[]},"##
                + ##"{"grant":"g#1","role":"member","remaining_role":"member","counts":false,"void":false,"by":[]}]}"##)
    }

    @Test func `say which entry of a ratification is bad`() throws {
        let line = group(
            adding("A"),
            #"{"id":"x","author":"F","type":"ratify","parents":["a"],"under":"g#0","keep":[["A","member"],["Z","member"]]}"#
        )
        #expect(
            try answer(line, isExplained: true)
                .hasSuffix(#""void":["x"],"why":{"x":{"rule":"keeps_a_stranger","by":null,"entry":2}}}"#))
    }

    @Test func `are archived by what their capacity admits`() throws {
        #expect(
            try answer(group(adding("B", "A", "é"), capacity: "1"))
                == #"{"members":{"F":"founder"},"acting":null,"archived":true,"waitlist":["A","B","é"],"fields":{},"void":[]}"#
        )
        #expect(
            try answer(group(adding("A"), capacity: "0"))
                == #"{"members":{},"acting":null,"archived":true,"waitlist":["A","F"],"fields":{},"void":[]}"#)
    }

    @Test func `of 5,000 operations in reverse order are answered`() throws {
        var operations = [adding("A", "B")]
        var parent = "a"
        for number in 0..<4_998 {
            let head = #"{"id":"o\#(number)","author":"F","parents":["\#(parent)"],"under":"g#0","#
            switch number % 3 {
            case 0: operations.append(head + #""type":"set","field":"name","value":"\#(number)"}"#)
            case 1: operations.append(head + #""type":"add","targets":["P\#(number)"]}"#)
            default: operations.append(head + #""type":"remove","target":"P\#(number - 1)"}"#)
            }
            parent = "o\(number)"
        }
        let creation = #"{"id":"g","author":"F","type":"create","parents":[]}"#
        let line = #"{"ops":[\#((operations.reversed() + [creation]).joined(separator: ","))]}"#
        #expect(
            try answer(line)
                == #"{"members":{"A":"member","B":"member","F":"founder"},"acting":null,"archived":false,"#
                + #""waitlist":[],"fields":{"name":"4995"},"void":[]}"#)
    }
}
