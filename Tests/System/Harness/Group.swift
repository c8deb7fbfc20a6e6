import Testing
import Waiting

/// The conversation every story is about.
let ship = "Ship"

/// Waits until each node is connected to each other one.
func expectFullMesh(_ nodes: [TestNode], sourceLocation: SourceLocation = #_sourceLocation) async {
    for node in nodes {
        let others = Set(nodes.map(\.name)).subtracting([node.name])
        await eventually("\(node.name) is connected to \(others.sorted())", sourceLocation: sourceLocation) {
            try await node.peers() == others
        }
    }
}

/// Starts nodes, each told of those before it, and waits until all are connected.
func start(together nodes: [TestNode], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for (index, node) in nodes.enumerated() {
        try await node.start(peers: Array(nodes[..<index]), sourceLocation: sourceLocation)
    }
    await expectFullMesh(nodes, sourceLocation: sourceLocation)
}

/// Alice and Bob, who have met, and their direct conversation. Both have begun it: it travels only with its first
/// message.
func couple(
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> (alice: TestNode, bob: TestNode, conversation: String) {
    let (alice, bob) = (try TestNode("Alice"), try TestNode("Bob"))
    try await start(together: [alice, bob], sourceLocation: sourceLocation)
    let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
    try await bob.run("direct", "Alice")
    return (alice, bob, direct.id)
}

/// Alice's group with Bob and Carol.
func groupOfThree(sourceLocation: SourceLocation = #_sourceLocation) async throws -> (TestNode, TestNode, TestNode) {
    let (alice, bob, carol) = (try TestNode("Alice"), try TestNode("Bob"), try TestNode("Carol"))
    try await start(together: [alice, bob, carol], sourceLocation: sourceLocation)
    try await makeGroup(alice, [bob, carol], sourceLocation: sourceLocation)
    return (alice, bob, carol)
}

/// Lets the first node make the group with all others, and waits until everybody has it.
func makeGroup(_ founder: TestNode, _ others: [TestNode], sourceLocation: SourceLocation = #_sourceLocation)
    async throws
{
    let created = try await founder.outcome(["create", ship] + others.map(\.name))
    try #require(created.status == 0, "\(created.errors)", sourceLocation: sourceLocation)
    for node in others {
        await eventually("\(node.name) has the group", sourceLocation: sourceLocation) {
            try await node.answer("list", as: [ConversationAnswer].self).contains { $0.title == ship }
        }
    }
}

/// Waits until all nodes hold the same operations of the group.
func expectEqualDigests(
    _ nodes: [TestNode], within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation
) async {
    await eventually("all replicas are equal", within: limit, sourceLocation: sourceLocation) {
        var digests: Set<String> = []
        for node in nodes {
            let verification: VerificationAnswer = try await node.answer("verify")
            digests.formUnion(verification.conversations.filter { $0.title == ship }.map(\.digest))
        }
        return digests.count == 1
    }
}

/// Waits until all nodes hold the same operations, expects that they show the same messages in the same order, and
/// returns the messages.
@discardableResult
func expectEqualReplicas(
    _ nodes: [TestNode], within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [MessageAnswer] {
    await expectEqualDigests(nodes, within: limit, sourceLocation: sourceLocation)
    var shown: [[MessageAnswer]] = []
    for node in nodes {
        // Only what people wrote: "You were added to this group" is not the same line for everybody.
        shown.append(try await node.messages(in: ship).filter { $0.kind == "text" })
    }
    #expect(shown.allSatisfy { $0 == shown.first }, "equal replicas show the same", sourceLocation: sourceLocation)
    return shown.first ?? []
}

/// Waits until every node shows exactly these members in these roles.
func expectRoles(
    _ roles: [String: String], at nodes: [TestNode], sourceLocation: SourceLocation = #_sourceLocation
) async {
    for node in nodes {
        await eventually("\(node.name) sees \(roles)", within: .seconds(15), sourceLocation: sourceLocation) {
            let group: ConversationAnswer = try await node.answer("info", ship)
            return Dictionary(group.members.map { ($0.name, $0.role) }) { $1 } == roles
        }
    }
}
