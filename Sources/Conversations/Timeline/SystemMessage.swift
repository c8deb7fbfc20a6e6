import Cryptography
import Membership
import OperationLog
import Storage

/// What a conversation tells its members about itself.
///
/// Derived from effective operations by every replica alike: nobody sends one, so none can be forged, doubled or lost.
public struct SystemMessage: Hashable, Sendable {
    /// What happened.
    public enum Action: Hashable, Sendable {
        /// The group was created: with a name or without, and with whom.
        case created(name: String?, with: [UserID])
        /// People were added when the group was created. Only they are told: the others read of them in the creation.
        case welcomed([UserID])
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
    /// The operation that it follows from; of several that were written in one go the first.
    public let operation: OperationID
    /// Who did it.
    public let actor: UserID
    /// What happened.
    public let action: Action
    /// Whether it changed nothing, because what somebody else wrote at the same time decides.
    public let isOverruled: Bool
    /// Its place in the conversation, in milliseconds since 1970.
    public let hybridTime: Int64

    /// Its place among all messages.
    public var position: MessagePosition { MessagePosition(hybridTime: hybridTime, id: id) }

    private init(
        id: OperationID, operation: OperationID, actor: UserID, action: Action, isOverruled: Bool = false,
        hybridTime: Int64
    ) {
        self.id = id
        self.operation = operation
        self.actor = actor
        self.action = action
        self.isOverruled = isOverruled
        self.hybridTime = hybridTime
    }

    /// Tells what an effective operation did, which is a part of what its author wrote in one go.
    init(_ entry: Group.Entry, of beginning: OperationID, _ action: Action) {
        self.init(
            id: entry.operation.id, operation: beginning, actor: entry.operation.author.user, action: action,
            hybridTime: entry.hybridTime)
    }

    /// Tells one of several things that an effective operation did.
    init(
        _ entry: Group.Entry, of beginning: OperationID, _ action: Action, named context: StaticString,
        about user: UserID
    ) {
        self.init(
            id: OperationID(digest: .hash(context, entry.operation.id.digest.bytes, user.digest.bytes)),
            operation: beginning, actor: entry.operation.author.user, action: action,
            hybridTime: entry.hybridTime)
    }

    /// Tells that somebody took over after a departure.
    init(successionOf user: UserID, after departure: Group.Entry) {
        self.init(
            id: OperationID(digest: .hash("moot/1/acting", departure.operation.id.digest.bytes, user.digest.bytes)),
            operation: departure.operation.id, actor: user, action: .actingAdmin(user),
            hybridTime: departure.hybridTime + 1)
    }

    /// The same, of something that changed nothing.
    var overruled: SystemMessage {
        SystemMessage(
            id: id, operation: operation, actor: actor, action: action, isOverruled: true, hybridTime: hybridTime)
    }

    /// The same, as a part of what began with another operation.
    func following(_ beginning: OperationID) -> SystemMessage {
        SystemMessage(
            id: id, operation: beginning, actor: actor, action: action, isOverruled: isOverruled,
            hybridTime: hybridTime)
    }

    /// The people it happened to.
    public var targets: [UserID] {
        switch action {
        case .created(_, let people), .welcomed(let people), .added(let people): people
        case .removed(let person), .promoted(let person, _), .demoted(let person, _), .actingAdmin(let person): [person]
        case .joined, .left, .renamed, .described, .photo, .setting: []
        }
    }

    /// The new name or role, where there is one.
    public var value: String? {
        switch action {
        case .created(let name, _): name
        case .renamed(let name): name
        case .promoted(_, let role), .demoted(_, let role): role
        case .setting(let key, let value): "\(key)=\(value)"
        case .welcomed, .added, .joined, .removed, .left, .described, .photo, .actingAdmin: nil
        }
    }
}

extension SystemMessage.Action {
    /// What it is to write a value into a register.
    init(writing value: String, into field: String) {
        switch field {
        case Group.nameField: self = .renamed(value)
        case Group.descriptionField: self = .described
        case Group.photoField: self = .photo(isRemoved: value.isEmpty)
        default: self = .setting(field, value)
        }
    }

    var isSuccession: Bool {
        if case .actingAdmin = self { true } else { false }
    }
}
