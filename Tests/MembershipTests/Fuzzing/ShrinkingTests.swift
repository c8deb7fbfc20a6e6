import Membership
import Testing

@Suite("Shrinking a failing graph")
struct ShrinkingTests {
    @Test func `what does not matter goes, with everything after it`() {
        var room = Room()
        let base = room.add("Bob", "Carol", by: "Alice")
        room.promote("Carol", to: .admin, by: "Alice", after: [base])
        let removal = room.remove("Bob", by: "Alice", after: [base])
        room.merge(by: "Alice")
        let smallest = Shrinking.smallest(of: room.operations) { operations in
            operations.contains { $0.id == removal }
        }
        #expect(smallest.map(\.id) == [room.creation, base, removal])
    }

    @Test func `what is left is a line of a scenario file`() {
        let operations = [
            Ledger.Operation(id: "g", author: "A", parents: [], action: .create),
            Ledger.Operation(
                id: "r", author: "A", parents: ["g"],
                action: .ratify(.grant("g", slot: 0), keep: [Kept("A", .member)], bans: ["B"])),
            Ledger.Operation(id: "s", author: "A", parents: ["g", "r"], action: .remove(.acting, "B")),
        ]
        let line = ScenarioLine(label: "a line", capacity: 5, operations: operations)
        #expect(
            line.description
                == #"{"label":"a line","capacity":5,"ops":[{"id":"g","author":"A","type":"create","parents":[]},"#
                + #"{"id":"r","author":"A","type":"ratify","parents":["g"],"under":"g#0","keep":[["A","member"]],"bans":["B"]},"#
                + #"{"id":"s","author":"A","type":"remove","parents":["g","r"],"under":"acting","target":"B"}]}"#)
    }
}
