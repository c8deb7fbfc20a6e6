import LocalAPIModel

/// How somebody leaves a group: what they said so far, and what they are still to be asked at a terminal.
struct Departure: Hashable {
    /// A question before somebody leaves.
    enum Question: Hashable {
        /// Whether they are sure.
        case leave
        /// The same, where only one person would remain, so that the group is archived.
        case leaveAndArchive
        /// Who is admin after them: one of these, or the oldest member.
        case successor([Candidate])
    }

    /// Somebody who could be admin.
    struct Candidate: Hashable {
        let user: String
        let name: String
    }

    /// The id or the name of who becomes admin.
    var successor: String?
    /// Whether the oldest member takes over.
    var force = false
    /// Whether a group with one member left is archived.
    var archive = false

    /// What to ask a member, in this order; nothing of somebody whom the node refuses anyway.
    ///
    /// Of the last two nobody is asked for a successor: who stays is the oldest member.
    func questions(leaving group: ConversationDescription, as me: String) -> [Question] {
        guard group.kind == .group, group.me.isMember else { return [] }
        if group.memberCount == 2 { return [.leaveAndArchive] }
        let admins = group.members.filter { $0.role == .admin || $0.role == .founder }.map(\.user)
        let others = group.members.filter { $0.user != me }
        guard admins == [me], !others.isEmpty, successor == nil, !force else { return [.leave] }
        return [.leave, .successor(others.map { Candidate(user: $0.user, name: $0.name) })]
    }

    /// Notes that they are sure.
    mutating func agree(to question: Question) {
        guard question == .leaveAndArchive else { return }
        archive = true
        force = successor == nil
    }

    /// Takes what was typed to choose a successor: a number of the list, of which the first is the oldest member, or
    /// nothing for that one.
    ///
    /// - Returns: whether it is a choice.
    mutating func choose(_ answer: String, among candidates: [Candidate]) -> Bool {
        let answer = answer.filter { !$0.isWhitespace }
        guard let number = answer.isEmpty ? 1 : Int(answer), (1...candidates.count + 1).contains(number) else {
            return false
        }
        if number == 1 {
            force = true
        } else {
            successor = candidates[number - 2].user
        }
        return true
    }
}

extension Departure.Question {
    /// What is shown; a list ends with the line on which the answer is typed.
    var text: String {
        let isSure = "Are you sure you want to leave this group? You will need to be re-added to rejoin."
        switch self {
        case .leave: return isSure
        case .leaveAndArchive: return "\(isSure) \(ArchiveQuestion.reason)"
        case .successor(let candidates):
            let names =
                ["the oldest member"] + candidates.map { "\(TerminalText.line($0.name)) (\($0.user.prefix(16)))" }
            let width = "\(names.count)".count
            let lines = names.enumerated().map { index, name in
                let number = "\(index + 1)"
                return "  \(String(repeating: " ", count: width - number.count))\(number)  \(name)"
            }
            return (["You are the last admin. Who is admin after you?"] + lines + ["Number [1]: "])
                .joined(separator: "\n")
        }
    }
}
