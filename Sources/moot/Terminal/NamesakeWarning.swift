import LocalAPIModel

/// Says loudly that people share a name, or have names that look the same: one of them may pretend to be the other.
enum NamesakeWarning {
    /// One line for each name.
    static func lines(about namesakes: [[PersonDescription]]) -> [String] {
        namesakes.map { people in
            let isOneName = Set(people.map(\.name)).count == 1
            let ids = people.map { person in
                let mark = person.isMe ? "you" : person.verified ? "verified" : "not verified"
                return (isOneName ? "" : TerminalText.line(person.name) + " ") + "\(person.user.prefix(16)) (\(mark))"
            }
            let names =
                isOneName
                ? "are called \(TerminalText.line(people.first?.name ?? ""))" : "have names that look the same"
            return "warning: \(people.count) people \(names): \(ids.joined(separator: ", ")). "
                + "Check whom you are talking to."
        }
    }
}
