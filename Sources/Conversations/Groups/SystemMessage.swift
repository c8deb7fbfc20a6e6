import Cryptography
import Membership
import OperationLog

/// What a conversation tells its members about itself.
///
/// Derived from effective operations by every replica alike: nobody sends one, so none can be forged, doubled or lost.
public struct SystemMessage: Hashable, Sendable {
    /// What happened.
    public enum Action: Hashable, Sendable {
        /// The group was created.
        case created
        /// People were added.
        case added([UserID])
        /// The actor accepted an invite.
        case joined
        /// A person was taken out.
        case removed(UserID)
        /// The actor left.
        case left
        /// A person was given a higher role.
        case promoted(UserID, to: String)
        /// A person was given a lower role.
        case demoted(UserID, to: String)
        /// The group was renamed.
        case renamed(String)
        /// The description was changed.
        case described
        /// The photo was changed, or taken away.
        case photo(isRemoved: Bool)
        /// A setting was changed.
        case setting(String, String)
        /// A person took over because no admin was left.
        case actingAdmin(UserID)
    }

    /// Names the message: the operation it follows from, or what is derived from that.
    public let id: OperationID
    /// The operation that it follows from.
    public let operation: OperationID
    /// Who did it.
    public let actor: UserID
    /// What happened.
    public let action: Action
    /// Its place in the conversation, in milliseconds since 1970.
    public let effectiveTime: Int64

    /// What orders messages.
    var order: (Int64, OperationID) { (effectiveTime, id) }

    /// What an operation of the lane is told as; nil if it is void or nothing to tell.
    init?(_ entry: Group.Entry) {
        guard entry.objection == nil, let body = entry.body else { return nil }
        switch body {
        case .create: action = .created
        case .add(_, let targets): action = .added(targets.map(\.user))
        case .join: action = .joined
        case .remove(_, let target, _): action = .removed(target)
        case .leave: action = .left
        case .promote(_, let target, let role): action = .promoted(target, to: role.name)
        case .demote(_, let target, let role): action = .demoted(target, to: role.name)
        case .set(_, Group.nameField, let value): action = .renamed(value)
        case .set(_, Group.descriptionField, _): action = .described
        case .set(_, Group.photoField, let value): action = .photo(isRemoved: value.isEmpty)
        case .set(_, let field, let value): action = .setting(field, value)
        case .invite, .decline, .cancel, .ratify, .device, .merge, .stepdown: return nil
        }
        id = entry.operation.id
        operation = entry.operation.id
        actor = entry.operation.author.user
        effectiveTime = entry.effectiveTime
    }

    /// Tells that somebody took over after a departure.
    init(successionOf user: UserID, after departure: Group.Entry) {
        id = OperationID(digest: .hash("moot/1/acting", departure.operation.id.digest.bytes, user.digest.bytes))
        operation = departure.operation.id
        actor = user
        action = .actingAdmin(user)
        effectiveTime = departure.effectiveTime + 1
    }

    /// The people it happened to.
    public var targets: [UserID] {
        switch action {
        case .added(let people): people
        case .removed(let person), .promoted(let person, _), .demoted(let person, _), .actingAdmin(let person): [person]
        case .created, .joined, .left, .renamed, .described, .photo, .setting: []
        }
    }

    /// The new name or role, where there is one.
    public var value: String? {
        switch action {
        case .renamed(let name): name
        case .promoted(_, let role), .demoted(_, let role): role
        case .setting(let key, let value): "\(key)=\(value)"
        case .created, .added, .joined, .removed, .left, .described, .photo, .actingAdmin: nil
        }
    }

    /// The sentence shown, with people called as `name` calls them.
    ///
    /// - Parameter me: the reader, to whom their own addition and removal are told in the second person.
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
        case .photo(let isRemoved):
            return "\(name(actor)) \(isRemoved ? "removed" : "changed") the group photo"
        case .setting(let key, let value):
            return "\(name(actor)) set \(key) to \(value)"
        case .actingAdmin(let person):
            return "\(name(person)) is now the group admin"
        }
    }
}
