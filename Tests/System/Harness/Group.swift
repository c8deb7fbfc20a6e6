import Testing

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

/// Waits until all nodes hold the same operations and show the same messages in the same order; returns the messages.
@discardableResult
func expectEqualReplicas(
    _ nodes: [TestNode], within limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [MessageAnswer] {
    var shown: [[MessageAnswer]] = []
    await eventually("all replicas are equal", within: limit, sourceLocation: sourceLocation) {
        // The digests are cheap to ask for; the messages themselves are compared once these agree.
        var digests: Set<String> = []
        for node in nodes {
            let verification: VerificationAnswer = try await node.answer("verify")
            digests.formUnion(verification.conversations.filter { $0.title == ship }.map(\.digest))
        }
        guard digests.count == 1 else { return false }
        shown = []
        // Only what people wrote: "You were added to this group" is not the same line for everybody.
        for node in nodes { shown.append(try await node.messages(in: ship).filter { $0.kind == "text" }) }
        return shown.allSatisfy { $0 == shown[0] }
    }
    return shown.first ?? []
}
