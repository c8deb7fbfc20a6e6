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

    /// Refuses to choose among people.
    func ambiguous(_ text: String, _ people: [People.Person]) -> NodeError {
        NodeError(
            .ambiguousName, "\"\(text)\" may mean several people", hint: Self.hint(people.map(candidate)))
    }

    /// Refuses to choose among conversations, and people with whom there may be none yet.
    func ambiguous(_ text: String, _ conversations: [Replica], _ people: [People.Person]) -> NodeError {
        NodeError(
            .ambiguousName, "\"\(text)\" may mean several conversations",
            hint: Self.hint(conversations.map(candidate) + people.map(candidate)))
    }

    private static func hint(_ candidates: [String]) -> String {
        "Use one of these ids: " + candidates.joined(separator: "; ")
    }

    /// Says that nobody is meant by a text, and how those are reached who are called so or alike.
    func unknownPerson(_ text: String) -> NodeError {
        let people = bearers(of: text)
        let hint = people.isEmpty ? "'moot people' shows who has been seen." : Self.hint(people.map(candidate))
        return NodeError(
            .unknownPerson, Self.refusal(of: text) ?? "Nobody is known as \"\(text)\"", hint: hint)
    }

    /// Everybody who is called so or alike, with a mark where that is a word of Moot's own.
    private func bearers(of text: String) -> [People.Person] {
        contacts.alike(text) + contacts.alike(OwnWord.marking(text))
    }

    /// Why a text names nobody and nothing, whoever is called so; nil for one that may be a name.
    private static func refusal(of text: String) -> String? {
        switch Designation(text) {
        case .id:
            "No id begins with \"\(text)\". \(Designation.idLength) or more hexadecimal digits mean an id, never a name"
        case .ownWord(let word): "\"\(word.rawValue)\" is a word of Moot's own, and means nobody"
        case .oneself, .name: nil
        }
    }

    /// A conversation with what tells it from others of its name.
    private func candidate(_ replica: Replica) -> String {
        other(in: replica).map { candidate(contacts[$0]) }
            ?? "\(title(of: replica)) (\(replica.id.description.prefix(16)))"
    }

    /// A person with what tells them from others of their name: their id, with as many digits as nobody makes another
    /// key for, and when they were there.
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
        let look = NameLook(of: text)
        let user: UserID
        do throws(NodeError) {
            user = try person(named: text)
        } catch {
            if error.code == .ambiguousName { return error }
            let alike = listedReplicas.filter { NameLook(of: $0.group.name ?? title(of: $0)) == look }.map(candidate)
            let people = bearers(of: text).map(candidate).filter { !alike.contains($0) }
            let hint =
                alike.isEmpty && people.isEmpty ? "'moot list' shows all conversations." : Self.hint(alike + people)
            return NodeError(
                .conversationNotFound,
                "Conversation not found" + (Self.refusal(of: text).map { ". " + $0 } ?? ""), hint: hint)
        }
        let person = contacts[user]
        guard user != me else {
            return NodeError(
                .conversationNotFound, "Conversation not found", hint: "'moot list' shows all conversations.")
        }
        // Others choose their names, which could be more than a name to whose shell the command is pasted.
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        return NodeError(
            .conversationNotFound, "Conversation not found: you have not talked to \(person.name) alone",
            hint: "Begin with: moot direct \(isPlain ? text : String(person.user.description.prefix(16)))")
    }
}
