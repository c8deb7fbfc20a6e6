import Conversations
import NodeCore
import OperationLog
import Time

/// Names that several people have, and what tells those people apart.
extension Node {
    /// With whom a direct conversation is; nil for a group.
    func other(in replica: Replica) -> UserID? { other(in: replica, than: me) }

    /// The same for whoever knows who the user is.
    func other(in replica: Replica, than me: UserID) -> UserID? {
        guard case .direct(let first, let second) = replica.log.root else { return nil }
        return first == me ? second : first
    }

    /// Everybody whom a name or the beginning of an id may mean.
    func people(meantBy text: String) -> [People.Person] {
        let called = contacts.called(text)
        guard called.isEmpty, text.utf8.count >= Self.minimumPrefixLength else { return called }
        return contacts.all.filter { $0.user.description.hasPrefix(text) }
    }

    /// Refuses to choose among people.
    func ambiguous(_ text: String, _ people: [People.Person]) -> NodeError {
        NodeError(
            .ambiguousName, "\"\(text)\" may mean several people",
            hint: "Use one of these ids: " + people.map(candidate).joined(separator: "; "))
    }

    /// A person with what tells them from others of their name: their id, with as many digits as nobody makes another key for, and when
    /// they were there.
    func candidate(_ person: People.Person) -> String {
        let mark = person.user == me ? ", you" : person.isVerified ? ", verified" : ""
        return "\(person.name) (\(person.user.description.prefix(16))\(mark)), \(seen(person))"
    }

    private func seen(_ person: People.Person) -> String {
        if person.isOnline || person.user == me { return "online" }
        guard let time = person.lastSeen else { return "never seen" }
        return "last seen \(Self.age(Clock.now.milliseconds - time)) ago"
    }

    /// A time that passed, for example "3 hours".
    static func age(_ milliseconds: Int64) -> String {
        let minutes = max(0, milliseconds) / 60_000
        let (count, unit) =
            switch minutes {
            case ..<60: (minutes, "minute")
            case ..<(48 * 60): (minutes / 60, "hour")
            default: (minutes / 60 / 24, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    /// Says that there is no conversation of a name, and how one begins if somebody is called so.
    func notFound(_ text: String) -> NodeError {
        let people = people(meantBy: text).filter { $0.user != me }
        guard !people.isEmpty else {
            return NodeError(
                .conversationNotFound, "Conversation not found", hint: "'moot list' shows all conversations.")
        }
        guard let person = core.meant(by: text, among: people) else { return ambiguous(text, people) }
        // Others choose their names, which could be more than a name to whose shell the command is pasted.
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        return NodeError(
            .conversationNotFound, "Conversation not found: you have not talked to \(person.name) alone",
            hint: "Begin with: moot direct \(isPlain ? text : String(person.user.description.prefix(16)))")
    }
}
