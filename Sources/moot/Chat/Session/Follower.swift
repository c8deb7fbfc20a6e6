import LocalAPIClient
import LocalAPIModel

/// Follows the node's events for a chat, and tells the node meanwhile which conversation is shown.
struct Follower {
    let node: LocalClient
    /// Tells the chat.
    let tell: @Sendable (ChatClient.Event) -> Void
    private var task: Task<Void, Never>?
    /// The id of the last event that the chat got.
    private var last: UInt64?
    /// The conversation that the node is told is shown.
    private var shown: String?

    init(node: LocalClient, tell: @escaping @Sendable (ChatClient.Event) -> Void) {
        self.node = node
        self.tell = tell
    }

    /// Whether the chat has not got the event: what a stream had put in when it was replaced comes by the next one
    /// again.
    mutating func isNew(_ event: NodeEvent) -> Bool {
        guard event.type == .resync || event.id > last ?? 0 else { return false }
        last = event.id
        return true
    }

    /// Follows from where it is, with another conversation shown.
    ///
    /// - Parameter isConnected: Whether the chat thinks so: then it is told nothing of a new stream that goes on where
    ///   the old one was.
    mutating func follow(showing conversation: String?, isConnected: Bool) {
        task?.cancel()
        shown = conversation
        let since = isConnected ? last : nil
        // What came between two streams is in the second one only if it is told where the first ended.
        task = Task { [node, tell] in
            await Self.follow(node, since: since, showing: conversation, isQuiet: since != nil, tell)
        }
    }

    func stop() { task?.cancel() }

    /// Goes on after ``stop()``.
    mutating func resume(isConnected: Bool) { follow(showing: shown, isConnected: isConnected) }

    /// Follows, and begins again whenever that ends.
    private static func follow(
        _ node: LocalClient, since: UInt64?, showing conversation: String?, isQuiet: Bool,
        _ tell: @Sendable (ChatClient.Event) -> Void
    ) async {
        var (since, isQuiet) = (since, isQuiet)
        while !Task.isCancelled {
            var reason = "The node has stopped."
            do {
                try await node.follow(
                    since: since, showing: conversation, onConnected: { if !isQuiet { tell(.connected) } },
                    { tell(.node($0)) })
            } catch LocalClientError.notRunning {
                reason = "The node is not running."
            } catch let error as LocalClientError {
                reason = error.detail.message + "."
            } catch {
                reason = "The connection to the node is lost."
            }
            guard !Task.isCancelled else { return }
            tell(.disconnected(reason))
            (since, isQuiet) = (nil, false)
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
