// Two admins remove each other at the same moment, on two hosts that cannot hear each other. Who is in?
//
// Run it with `swift run` in `examples/duelling-admins`. It uses nothing but the `Membership` library: no node, no
// network, no clock. The article "Build a duel" in that library's documentation shows all of this file.
import Membership

typealias Operation = MembershipOperation<String, String, String>

// Alice founds the group, adds three people and makes two of them admin, Bob first.
let before: [Operation] = [
    Operation(id: "create", author: "Alice", parents: [], action: .create),
    Operation(
        id: "add", author: "Alice", parents: ["create"],
        action: .add(.grant("create", slot: 0), ["Bob", "Carol", "Dave"])),
    Operation(
        id: "bob-admin", author: "Alice", parents: ["add"],
        action: .promote(.grant("create", slot: 0), "Bob", .admin)),
    Operation(
        id: "carol-admin", author: "Alice", parents: ["bob-admin"],
        action: .promote(.grant("create", slot: 0), "Carol", .admin)),
]

// The cable is cut. On one side Bob removes Carol.
let bobsSide: [Operation] = [
    Operation(
        id: "bob-removes-carol", author: "Bob", parents: ["carol-admin"],
        action: .remove(.grant("bob-admin", slot: 1), "Carol"))
]

// On the other side Carol removes Bob and makes Dave admin, to be sure.
let carolsSide: [Operation] = [
    Operation(
        id: "carol-removes-bob", author: "Carol", parents: ["carol-admin"],
        action: .remove(.grant("carol-admin", slot: 1), "Bob")),
    Operation(
        id: "dave-admin", author: "Carol", parents: ["carol-removes-bob"],
        action: .promote(.grant("carol-admin", slot: 1), "Dave", .admin)),
]

/// Resolves a history in the order given, and prints the members and each verdict that is not "effective".
func show(_ title: String, _ operations: [Operation]) {
    var resolver = MembershipResolver<String, String, String> { TieBreaker($0.utf8) }
    for operation in operations { resolver.insert(operation) }
    print("\(title):")
    print("  members: " + resolver.state.members.map { "\($0.person) (\($0.role.name))" }.joined(separator: ", "))
    for operation in operations {
        guard let voidReason = resolver.verdict(of: operation.id)?.voidReason else { continue }
        let decider = voidReason.decidedBy.map { ", decided by \($0)" } ?? ""
        print("  void: \(operation.id): \(voidReason.rule.sentence)\(decider)")
    }
    print("")
}

show("Bob's replica, cut off", before + bobsSide)
show("Carol's replica, cut off", before + carolsSide)
show("Both, once the cable is back: Bob's first", before + bobsSide + carolsSide)
show("The same, Carol's first", before + carolsSide + bobsSide)

// Carol does not give up, and claims to have removed Bob before Bob became admin.
let backDated = Operation(
    id: "back-dated", author: "Carol", parents: ["add"],
    action: .remove(.grant("carol-admin", slot: 1), "Bob"))
show("And after Carol back-dates another removal", before + carolsSide + bobsSide + [backDated])
