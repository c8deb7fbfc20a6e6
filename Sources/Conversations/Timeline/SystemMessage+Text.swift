import Membership
import OperationLog

extension SystemMessage {
    /// The sentence shown, with people called as `name` calls them: one line, harmless whatever they are called.
    ///
    /// - Parameter me: the reader, to whom their own addition and removal are told in the second person.
    public func text(for me: UserID, groupName: String, name: (UserID) -> String) -> String {
        SanitizedText.line(sentence(for: me, groupName: groupName, name: name) + (isOverruled ? " (overruled)" : ""))
    }

    private func sentence(for me: UserID, groupName: String, name: (UserID) -> String) -> String {
        let author = name(actor)
        switch action {
        case .created(let given, _):
            return "\(author) created the group" + (given.map { " \"\($0)\"" } ?? "")
        case .welcomed:
            return Self.welcome
        case .added(let people):
            if people.contains(me) { return Self.welcome }
            if people.count == 1, let person = people.first { return "\(author) added \(name(person))" }
            return "\(author) added \(people.count) participants"
        case .joined:
            return "\(author) joined the group"
        case .removed(let person):
            return person == me ? "You were removed from \(groupName)" : "\(author) removed \(name(person))"
        case .left:
            return "\(author) left the group"
        case .promoted(let person, let role), .demoted(let person, let role):
            return "\(author) made \(name(person)) \(role == "admin" ? "an" : "a") \(role)"
        case .renamed(let new):
            return "\(author) changed the group name to \"\(new)\""
        case .described:
            return "\(author) changed the group description"
        case .photo(let isRemoved):
            return "\(author) \(isRemoved ? "removed" : "changed") the group photo"
        case .setting(let key, let value):
            return "\(author) \(Group.effect(of: value, in: key))"
        case .actingAdmin(let person):
            return "\(name(person)) is now the group admin"
        }
    }

    private static let welcome = "You were added to this group"
}
