import Testing

extension Screen {
    /// A terminal on which somebody chats in a conversation, connected to their node.
    ///
    /// - Parameter following: What the shell does when the chat has ended.
    static func chat(
        of node: TestNode, in conversation: String, rows: Int = 14, columns: Int = 60,
        environment: [String: String] = [:], following: String = "echo \"status $?\""
    ) async throws -> Screen {
        let variables = environment.merging(["MOOT_HOME": node.home]) { $1 }
        let screen = try await Screen(rows: rows, columns: columns, environment: variables)
        try await screen.type("\(TestNode.moot) chat \(conversation); \(following)")
        try await screen.press("Enter")
        await screen.expect("/help")
        await screen.expectNo("Connecting")
        return screen
    }
}
