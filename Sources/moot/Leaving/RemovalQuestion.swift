import LocalAPIModel

/// What somebody at a terminal is asked before they remove a member.
struct RemovalQuestion: Hashable {
    /// What the member is called.
    let name: String
    /// What the group is called.
    let title: String
    /// Whether only one person would remain, so that the group is archived.
    let archives: Bool

    /// Asks about a member; nil where there is nothing to ask, because the node refuses anyway.
    init?(removing person: PersonDescription, from group: ConversationDescription) {
        guard group.kind == .group, group.me.isMember, group.members.contains(where: { $0.user == person.user }) else {
            return nil
        }
        name = person.name
        title = group.title
        archives = group.memberCount == 2
    }

    /// What is shown.
    var text: String {
        let isSure = "Are you sure you want to remove \(TerminalText.line(name)) from \(TerminalText.line(title))?"
        return archives ? "\(isSure) \(ArchiveQuestion.reason)" : isSure
    }
}
