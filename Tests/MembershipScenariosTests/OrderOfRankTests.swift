import Testing

/// Scenarios found by comparing with an independent evaluation: the order in which verdicts are found is the order of
/// rank, and these claim or reach ranks that a plain comparison would put in the wrong order.
@Suite("Verdicts in the order of rank")
struct OrderOfRankTests {
    @Test func `what the acting admin did comes before what they did under the grant it made`() throws {
        let line = #"""
            {"ops":[{"id":"g","author":"D","type":"create","parents":[]},
            {"id":"a","author":"D","type":"add","parents":["g"],"under":"g#0","targets":["X","N"]},
            {"id":"l","author":"D","type":"leave","parents":["a"]},
            {"id":"acting","author":"X","type":"add","parents":["l"],"under":"acting","targets":[]},
            {"id":"p","author":"X","type":"promote","parents":["acting"],"under":"acting#0","target":"N","role":"admin"},
            {"id":"lX","author":"X","type":"leave","parents":["p"]},
            {"id":"lN","author":"N","type":"leave","parents":["p"]}]}
            """#
        #expect(
            try answer(line)
                == #"{"members":{},"acting":null,"archived":true,"waitlist":[],"fields":{},"void":[]}"#)
    }

    @Test func `a forged grant that outranks its forger is void before anything that stands on it`() throws {
        let line = group(
            adding("A", "M"),
            #"{"id":"forged","author":"A","type":"demote","parents":["a"],"under":"a#1","target":"A","role":"moderator"}"#,
            #"{"id":"x","author":"A","type":"add","parents":["forged"],"under":"forged#1","targets":["X"]}"#,
            #"{"id":"r","author":"F","type":"remove","parents":["a"],"under":"g#0","target":"A"}"#,
            #"{"id":"r2","author":"F","type":"remove","parents":["x"],"under":"g#0","target":"X"}"#)
        #expect(
            try answer(line, isExplained: true)
                == #"{"members":{"F":"founder","M":"member"},"acting":null,"archived":false,"waitlist":[],"fields":{},"#
                + #""void":["forged","r2","x"],"why":{"forged":{"rule":"role_too_low","by":"a"},"#
                + #""r2":{"rule":"target_not_a_member","by":"x"},"#
                + #""x":{"rule":"grant_void","by":"forged"}}}"#)
    }
}
