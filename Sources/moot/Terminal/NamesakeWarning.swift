import LocalAPIModel

/// Says loudly that people share a name: one of them may pretend to be the other.
enum NamesakeWarning {
    /// One line for each name.
    static func lines(about namesakes: [[PersonDescription]]) -> [String] {
        namesakes.map { people in
            let ids = people.map { person in
                let mark = person.isMe ? "you" : person.verified ? "verified" : "not verified"
                return "\(person.user.prefix(16)) (\(mark))"
            }
            let name = TerminalText.line(people.first?.name ?? "")
            return "warning: \(people.count) people are called \(name): \(ids.joined(separator: ", ")). "
                + "Check whom you are talking to."
        }
    }
}
