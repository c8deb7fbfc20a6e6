import LocalAPIClient
import LocalAPIModel

/// The browsers that are let in, for `moot open`.
enum BrowserSessions {
    /// Lists them, without what lets them in.
    static func list(of node: LocalClient, _ output: Output) async throws {
        let sessions = try await node.webSessions()
        try output.answer(sessions) {
            var table = Table("SESSION", "SINCE", "LAST USED")
            for session in sessions {
                table.add(session.id, moment(session.createdAt), moment(session.lastUsedAt))
            }
            return table.lines(output)
        }
        if sessions.isEmpty { output.say("No browser is let in. Let one in with: moot open") }
    }

    /// Ends one of them, or all.
    static func end(_ id: String?, of node: LocalClient, _ output: Output) async throws {
        if let id {
            let ended = try await node.endWebSession(id)
            return try output.changed(ended, "The session \(ended.id) is ended.")
        }
        var ended: [WebSessionDescription] = []
        for session in try await node.webSessions() { ended.append(try await node.endWebSession(session.id)) }
        let sentence =
            switch ended.count {
            case 0: "No browser was let in."
            case 1: "1 session is ended."
            default: "\(ended.count) sessions are ended."
            }
        try output.changed(ended, sentence)
    }

    private static func moment(_ text: String) -> String {
        LocalTime(text).map { "\($0.day) \($0.clock)" } ?? "-"
    }
}
