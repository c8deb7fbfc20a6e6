import LocalAPIModel

/// What a user keeps for themselves about a conversation, in words.
enum PrivateMarks {
    /// For a list, for example "pinned, muted, draft, #work"; first, that the user is out of a group.
    static func short(of conversation: ConversationDescription) -> String {
        var marks: [String] = []
        if conversation.me.waits == true {
            marks.append("waiting for room")
        } else if !conversation.me.isMember, !conversation.me.awaitsAnswer {
            marks.append("not a member")
        }
        if conversation.pinned { marks.append("pinned") }
        if conversation.archived { marks.append("archived") }
        if conversation.mutedUntil != nil { marks.append(conversation.mentionsOnly ? "mentions only" : "muted") }
        if conversation.draft != nil { marks.append("draft") }
        return (marks + conversation.tags.map { "#" + $0 }).joined(separator: ", ")
    }

    /// All of it, line by line.
    static func lines(of conversation: ConversationDescription) -> [String] {
        let tags = conversation.tags.map { TerminalText.line($0) }.joined(separator: ", ")
        return [
            "pinned    \(conversation.pinned ? "yes" : "no")",
            "archived  \(conversation.archived ? "yes" : "no")",
            "muted     \(mute(of: conversation) ?? "no")",
            "tags      \(tags.isEmpty ? "none" : tags)",
            "draft     \(conversation.draft.map { TerminalText.block($0, indentation: "          ") } ?? "none")",
            "receipts  \(conversation.receipts ? "on" : "off: the others do not learn what you read, and you not what they read")",
        ]
    }

    /// How it is muted, or nil where it is not.
    static func mute(of conversation: ConversationDescription) -> String? {
        guard let end = conversation.mutedUntil else { return nil }
        let time = LocalTime(end).map { "until \($0.day) \($0.clock)" } ?? "forever"
        return conversation.mentionsOnly ? "\(time), but not when you are mentioned" : time
    }
}
