import OperationLog

/// What a conversation tells its members about itself.
///
/// Derived from effective operations by every replica alike: nobody sends one, so none can be forged, doubled or lost.
public struct SystemMessage: Hashable, Sendable {
    /// What happened.
    public enum Action: Hashable, Sendable {
        case created
        case added([UserID])
        case joined
        case removed(UserID)
        case left
        case promoted(UserID, to: String)
        case demoted(UserID, to: String)
        case renamed(String)
        case described
        case setting(String, String)
        case actingAdmin(UserID)
    }

    /// The operation it follows from.
    public let operation: OperationID
    /// Who did it.
    public let actor: UserID
    /// What happened.
    public let action: Action
    /// Its place in the conversation, in milliseconds since 1970.
    public let effectiveTime: Int64

    /// The stable name of the action.
    public var name: String {
        switch action {
        case .created: "created"
        case .added: "added"
        case .joined: "joined"
        case .removed: "removed"
        case .left: "left"
        case .promoted: "promoted"
        case .demoted: "demoted"
        case .renamed: "renamed"
        case .described: "description"
        case .setting: "setting"
        case .actingAdmin: "acting_admin"
        }
    }

    /// The people it happened to.
    public var targets: [UserID] {
        switch action {
        case .added(let people): people
        case .removed(let person), .promoted(let person, _), .demoted(let person, _), .actingAdmin(let person): [person]
        case .created, .joined, .left, .renamed, .described, .setting: []
        }
    }

    /// The new name or role, where there is one.
    public var value: String? {
        switch action {
        case .renamed(let name): name
        case .promoted(_, let role), .demoted(_, let role): role
        case .setting(let key, let value): "\(key)=\(value)"
        case .created, .added, .joined, .removed, .left, .described, .actingAdmin: nil
        }
    }

    /// The sentence shown, with people called as `name` calls them.
    ///
    /// - Parameter me: the reader, to whom his own addition and removal are told in the second person.
    public func text(for me: UserID, groupName: String, name: (UserID) -> String) -> String {
        switch action {
        case .created:
            return "\(name(actor)) created the group"
        case .added(let people):
            if people == [me] { return "You were added to this group" }
            if people.count == 1, let person = people.first { return "\(name(actor)) added \(name(person))" }
            return "\(name(actor)) added \(people.count) participants"
        case .joined:
            return "\(name(actor)) joined the group"
        case .removed(let person):
            return person == me ? "You were removed from \(groupName)" : "\(name(actor)) removed \(name(person))"
        case .left:
            return "\(name(actor)) left the group"
        case .promoted(let person, let role), .demoted(let person, let role):
            return "\(name(actor)) made \(name(person)) \(role == "admin" ? "an" : "a") \(role)"
        case .renamed(let new):
            return "\(name(actor)) changed the group name to \"\(new)\""
        case .described:
            return "\(name(actor)) changed the group description"
        case .setting(let key, let value):
            return "\(name(actor)) set \(key) to \(value)"
        case .actingAdmin(let person):
            return "\(name(person)) is now the group admin"
        }
    }
}
